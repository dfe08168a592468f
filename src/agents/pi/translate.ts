import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator} from '../../core/events/deduplicate-text.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {readToolEnd, readToolStart, resultText} from './tools.ts'

/**
 * Translates the output of Pi. It prints `agent_end` before each retry, so a turn ends when only another prompt or nothing
 * follows.
 */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const texts = createTextDeduplicator()
  /** The output of each open tool so far. */
  const printed = new Map<string, string>()
  let turn: Turn = {}
  let isDone = false
  let isRetrying = false
  let isCompacting = false

  return {translate, end: endStream}

  function translate(record: JsonObject): Draft[] {
    switch (record['type']) {
      case 'session':
        return [
          {
            type: 'session-start',
            sessionId: textAt(record, 'id') ?? '',
            cwd: textAt(record, 'cwd'),
            at: timeAt(record, 'timestamp'),
          },
        ]
      case 'agent_start': {
        const drafts = isRetrying ? [] : endTurn()
        isRetrying = false
        isCompacting = false
        isDone = false
        return drafts
      }
      case 'agent_end':
        isDone = true
        return []
      case 'message_start':
        texts.clear('')
        return []
      case 'message_update':
        return readUpdate(objectAt(record, 'assistantMessageEvent'))
      case 'message_end':
        return readMessage(objectAt(record, 'message'))
      case 'tool_execution_start':
        return readToolStart(record)
      case 'tool_execution_update':
        return updateTool(record)
      case 'tool_execution_end': {
        const toolId = textAt(record, 'toolCallId')
        if (toolId === undefined) return [reportIncomplete('tool_execution_end without toolCallId')]
        printed.delete(toolId)
        return readToolEnd(toolId, record, openTool(toolId))
      }
      case 'auto_retry_start':
        isRetrying = true
        return [
          {
            type: 'status',
            status: 'api-retry',
            detail: toText(record['errorMessage']),
            attempt: numberAt(record, 'attempt'),
            of: numberAt(record, 'maxAttempts'),
            delayMs: numberAt(record, 'delayMs'),
          },
        ]
      case 'auto_retry_end':
        isRetrying = false
        return []
      case 'compaction_start':
        // After the compaction the request that was too long is sent again.
        isRetrying = record['reason'] === 'overflow'
        isCompacting = isRetrying
        return [
          {
            type: 'status',
            status: 'compacting',
            phase: 'start',
            detail: `compacting: ${toText(record['reason'])}`,
          },
        ]
      case 'compaction_end':
        isRetrying = record['willRetry'] === true
        isCompacting = isRetrying
        return textAt(record, 'errorMessage') === undefined
          ? [{type: 'status', status: 'compacting', phase: 'end', detail: 'compacted'}]
          : reportStatus('warning', record['errorMessage'])
      default:
        return []
    }
  }

  function readUpdate(event: JsonObject): Draft[] {
    const delta = textAt(event, 'delta') ?? ''
    switch (event['type']) {
      case 'text_start':
        texts.startBlock('', 'text')
        return []
      case 'thinking_start':
        texts.startBlock('', 'thinking')
        return []
      case 'text_delta':
        return texts.addDelta('', 'text', delta)
      case 'thinking_delta':
        return texts.addDelta('', 'thinking', delta)
      default:
        return []
    }
  }

  function readMessage(message: JsonObject): Draft[] {
    if (message['role'] !== 'assistant') return readOther(message)
    const context = {messageId: textAt(message, 'responseId')}
    const drafts = objectsAt(message, 'content').flatMap((block): Draft[] => {
      if (block['type'] === 'text') {
        return texts.addFull('', 'text', textAt(block, 'text') ?? '', context)
      }
      if (block['type'] !== 'thinking') return []
      return texts.addFull('', 'thinking', textAt(block, 'thinking') ?? '', context)
    })
    texts.clear('')
    turn = addMessage(turn, message)
    const usage = readUsage(message)
    return usage === undefined ? drafts : [...drafts, usage]
  }

  /** Emits only new output: each update repeats all output, or its end when it is long. */
  function updateTool(record: JsonObject): Draft[] {
    const toolId = textAt(record, 'toolCallId')
    if (toolId === undefined || openTool(toolId) === undefined) return []
    const all = resultText(objectAt(record, 'partialResult'))
    const text = findNew(printed.get(toolId) ?? '', all)
    printed.set(toolId, all)
    return text === '' ? [] : [{type: 'tool-update', toolId, text}]
  }

  /** Pi may stop without a record when the compaction is not enough. */
  function endStream(): Draft[] {
    if (isCompacting) isRetrying = false
    return endTurn()
  }

  function endTurn(): Draft[] {
    if (!isDone || isRetrying || turn.stopReason === undefined) return []
    const {stopReason: reason, text = '', errorMessage, costUsd} = turn
    const ok = reason === 'stop'
    turn = {}
    isDone = false
    const errors = ok ? undefined : [errorMessage ?? `the model stopped: ${reason}`]
    return [{type: 'turn-end', ok, text, errors, costUsd, reason}]
  }
}

/** A turn so far, by its last message. */
interface Turn {
  stopReason?: string | undefined
  errorMessage?: string | undefined
  text?: string | undefined
  costUsd?: number | undefined
}

function addMessage(turn: Turn, message: JsonObject): Turn {
  const cost = numberAt(objectAt(message['usage'], 'cost'), 'total')
  const text = objectsAt(message, 'content')
    .map((block) => (block['type'] === 'text' ? (textAt(block, 'text') ?? '') : ''))
    .join('')
  return {
    stopReason: textAt(message, 'stopReason'),
    errorMessage: textAt(message, 'errorMessage'),
    text: text === '' ? turn.text : text,
    costUsd: cost === undefined ? turn.costUsd : (turn.costUsd ?? 0) + cost,
  }
}

function readUsage(message: JsonObject): Draft | undefined {
  const usage = objectAt(message, 'usage')
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = COUNTS.map((name) =>
    numberAt(usage, name),
  )
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  return {
    type: 'usage',
    tokens: {input, output, cacheRead, cacheWrite},
    costUsd: numberAt(usage['cost'], 'total'),
    model: textAt(message, 'responseModel') ?? textAt(message, 'model'),
  }
}

const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite']

/** Messages of extensions for the user. */
function readOther(message: JsonObject): Draft[] {
  if (message['role'] !== 'custom' || message['display'] !== true) return []
  const {content} = message
  return reportStatus('notice', typeof content === 'string' ? content : resultText(message))
}

/** Characters at the end of a text that identify it in a longer one. */
const TAIL_LENGTH = 1000

function findNew(before: string, all: string): string {
  if (all.startsWith(before)) return all.slice(before.length)
  const tail = before.slice(-TAIL_LENGTH)
  const index = all.lastIndexOf(tail)
  return index === -1 ? all : all.slice(index + tail.length)
}
