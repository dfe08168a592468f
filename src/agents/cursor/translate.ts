import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {defineTools, failTool, readTodos} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  parseText,
  textAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {readSession} from '../messages-api/session.ts'
import {createMessagesTranslator} from '../messages-api/translate.ts'

/** Common names of the tools of Cursor, by the word before `ToolCall`. */
const TOOLS = defineTools({
  Read: 'read',
  Write: 'write',
  Edit: 'edit delete',
  Bash: 'shell',
  Grep: 'grep',
  Glob: 'glob ls',
  WebFetch: 'webFetch',
  WebSearch: 'webSearch',
  Task: 'task',
  Todo: 'updateTodos',
  Mcp: 'mcp',
})

/** Translates the output of Cursor: messages like those of Claude Code, but with records of their own for tools. */
export function createTranslator(context: TranslatorContext): Translator {
  return createMessagesTranslator(context, {
    toolKind: (name) => TOOLS.get(name) ?? 'Other',
    translateOther,
    describeResult: () => ({}),
  })
}

function translateOther(record: JsonObject): Draft[] {
  const {type, subtype} = record
  if (type === 'system' && subtype === 'init') return [readSession(record, 'version')]
  if (type === 'thinking' && subtype === 'delta') {
    const text = textAt(record, 'text') ?? ''
    return text === '' ? [] : [{type: 'thinking-delta', text}]
  }
  if (type !== 'tool_call') return []
  const toolId = textAt(record, 'call_id')
  const call = readCall(objectAt(record, 'tool_call'))
  if (toolId === undefined) return [reportIncomplete('tool_call without call_id')]
  if (call === undefined) return [reportIncomplete('tool_call without a tool')]
  if (subtype !== 'started') return endTool(toolId, call)
  const {name, tool, input} = call
  return [{type: 'tool-start', toolId, name, tool, input}]
}

interface Call {
  name: string
  tool: ToolKind
  input: unknown
  result: JsonObject
}

/** The only field of a call names its tool: `readToolCall`, or `function` for tools without a type. */
function readCall(call: JsonObject): Call | undefined {
  const [key, value] = Object.entries(call)[0] ?? []
  if (key === undefined || !isRecord(value)) return undefined
  const result = objectAt(value, 'result')
  if (key === 'function') {
    const input = parseText(textAt(value, 'arguments') ?? '')
    return {name: textAt(value, 'name') ?? key, tool: 'Other', input, result}
  }
  const name = key.replace(/ToolCall$/, '')
  return {name, tool: TOOLS.get(name) ?? 'Other', input: value['args'], result}
}

/** The only field of a result names its outcome: `success`, or the kind of failure. */
function endTool(toolId: string, call: Call): Draft[] {
  const {name, tool, input} = call
  const [outcome = 'success', value] = Object.entries(call.result)[0] ?? []
  const exitCode = numberAt(value, 'exitCode')
  const ok = outcome === 'success' && (exitCode ?? 0) === 0
  const output = readOutput(value)
  if (ok) {
    const end: Draft = {type: 'tool-end', toolId, ok, output, exitCode}
    const plan = tool === 'Todo' ? readTodos(input) : []
    return [...plan, ...readChange(toolId, call, value), end]
  }
  const message = ['error', 'message', 'reason'].map((field) => textAt(value, field)).find(Boolean)
  const error = message ?? (output || outcome)
  const isDenied = outcome === 'rejected' || outcome === 'permissionDenied'
  const failure = {error, exitCode, denied: isDenied ? true : undefined}
  return failTool({toolId, output}, failure, {name, input})
}

function readOutput(value: unknown): string {
  const texts = ['content', 'stdout', 'stderr', 'output'].map((name) => textAt(value, name))
  const parts = texts.filter((text) => text !== undefined && text !== '')
  return parts.length > 0 ? parts.join('\n') : isRecord(value) ? '' : toText(value)
}

function readChange(toolId: string, {name, tool, input}: Call, value: unknown): Draft[] {
  if (tool !== 'Write' && tool !== 'Edit') return []
  const path = textAt(value, 'path') ?? textAt(input, 'path')
  if (path === undefined) return []
  const action = name === 'delete' ? 'deleted' : tool === 'Write' ? 'created' : 'modified'
  return [{type: 'file-change', path, action, toolId, added: numberAt(value, 'linesCreated')}]
}
