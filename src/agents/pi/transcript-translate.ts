import {reportIncomplete, type Draft, type Translator} from '../../core/events/adapter.ts'
import {reportPrompt, reportStatus} from '../../core/events/drafts.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {firstLine} from '../../core/text/text.ts'
import {numberAt, objectAt, objectsAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readToolEnd, readToolStart} from './tools.ts'
import {
  callsOf,
  endsTurn,
  messageText,
  modelOf,
  readPrompt,
  readRequest,
  timeOf,
} from './transcript-rows.ts'

/** Translates the rows of a session in the order of the file, with all branches of its tree. */
export function createTranslator({openTool, source}: TranscriptContext): Translator {
  const counted = new Set<string>()
  const rowIds = new Set<string>()
  let lastId: string | undefined
  let sessionId: string | undefined
  let model: string | undefined
  /** The end of a turn that failed, which is final only when no other attempt follows. */
  let failure: Draft | undefined
  let attempt = 0

  return {translate, end: endTurn}

  function translate(row: JsonObject): Draft[] {
    const drafts = readRow(row)
    const at = timeOf(row)
    for (const draft of drafts) draft.at ??= at
    return drafts
  }

  function readRow(row: JsonObject): Draft[] {
    if (row['type'] === 'session') return startSession(row)
    const id = textAt(row, 'id')
    // A row that was written twice.
    if (id !== undefined && rowIds.has(id)) return []
    const drafts = [...startSession({}), ...readBranch(row)]
    if (id !== undefined) {
      rowIds.add(id)
      lastId = id
    }
    return [...drafts, ...readEntry(row)]
  }

  function startSession(header: JsonObject): Draft[] {
    if (sessionId !== undefined) return []
    sessionId = textAt(header, 'id') ?? source().file.sessionId ?? ''
    return [{type: 'session-start', sessionId, cwd: textAt(header, 'cwd') || undefined}]
  }

  function readBranch(row: JsonObject): Draft[] {
    const parentId = textAt(row, 'parentId')
    if (parentId === undefined || parentId === lastId || !rowIds.has(parentId)) return []
    return reportStatus('notice', 'continued from an earlier message')
  }

  function readEntry(row: JsonObject): Draft[] {
    switch (row['type']) {
      case 'message':
        return readMessage(row, objectAt(row, 'message'))
      case 'custom_message':
        return readNotice(row)
      case 'model_change':
        return changeModel(textAt(row, 'modelId') ?? textAt(row, 'model'))
      case 'branch_summary':
        return reportDetail('other branch', textAt(row, 'summary'))
      case 'compaction': {
        const size = numberAt(row, 'tokensBefore')
        const detail = size === undefined ? 'compacted' : `compacted, ${size} tokens`
        return [{type: 'status', status: 'compacting', phase: 'end', detail}]
      }
      default:
        return []
    }
  }

  function readMessage(row: JsonObject, message: JsonObject): Draft[] {
    switch (message['role']) {
      case 'user':
        return [...endTurn(), ...reportPrompt(readPrompt(message))]
      case 'assistant':
        return readAnswer(row, message)
      case 'toolResult':
        return readResult(message)
      case 'bashExecution':
        return reportDetail('command', textAt(message, 'command'))
      case 'custom':
      case 'hookMessage':
        return readNotice(message)
      case 'branchSummary':
        return reportDetail('other branch', textAt(message, 'summary'))
      default:
        return []
    }
  }

  function readAnswer(row: JsonObject, message: JsonObject): Draft[] {
    model = modelOf(message) ?? model
    const messageId = textAt(message, 'responseId')
    const texts = objectsAt(message, 'content').flatMap((block) => readText(block, messageId))
    const calls = callsOf(message).flatMap((call) => startTool(call, messageId))
    return [...retry(), ...texts, ...readUsage(row), ...calls, ...readStop(message)]
  }

  /** After a failure, an answer without a prompt before it is another attempt. */
  function retry(): Draft[] {
    if (failure?.type !== 'turn-end') return []
    const {errors, at} = failure
    failure = undefined
    attempt++
    return [{type: 'status', status: 'api-retry', detail: errors?.[0] ?? '', attempt, at}]
  }

  function readUsage(row: JsonObject): Draft[] {
    const request = readRequest(row)
    if (request === undefined || counted.has(request.key)) return []
    counted.add(request.key)
    const {key: _, ...usage} = request
    return [{type: 'usage', ...usage}]
  }

  function readStop(message: JsonObject): Draft[] {
    if (!endsTurn(message)) return []
    const reason = textAt(message, 'stopReason') ?? ''
    const error = textAt(message, 'errorMessage')
    if (reason === 'aborted') return reportStatus('interrupted', error ?? 'interrupted')
    const text = messageText(message)
    const ok = reason === 'stop'
    const errors = ok ? undefined : [error ?? `the model stopped: ${reason}`]
    const end: Draft = {type: 'turn-end', ok, text, errors, reason}
    if (reason !== 'error') {
      attempt = 0
      return [end]
    }
    failure = {...end, at: timeOf({message})}
    return []
  }

  function endTurn(): Draft[] {
    const end = failure
    failure = undefined
    attempt = 0
    return end === undefined ? [] : [end]
  }

  function readResult(message: JsonObject): Draft[] {
    const toolId = textAt(message, 'toolCallId')
    if (toolId === undefined) return [reportIncomplete('toolResult without toolCallId')]
    // The call stays open, so that it is unfinished.
    if (message['isError'] === true && INTERRUPTED.test(messageText(message))) return []
    const {isError} = message
    return readToolEnd(toolId, {isError, result: message}, openTool(toolId))
  }

  function changeModel(next: string | undefined): Draft[] {
    const before = model
    model = next
    if (before === undefined || next === undefined || before === next) return []
    return reportStatus('notice', `model: ${next}`)
  }
}

const INTERRUPTED = /(?:^|\n)(?:Command|Operation) aborted$/

function readText(block: JsonObject, messageId: string | undefined): Draft[] {
  const {type} = block
  if (type !== 'text' && type !== 'thinking') return []
  const text = textAt(block, type) ?? ''
  return text === '' ? [] : [{type, text, messageId}]
}

function startTool(call: JsonObject, messageId: string | undefined): Draft[] {
  const {id, name, arguments: args} = call
  if (typeof id !== 'string') return [reportIncomplete('toolCall without id')]
  const drafts = readToolStart({toolCallId: id, toolName: name, args})
  for (const draft of drafts) if (draft.type === 'tool-start') draft.messageId = messageId
  return drafts
}

/** Messages of extensions for the user. */
function readNotice(message: JsonObject): Draft[] {
  return message['display'] === true ? reportStatus('notice', messageText(message)) : []
}

function reportDetail(name: string, text = ''): Draft[] {
  const line = firstLine(text)
  return line === '' ? [] : reportStatus('notice', `${name}: ${line}`)
}
