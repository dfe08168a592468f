import type {PlanItem, ToolEndEvent, ToolKind, ToolStartEvent} from '../core/events/events.ts'
import {summarize} from '../core/events/summarize.ts'
import {isMessageTool} from '../core/protocol/server-message.ts'
import {formatCount} from '../core/text/figures.ts'
import {shortenPath} from '../core/text/shorten-path.ts'
import {countLines, firstLine} from '../core/text/text.ts'
import {textAt} from '../core/wire/json.ts'
import {splitMcpName} from '../core/words/tool-words.ts'
import {stripColors} from './strip-colors.ts'

/** The word for a tool on a line: ours for sub-agents, `server.tool` for MCP, else the agent's own. */
export function nameTool({name, tool}: Pick<ToolStartEvent, 'name' | 'tool'>): string {
  if (tool === 'Task') return 'Task'
  const mcp = splitMcpName(name)
  if (mcp !== undefined) return mcp.join('.')
  if (tool === 'Mcp') return name.replace('/', '.')
  return isMessageTool(tool) ? tool : name || tool
}

/** What came out of a tool, where its length says something. */
export function describeOutput(tool: ToolKind, output: string): string | undefined {
  if (output === '' || !(tool === 'Read' || tool === 'Grep' || tool === 'Glob')) return undefined
  return formatCount(countLines(output), 'line')
}

/**
 * Why a tool failed, in a line or two: of a command the last ones, which tell most, but for those that only
 * repeat the exit code.
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
  const told = lines.length > 0 ? lines : lastLines(output, 2)
  if (exitCode !== undefined) return told
  // Without an exit code something else ended it, which is said first or last.
  const first = firstLine(error)
  return /^(?:Command|Error|Aborted)\b/.test(first) ? [first] : told.slice(-1)
}

/** How many lines of a tool's output say something. */
export function countContentLines(output: string): number {
  return lastLines(stripColors(output), Infinity).length
}

/** The first line of a text, and the next ones where it only announces them. */
function sentence(text: string): string {
  const first = firstLine(text)
  if (!/[:[({]$/.test(first)) return first
  return toOneLine(text.slice(0, text.search(/\S/) + 300))
}

/** All lines of a text as one. */
export function toOneLine(text: string): string {
  return stripColors(text).trim().replaceAll(/\s+/g, ' ')
}

/** What agents put around the output of a command. */
const EXIT_NOTE =
  /^(?:\[?Command (?:exited|failed) with (?:exit )?code:? \d+\.?\]?|Exit code \d+|exit code \d+|<shellId: .*>|\[stderr\]|<\/?shell_metadata>)$/

/** The last lines of a text that say something. */
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

/** What is asked for or was refused: the tool and the one thing to know of its input. */
export function describeCall(name: string, input: unknown, cwd?: string): string {
  const command = summarize('Bash', input)
  const summary = command || shortenPath(summarize('Edit', input) || summarize('Other', input), cwd)
  return summary === '' ? name : `${name}: ${summary}`
}

/** How far a plan is, and what comes next: `2/5 → Write the tests`. */
export function describePlan(items: readonly PlanItem[], arrow: string): string {
  const done = items.filter(({status}) => status === 'completed').length
  const next =
    items.find(({status}) => status === 'in-progress') ??
    items.find(({status}) => status === 'pending')
  const step = next === undefined ? '' : ` ${arrow} ${firstLine(next.text)}`
  return `${done}/${items.length}${step}`
}

/** The one thing to know of a tool's input: a command as it was given, paths from the folder of the run. */
export function describeInput(
  {tool, summary}: Pick<ToolStartEvent, 'tool' | 'summary'>,
  cwd: string | undefined,
): string {
  return tool === 'Bash' ? summary : shortenPath(summary, cwd)
}

/** What an edit takes out and puts in, line by line. */
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
