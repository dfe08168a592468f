import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {reportIncomplete} from '../../core/events/adapter.ts'
import {defineTools, failTool, findToolKind} from '../../core/events/drafts.ts'
import {readPlan} from '../../core/events/plan.ts'
import {summarize} from '../../core/events/summarize.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {findPatch, pathsOf, readPatchText} from './transcript-patch.ts'
import type {Row} from './transcript-rows.ts'

/** Common names of the functions that Codex offers to the model. */
const TOOLS = defineTools({
  Read: 'view_image read_file read_mcp_resource',
  Edit: 'apply_patch',
  Bash: 'exec_command write_stdin shell shell_command local_shell container.exec unified_exec',
  Grep: 'grep_files',
  Glob: 'list_dir',
  WebSearch: 'web_search',
  Task: `spawn_agent send_input resume_agent wait_agent wait close_agent send_message followup_task
    interrupt_agent list_agents assign_task`.replaceAll(/\s+/g, ' '),
  Todo: 'update_plan',
})

/** Whether a row is a call of the model. Searches and images are finished when they are written. */
export function isCall({kind}: Pick<Row, 'kind'>): boolean {
  return CALLS.test(kind)
}

const CALLS =
  /^response_item\/(?:function|custom_tool|local_shell|tool_search|web_search|image_generation)_call$/

/** The id of a call. Older versions wrote none for searches. */
export function callIdOf(payload: JsonObject): string | undefined {
  const id = textAt(payload, 'call_id') ?? textAt(payload, 'id')
  if (id !== undefined || !isRecord(payload['action'])) return id
  return toText(payload['action'])
}

/** Reads a call. */
export function readCall(payload: JsonObject): Draft[] {
  const toolId = callIdOf(payload)
  if (toolId === undefined) return [reportIncomplete('call without call_id')]
  const call = describeCall(payload)
  const start: Draft = {type: 'tool-start', toolId, ...call}
  const summary = summarizeInput(call.input)
  if (summary !== undefined) start.summary = summary
  if (!HOSTED.has(textAt(payload, 'type') ?? '')) return [start]
  if (payload['status'] !== 'failed')
    return [start, {type: 'tool-end', toolId, ok: true, output: ''}]
  return [start, ...failTool({toolId, output: ''}, {error: 'failed'}, call)]
}

/** Tools that the server runs. */
const HOSTED = new Set(['web_search_call', 'image_generation_call'])

function describeCall(payload: JsonObject): OpenTool {
  switch (payload['type']) {
    case 'local_shell_call':
      return {name: 'local_shell', tool: 'Bash', input: payload['action']}
    case 'tool_search_call':
      return {name: 'tool_search', tool: 'Other', input: payload['arguments']}
    case 'web_search_call':
      return {name: 'web_search', tool: 'WebSearch', input: payload['action']}
    case 'image_generation_call':
      return {
        name: 'image_generation',
        tool: 'Other',
        input: {description: payload['revised_prompt']},
      }
    default: {
      const name = nameOf(payload)
      const input = readInput(name, payload)
      const isPatch = findPatch(input) !== undefined
      return {name, tool: isPatch ? 'Edit' : toolKindOf(name), input}
    }
  }
}

/** Tools of MCP servers have names like those in the output of the program: `server/tool`. */
function nameOf(payload: JsonObject): string {
  const name = textAt(payload, 'name') ?? ''
  const full = `${textAt(payload, 'namespace') ?? ''}${name}`
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(full) ?? []
  return server === undefined ? name : `${server}/${tool}`
}

function toolKindOf(name: string): OpenTool['tool'] {
  // Versions of 2025 joined the names of server and tool.
  return /\/|.__./.test(name) ? 'Mcp' : findToolKind(TOOLS, name)
}

function readInput(name: string, payload: JsonObject): unknown {
  const input = textAt(payload, 'input')
  if (input === undefined) {
    const text = payload['arguments']
    return typeof text === 'string' ? parseText(text) : text
  }
  return name === 'apply_patch' ? {paths: pathsOf(input), patch: input} : {input}
}

function summarizeInput(input: unknown): string | undefined {
  const patch = findPatch(input)
  if (patch !== undefined) return summarize('Edit', {paths: pathsOf(patch)})
  const {command, message} = isRecord(input) ? input : {}
  // Tasks for sub-agents.
  if (typeof message === 'string') return summarize('Task', {task: message})
  return Array.isArray(command) ? summarize('Bash', {command: joinCommand(command)}) : undefined
}

/** The words of a command; for a shell only the last one. */
export function joinCommand(command: readonly unknown[]): string {
  const words = command.map((word) => toText(word))
  const isWrapped = words.length === 3 && /^-l?c$/.test(words[1] ?? '')
  return isWrapped ? (words[2] ?? '') : words.join(' ')
}

/** Reads the output of a call, as the model got it; `undefined` when the user interrupted the call. */
export function readOutput(
  toolId: string,
  payload: JsonObject,
  tool: OpenTool,
): Draft[] | undefined {
  const {output, exitCode, hasHeader} = parseOutput(textOf(payload))
  if (INTERRUPTED.test(output)) return undefined
  const isDenied = exitCode === undefined && DENIED.test(output)
  const isFailed = exitCode === undefined && !hasHeader && FAILED.test(output)
  if ((exitCode ?? 0) !== 0 || isDenied || isFailed) {
    const error = output.trim() || `exit code ${exitCode}`
    return failTool({toolId, output}, {error, exitCode, ...(isDenied && {denied: true})}, tool)
  }
  const end: Draft = {type: 'tool-end', toolId, ok: true, output, exitCode}
  const patch = findPatch(tool.input)
  const items = tool.tool === 'Todo' ? readPlan(objectAt(tool, 'input')['plan']) : undefined
  return [
    ...(patch === undefined ? [] : readPatchText(toolId, patch)),
    end,
    ...(items === undefined ? [] : [{type: 'plan', items} satisfies Draft]),
  ]
}

const INTERRUPTED =
  /^(?:Wall time: [\d.]+ seconds\n)?(?:command )?aborted(?: by user)?(?: after [\d.]+s)?$/

const DENIED =
  /^(?:(?:exec command|patch|command|tool call|[\w ]*MCP tool call) )?(?:rejected|declined|denied) by (?:the )?user/i

/** There is no field for a failure without an exit code. */
const FAILED = new RegExp(
  `^(?:${[
    'apply_patch verification failed',
    'failed to ',
    'unsupported (?:call|custom tool call|tool)',
    'execution error',
    'exec_command failed',
    'write_stdin failed',
    'unable to ',
    'collab (?:tool|spawn) failed',
    'agent with id ',
    'rejected by ',
    'approval policy is ',
    'tool call error',
    'err(?:or)?: ',
  ].join('|')})`,
  'i',
)

function textOf({output}: JsonObject): string {
  const content = isRecord(output) ? (output['content'] ?? output['body']) : output
  if (!Array.isArray(content)) return toText(content)
  return objectsAt({content}, 'content')
    .map((part) => textAt(part, 'text') ?? `[${textAt(part, 'type')?.replace('input_', '')}]`)
    .join('\n')
}

interface ToolOutput {
  output: string
  exitCode?: number | undefined
  /** Whether the program described the outcome, so that the text is that of the command. */
  hasHeader: boolean
}

/** The output of a command without the lines before it, or without the JSON around it in older versions. */
function parseOutput(text: string): ToolOutput {
  if (/^\{"(?:output|metadata)":/.test(text)) {
    const value = parseText(text)
    const exitCode = numberAt(objectAt(value, 'metadata'), 'exit_code')
    const output = textAt(value, 'output')
    if (output !== undefined) return {output, exitCode, hasHeader: exitCode !== undefined}
  }
  const [header] = HEADER.exec(text.slice(0, 1000)) ?? []
  if (header === undefined) return {output: text, hasHeader: false}
  const [, code] = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(header) ?? []
  return {
    output: text.slice(header.length),
    exitCode: code === undefined ? undefined : Number(code),
    hasHeader: true,
  }
}

const HEADER =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process|Original token count|Total output lines)[^\n]*\n)+Output:(?:\n|$)/
