import {reportIncomplete, type Draft} from '../../core/events/adapter.ts'
import {defineTools, readTodos} from '../../core/events/drafts.ts'
import {objectAt, textAt, timeAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readFileChanges} from './file-changes.ts'

/** Common names of the tools of OpenCode. */
const TOOLS = defineTools({
  Read: 'read',
  Write: 'write',
  Edit: 'edit multiedit apply_patch patch',
  Bash: 'bash shell',
  Grep: 'grep',
  Glob: 'glob list',
  WebFetch: 'webfetch',
  WebSearch: 'websearch codesearch',
  Task: 'task task_status',
  Todo: 'todowrite todoread',
  Other: 'plan_enter plan_exit',
})

/** Reads a tool, which is printed once, when it ended. */
export function readTool(part: JsonObject): Draft[] {
  const toolId = textAt(part, 'callID')
  const state = objectAt(part, 'state')
  const time = objectAt(state, 'time')
  if (toolId === undefined) return [reportIncomplete('tool part without callID')]
  // An earlier tool, printed again because its output was dropped.
  if ('compacted' in time) return []
  const {input} = state
  const called = textAt(part, 'tool') ?? ''
  const name = called === 'invalid' ? (textAt(input, 'tool') ?? called) : called
  const tool = TOOLS.get(name) ?? (called.includes('_') ? 'Mcp' : 'Other')
  const at = timeAt(time, 'end')
  const {exit} = objectAt(state, 'metadata')
  const exitCode = typeof exit === 'number' ? exit : undefined
  const output = toText(state['output'])
  const error = readFailure(called, state, exit, output)

  const messageId = textAt(part, 'messageID')
  const call = {toolId, name, tool, input, messageId}
  const start: Draft = {type: 'tool-start', ...call, at: timeAt(time, 'start')}
  const end: Draft = {type: 'tool-end', toolId, ok: error === undefined, output, at}
  if (exitCode !== undefined) end.exitCode = exitCode
  if (error === undefined) {
    const plan = tool === 'Todo' ? readTodos(input, at) : []
    return [start, ...readFileChanges(toolId, name, state), ...plan, end]
  }
  end.error = error
  if (!isDenied(name, error)) return [start, end]
  end.denied = true
  return [start, {type: 'permission-denied', toolId, name, input, reason: error, at}, end]
}

/** Whether an error is a denial after which OpenCode stops. */
export function isRejection(error: unknown): error is string {
  return typeof error === 'string' && REJECTIONS.has(error)
}

const REJECTIONS = new Set([
  'The user rejected permission to use this specific tool call.',
  'The user dismissed this question',
])

function readFailure(
  called: string,
  state: JsonObject,
  exit: unknown,
  output: string,
): string | undefined {
  if (state['status'] === 'error') return textAt(state, 'error') ?? output
  // Invalid calls become calls of the tool `invalid`.
  if (called === 'invalid') return textAt(state['input'], 'error') ?? output
  // The exit code of a killed command is null.
  return exit === undefined || exit === 0 ? undefined : output
}

function isDenied(name: string, error: string): boolean {
  if (REJECTIONS.has(error)) return true
  if (/^The user (?:rejected permission|has specified a rule which prevents) /.test(error))
    return true
  const [reason = '', available = ''] = error.split(' Available tools: ')
  if (!reason.startsWith('Model tried to call unavailable tool')) return false
  // A built-in tool is unavailable only when a rule denies all uses.
  return FILE_TOOLS.has(name) ? !/\b(?:edit|write|apply_patch)\b/.test(available) : ALWAYS.has(name)
}

/** The available ones depend on the model. */
const FILE_TOOLS = new Set(['edit', 'write', 'apply_patch'])
const ALWAYS = new Set(['bash', 'read', 'glob', 'grep', 'task', 'webfetch', 'todowrite', 'skill'])
