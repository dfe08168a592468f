import type {Draft} from '../../core/events/adapter.ts'
import type {FileAction, ToolKind} from '../../core/events/events.ts'
import {summarize} from '../../core/events/summarize.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {agentsText} from './sub-agents.ts'
import {mcpText} from './mcp.ts'

/** Common names of the items that are tool calls. */
const TOOLS = new Map<unknown, ToolKind>([
  ['command_execution', 'Bash'],
  ['file_change', 'Edit'],
  ['mcp_tool_call', 'Mcp'],
  ['collab_tool_call', 'Task'],
  ['web_search', 'WebSearch'],
])

/** Whether an item is a tool call. */
export function isToolCall(item: JsonObject): boolean {
  return TOOLS.has(item['type'])
}

/** The start of a tool call; `undefined` when the item is not a call or has no id. */
export function readToolStart(item: JsonObject): ToolStart | undefined {
  const tool = TOOLS.get(item['type'])
  const toolId = textAt(item, 'id')
  if (tool === undefined || toolId === undefined) return undefined
  const start: ToolStart = {
    type: 'tool-start',
    toolId,
    name: nameOf(item),
    tool,
    input: inputOf(item),
  }
  const command = textAt(item, 'command')
  return command === undefined ? start : {...start, summary: summarizeCommand(command)}
}

/** The start of a call. */
export type ToolStart = Extract<Draft, {type: 'tool-start'}>

/** The end of the call of an item, with its file changes. */
export function readToolEnd(item: JsonObject, {toolId, name, input}: ToolStart): Draft[] {
  const status = textAt(item, 'status')
  const exitCode = numberAt(item, 'exit_code')
  const output = outputOf(item)
  const denied = status === 'declined' ? true : undefined
  const failed = status === 'failed' || isRecord(item['error'])
  const ok = !failed && denied === undefined && (exitCode ?? 0) === 0
  const error = ok ? undefined : errorOf(item, output, exitCode, status)
  const end: Draft = {type: 'tool-end', toolId, ok, output, error, denied, exitCode}
  if (denied) return [{type: 'permission-denied', toolId, name, input, reason: error}, end]
  return ok ? [...readFileChanges(item, toolId), end] : [end]
}

/** The command without the shell around it. */
function summarizeCommand(command: string): string {
  const [, word] = /^\S*sh -l?c (.*)$/s.exec(command) ?? []
  return summarize('Bash', {command: word === undefined ? command : unquote(word)})
}

/** A shell word without its quotes and escapes. */
function unquote(word: string): string {
  return word.replaceAll(QUOTED, (_, single?: string, double?: string, escaped?: string) => {
    return single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? ''
  })
}

const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs

function nameOf(item: JsonObject): string {
  const tool = textAt(item, 'tool')
  if (tool === undefined) return toText(item['type'])
  const server = textAt(item, 'server')
  return server === undefined ? tool : `${server}/${tool}`
}

function inputOf(item: JsonObject): unknown {
  switch (item['type']) {
    case 'command_execution':
      return {command: item['command']}
    case 'file_change':
      return {changes: item['changes']}
    case 'mcp_tool_call':
      return item['arguments']
    case 'collab_tool_call':
      return {prompt: item['prompt'], receiver_thread_ids: item['receiver_thread_ids']}
    default:
      return {query: item['query'], action: item['action']}
  }
}

function outputOf(item: JsonObject): string {
  switch (item['type']) {
    case 'command_execution':
      return textAt(item, 'aggregated_output') ?? ''
    case 'mcp_tool_call':
      return mcpText(item['result'], 'structured_content')
    case 'collab_tool_call':
      return agentsText(item)
    default:
      return objectsAt(item, 'results').map(hitText).join('\n\n')
  }
}

/** A search result; its fields depend on the search engine. */
function hitText(hit: JsonObject): string {
  const texts = ['title', 'url', 'snippet', 'text'].map((name) => textAt(hit, name))
  return texts.filter(Boolean).join('\n') || toText(hit)
}

function errorOf(
  item: JsonObject,
  output: string,
  exitCode: number | undefined,
  status = 'failed',
): string {
  const message = textAt(objectAt(item, 'error'), 'message') || output.trim()
  if (message !== '') return message
  return exitCode === undefined || exitCode === 0 ? status : `exit code ${exitCode}`
}

/** Codex reports a moved file as a change of its old path. */
function readFileChanges(item: JsonObject, toolId: string): Draft[] {
  if (item['type'] !== 'file_change') return []
  return objectsAt(item, 'changes').flatMap(({path, kind}): Draft[] => {
    const action = ACTIONS.get(kind)
    if (typeof path !== 'string' || action === undefined) return []
    return [{type: 'file-change', path, action, toolId}]
  })
}

const ACTIONS = new Map<unknown, FileAction>([
  ['add', 'created'],
  ['delete', 'deleted'],
  ['update', 'modified'],
])
