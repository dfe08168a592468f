import type {PlanItem, ToolEndEvent, ToolKind, ToolStartEvent} from '../core/events/events.ts'
import {summarize} from '../core/events/summarize.ts'
import {isMessageTool} from '../core/protocol/server-message.ts'
import {formatCount} from '../core/text/figures.ts'
import {shortenPath} from '../core/text/shorten-path.ts'
import {countLines, firstLine} from '../core/text/text.ts'
import {textAt} from '../core/wire/json.ts'
import {splitMcpName} from '../core/words/tool-words.ts'
import {stripColors} from './strip-colors.ts'

/** Names a tool on a line: our name for sub-agents, `server.tool` for MCP, else the name the agent uses. */
export function nameTool({name, tool}: Pick<ToolStartEvent, 'name' | 'tool'>): string {
  if (tool === 'Task') return 'Task'
  const mcp = splitMcpName(name)
  if (mcp !== undefined) return mcp.join('.')
  if (tool === 'Mcp') return name.replace('/', '.')
  return isMessageTool(tool) ? tool : name || tool
}

/** Describes the output of a tool whose length is of interest. */
export function describeOutput(tool: ToolKind, output: string): string | undefined {
  if (output === '' || !(tool === 'Read' || tool === 'Grep' || tool === 'Glob')) return undefined
  return formatCount(countLines(output), 'line')
}

/**
 * Describes why a tool failed, in one or two lines: for a command its last lines, without those that only repeat the exit
 * code.
 */
export function describeFailure(
  end: Pick<ToolEndEvent, 'error' | 'output' | 'exitCode'>,
  tool: ToolKind | undefined,
): string[] {
  const {exitCode} = end
  const error = stripColors(end.error ?? '')
  const output = stripColors(end.output)
  if (tool !== 'Bash' && exitCode === undefined) return [sentence(error) || sentence(output)]
  const lines = lastLines(error, 2)
  const shown = lines.length > 0 ? lines : lastLines(output, 2)
  if (exitCode !== undefined) return shown
  // Without an exit code the reason is in the first or in the last line.
  const first = firstLine(error)
  return /^(?:Command|Error|Aborted)\b/.test(first) ? [first] : shown.slice(-1)
}

/** Counts the lines of an output that are neither empty nor a note about the exit. */
export function countContentLines(output: string): number {
  return lastLines(stripColors(output), Infinity).length
}

/** The first line of a text, with the next ones when it ends with a colon or an open bracket. */
function sentence(text: string): string {
  const first = firstLine(text)
  if (!/[:[({]$/.test(first)) return first
  return toOneLine(text.slice(0, text.search(/\S/) + 300))
}

/** Joins all lines of a text. */
export function toOneLine(text: string): string {
  return stripColors(text).trim().replaceAll(/\s+/g, ' ')
}

/** Lines that agents print around the output of a command. */
const EXIT_NOTE =
  /^(?:\[?Command (?:exited|failed) with (?:exit )?code:? \d+\.?\]?|Exit code \d+|exit code \d+|<shellId: .*>|\[stderr\]|<\/?shell_metadata>)$/

/** The last lines of a text that are neither empty nor a note about the exit. */
function lastLines(text: string, count: number): string[] {
  const lines: string[] = []
  let end = text.length
  while (end > 0 && lines.length < count) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, end).trimEnd()
    if (line !== '' && !EXIT_NOTE.test(line)) lines.unshift(line)
    end = start - 1
  }
  return lines
}

/** Describes a requested or denied call: the tool and a summary of its input. */
export function describeCall(name: string, input: unknown, cwd?: string): string {
  const command = summarize('Bash', input)
  const summary = command || shortenPath(summarize('Edit', input) || summarize('Other', input), cwd)
  return summary === '' ? name : `${name}: ${summary}`
}

/** Describes the progress of a plan and its next item: `2/5 → Write the tests`. */
export function describePlan(items: readonly PlanItem[], arrow: string): string {
  const done = items.filter(({status}) => status === 'completed').length
  const next =
    items.find(({status}) => status === 'in-progress') ??
    items.find(({status}) => status === 'pending')
  const step = next === undefined ? '' : ` ${arrow} ${firstLine(next.text)}`
  return `${done}/${items.length}${step}`
}

/** Describes the input of a tool: a command unchanged, a path relative to the working directory. */
export function describeInput(
  {tool, summary}: Pick<ToolStartEvent, 'tool' | 'summary'>,
  cwd: string | undefined,
): string {
  return tool === 'Bash' ? summary : shortenPath(summary, cwd)
}

/** Returns the removed and added lines of an edit. */
export function readChange(input: unknown): ['-' | '+', string][] {
  const before =
    textAt(input, 'old_string') ?? textAt(input, 'oldString') ?? textAt(input, 'old_str')
  const after =
    textAt(input, 'new_string') ?? textAt(input, 'newString') ?? textAt(input, 'new_str')
  if (before === undefined || after === undefined) return []
  return [
    ...before.split('\n').map((line): ['-', string] => ['-', line]),
    ...after.split('\n').map((line): ['+', string] => ['+', line]),
  ]
}
