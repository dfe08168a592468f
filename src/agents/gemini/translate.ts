import {
  reportIncomplete,
  type Draft,
  type OpenTool,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {failTool, readTodos} from '../../core/events/drafts.ts'
import type {Tokens} from '../../core/events/events.ts'
import {countLines} from '../../core/text/text.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {readFailure} from './failure.ts'
import {TOOLS, toolKindOf} from './tools.ts'

/** Errors before a result that claims success, although the work is not complete. */
const ABORTED = /^(?:Loop detected, stopping execution|Maximum session turns exceeded)$/

/** Translates the output of Gemini CLI. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  /** The last text, for the end of the turn. */
  let text = ''
  let isInText = false
  /** Some results do not name the error, but the line before does. */
  let lastError: string | undefined
  /** Whether the last line reported that it aborted its work. */
  let isAborted = false

  return {translate}

  function translate(record: JsonObject): Draft[] {
    const at = timeAt(record, 'timestamp')
    if (record['type'] !== 'result') isAborted = false
    if (record['type'] === 'message') return readMessage(record, at)
    isInText = false
    switch (record['type']) {
      case 'init': {
        const sessionId = textAt(record, 'session_id') ?? ''
        return [{type: 'session-start', sessionId, model: textAt(record, 'model'), at}]
      }
      case 'tool_use':
        return startTool(record, at)
      case 'tool_result':
        return endTool(record, at)
      case 'error':
        lastError = toText(record['message'])
        isAborted = ABORTED.test(lastError)
        return [{type: 'status', status: 'warning', detail: lastError, at}]
      case 'result':
        return [...readUsage(objectAt(record, 'stats'), at), readTurnEnd(record, at)]
      default:
        return []
    }
  }

  function readMessage(record: JsonObject, at: number | undefined): Draft[] {
    const content = textAt(record, 'content') ?? ''
    if (record['role'] !== 'assistant' || content === '') return []
    text = isInText ? text + content : content
    isInText = true
    return [{type: record['delta'] === true ? 'text-delta' : 'text', text: content, at}]
  }

  function endTool(record: JsonObject, at: number | undefined): Draft[] {
    const toolId = textAt(record, 'tool_id')
    if (toolId === undefined) return [reportIncomplete('tool_result without tool_id')]
    const tool = openTool(toolId)
    const output = toText(record['output'])
    const failure = readFailure(record, output, tool?.name ?? '', TOOLS.has(tool?.name ?? ''))
    if (failure !== undefined) return failTool({toolId, output, at}, failure, tool)
    return [...readEffects(toolId, tool, at), {type: 'tool-end', toolId, ok: true, output, at}]
  }

  function readTurnEnd(record: JsonObject, at: number | undefined): Draft {
    const subtype = textAt(record, 'status')
    const {error} = record
    const ok = subtype !== 'error' && !isRecord(error) && !isAborted
    const reason = textAt(error, 'message') ?? lastError ?? 'no reason given'
    return {
      type: 'turn-end',
      ok,
      subtype,
      text,
      errors: ok ? undefined : [reason],
      // It is 0 for every failed run.
      durationMs: numberAt(record['stats'], 'duration_ms') || undefined,
      reason: textAt(error, 'type'),
      at,
    }
  }
}

function startTool(record: JsonObject, at: number | undefined): Draft[] {
  const toolId = textAt(record, 'tool_id')
  if (toolId === undefined) return [reportIncomplete('tool_use without tool_id')]
  const name = textAt(record, 'tool_name') ?? ''
  const tool = toolKindOf(name)
  return [{type: 'tool-start', toolId, name, tool, input: record['parameters'], at}]
}

/** Plans and file changes are known from the input only: the result is empty. */
export function readEffects(
  toolId: string,
  tool: Pick<OpenTool, 'name' | 'input'> | undefined,
  at: number | undefined,
): Draft[] {
  const {name, input} = tool ?? {}
  if (name === 'write_todos') return readTodos(input, at)
  const path = textAt(input, 'file_path')
  if (path === undefined) return []
  if (name !== 'write_file' && name !== 'replace') return []
  // An empty old text means a new file.
  if (name === 'replace' && textAt(input, 'old_string') !== '') {
    return [{type: 'file-change', path, action: 'modified', toolId, at}]
  }
  const added = countLines(textAt(input, name === 'replace' ? 'new_string' : 'content') ?? '')
  return [{type: 'file-change', path, action: 'created', toolId, added, at}]
}

function readUsage(stats: JsonObject, at: number | undefined): Draft[] {
  const models = Object.entries(objectAt(stats, 'models')).filter(([, usage]) => isRecord(usage))
  if (models.length > 0) return models.map(([model, usage]) => toUsage(usage, model, at))
  return 'input_tokens' in stats ? [toUsage(stats, undefined, at)] : []
}

function toUsage(usage: unknown, model: string | undefined, at: number | undefined): Draft {
  const cacheRead = numberAt(usage, 'cached') ?? 0
  const prompt = numberAt(usage, 'input_tokens') ?? 0
  const answer = numberAt(usage, 'output_tokens') ?? 0
  const total = numberAt(usage, 'total_tokens') ?? 0
  // Thinking tokens are in the total only.
  const reasoning = Math.max(0, total - prompt - answer)
  const tokens: Tokens = {
    input: numberAt(usage, 'input') ?? Math.max(0, prompt - cacheRead),
    output: answer + reasoning,
    cacheRead,
    cacheWrite: 0,
  }
  if (reasoning > 0) tokens.reasoning = reasoning
  return {type: 'usage', tokens, model, at}
}
