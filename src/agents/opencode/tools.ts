import {reportIncomplete, type Draft} from '../../core/events/adapter.ts'
import type {ToolKind} from '../../core/events/events.ts'
import {readPlan} from '../../core/events/plan.ts'
import {isRecord, objectAt, textAt, timeAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readFileChanges} from './file-changes.ts'

/** Our words for OpenCode's tools. */
const TOOLS = new Map<string, ToolKind>([
  ['read', 'Read'],
  ['write', 'Write'],
  ['edit', 'Edit'],
  ['multiedit', 'Edit'],
  ['apply_patch', 'Edit'],
  ['patch', 'Edit'],
  ['bash', 'Bash'],
  ['shell', 'Bash'],
  ['grep', 'Grep'],
  ['glob', 'Glob'],
  ['list', 'Glob'],
  ['webfetch', 'WebFetch'],
  ['websearch', 'WebSearch'],
  ['codesearch', 'WebSearch'],
  ['task', 'Task'],
  ['task_status', 'Task'],
  ['todowrite', 'Todo'],
  ['todoread', 'Todo'],
  ['plan_enter', 'Other'],
  ['plan_exit', 'Other'],
])

/** A tool of OpenCode's, which is printed once and only when it is done. */
export function readTool(part: JsonObject): Draft[] {
  const toolId = textAt(part, 'callID')
  const state = objectAt(part, 'state')
  const time = objectAt(state, 'time')
  if (toolId === undefined) return [reportIncomplete('tool part without callID')]
  // A tool of long ago whose output was just thrown away.
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
    return [start, ...readFileChanges(toolId, name, state), ...readTodos(tool, input, at), end]
  }
  end.error = error
  if (!isRefused(name, error)) return [start, end]
  end.denied = true
  return [start, {type: 'permission-denied', toolId, name, input, reason: error, at}, end]
}

/** Tells the error after which OpenCode stops: somebody, or nobody being there, said no. */
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
  // Calls that cannot be made are turned into calls of a tool that says so.
  if (called === 'invalid') return textAt(state['input'], 'error') ?? output
  // A command that was killed has null for an exit code.
  return exit === undefined || exit === 0 ? undefined : output
}

function isRefused(name: string, error: string): boolean {
  if (REJECTIONS.has(error)) return true
  if (/^The user (?:rejected permission|has specified a rule which prevents) /.test(error))
    return true
  const [reason = '', available = ''] = error.split(' Available tools: ')
  if (!reason.startsWith('Model tried to call unavailable tool')) return false
  // What it always has is missing only when a rule denies all use of it.
  return FILE_TOOLS.has(name) ? !/\b(?:edit|write|apply_patch)\b/.test(available) : ALWAYS.has(name)
}

/** Which of these there are depends on the model. */
const FILE_TOOLS = new Set(['edit', 'write', 'apply_patch'])
const ALWAYS = new Set(['bash', 'read', 'glob', 'grep', 'task', 'webfetch', 'todowrite', 'skill'])

function readTodos(tool: ToolKind, input: unknown, at: number | undefined): Draft[] {
  const items = tool === 'Todo' && isRecord(input) ? readPlan(input['todos']) : undefined
  return items === undefined ? [] : [{type: 'plan', items, at}]
}
