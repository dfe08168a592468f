import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator} from '../../core/events/deduplicate-text.ts'
import type {StatusKind} from '../../core/events/events.ts'
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
 * Reads what Pi prints. It says that it is done before each new try, so a turn is over when nothing
 * follows but another prompt.
 */
export function createTranslator({openTool}: TranslatorContext): Translator {
  const folder = createTextDeduplicator()
  /** What each open tool has printed so far. */
  const printed = new Map<string, string>()
  let turn: Turn = {}
  let isDone = false
  let isRetrying = false
  let isMakingRoom = false

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
        isMakingRoom = false
        isDone = false
        return drafts
      }
      case 'agent_end':
        isDone = true
        return []
      case 'message_start':
        folder.clear('')
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
        // What did not fit is said again when there is room for it.
        isRetrying = record['reason'] === 'overflow'
        isMakingRoom = isRetrying
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
        isMakingRoom = isRetrying
        return textAt(record, 'errorMessage') === undefined
          ? [{type: 'status', status: 'compacting', phase: 'end', detail: 'compacted'}]
          : tell('warning', record['errorMessage'])
      default:
        return []
    }
  }

  function readUpdate(event: JsonObject): Draft[] {
    const delta = textAt(event, 'delta') ?? ''
    switch (event['type']) {
      case 'text_start':
        folder.startBlock('', 'text')
        return []
      case 'thinking_start':
        folder.startBlock('', 'thinking')
        return []
      case 'text_delta':
        return folder.addDelta('', 'text', delta)
      case 'thinking_delta':
        return folder.addDelta('', 'thinking', delta)
      default:
        return []
    }
  }

  function readMessage(message: JsonObject): Draft[] {
    if (message['role'] !== 'assistant') return readOther(message)
    const about = {messageId: textAt(message, 'responseId')}
    const drafts = objectsAt(message, 'content').flatMap((block): Draft[] => {
      if (block['type'] === 'text') {
        return folder.addFull('', 'text', textAt(block, 'text') ?? '', about)
      }
      if (block['type'] !== 'thinking') return []
      return folder.addFull('', 'thinking', textAt(block, 'thinking') ?? '', about)
    })
    folder.clear('')
    turn = addMessage(turn, message)
    const usage = readUsage(message)
    return usage === undefined ? drafts : [...drafts, usage]
  }

  /** Only what is new: each update repeats what was printed, or the end of it when that is long. */
  function updateTool(record: JsonObject): Draft[] {
    const toolId = textAt(record, 'toolCallId')
    if (toolId === undefined || openTool(toolId) === undefined) return []
    const all = resultText(objectAt(record, 'partialResult'))
    const text = findNew(printed.get(toolId) ?? '', all)
    printed.set(toolId, all)
    return text === '' ? [] : [{type: 'tool-update', toolId, text}]
  }

  /** It may stop without a word when what did not fit cannot be made to fit. */
  function endStream(): Draft[] {
    if (isMakingRoom) isRetrying = false
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

/** Messages that extensions put into the conversation for people to see. */
function readOther(message: JsonObject): Draft[] {
  if (message['role'] !== 'custom' || message['display'] !== true) return []
  const {content} = message
  return tell('notice', typeof content === 'string' ? content : resultText(message))
}

function tell(status: StatusKind, text: unknown): Draft[] {
  const detail = toText(text)
  return detail === '' ? [] : [{type: 'status', status, detail}]
}

/** So much of the end of a text is enough to find it again. */
const TAIL = 1000

function findNew(before: string, all: string): string {
  if (all.startsWith(before)) return all.slice(before.length)
  const tail = before.slice(-TAIL)
  const index = all.lastIndexOf(tail)
  return index === -1 ? all : all.slice(index + tail.length)
}
