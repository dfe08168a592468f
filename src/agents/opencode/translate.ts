import type {Draft, Translator} from '../../core/events/adapter.ts'
import {numberAt, objectAt, textAt, timeAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readTokens} from './tokens.ts'
import {isRejection, readTool} from './tools.ts'

/** Translates the output of OpenCode. */
export function createTranslator(): Translator {
  let sessionId: string | undefined
  let messageId: string | undefined
  /** The parts of the current message: a part is printed again when it changes. */
  let parts = new Set<string>()
  /** The last text, for the end of the turn. */
  let text = ''
  let costUsd: number | undefined
  /** The denial in this step, after which no step follows. */
  let rejection: string | undefined
  /** The end of the turn, if nothing follows. */
  let ending: Ending | undefined

  return {
    translate(record) {
      return [...readSession(record), ...readRecord(record)]
    },
    end: endTurn,
  }

  function readSession(record: JsonObject): Draft[] {
    const id = textAt(record, 'sessionID')
    if (id === undefined || id === sessionId) return []
    sessionId = id
    return [{type: 'session-start', sessionId: id, at: timeAt(record, 'timestamp')}]
  }

  function readRecord(record: JsonObject): Draft[] {
    const at = timeAt(record, 'timestamp')
    if (record['type'] === 'error') return readError(record['error'], at)
    if (record['type'] === 'done') {
      ending ??= {ok: true, reason: textAt(record, 'reason')}
      ending.at = at
      return endTurn()
    }
    const part = objectAt(record, 'part')
    if (isRepeated(part)) return []
    switch (record['type']) {
      case 'step_start':
        ending = undefined
        rejection = undefined
        return []
      case 'step_finish':
        return readStepFinish(part, at)
      case 'text':
        return readText(part, at)
      case 'reasoning':
        return readTextPart('thinking', part, at)
      case 'tool_use': {
        const {error} = objectAt(part, 'state')
        if (isRejection(error)) rejection = error
        return readTool(part)
      }
      default:
        return []
    }
  }

  function isRepeated(part: JsonObject): boolean {
    const id = textAt(part, 'id')
    if (id === undefined) return false
    if (textAt(part, 'messageID') !== messageId) {
      messageId = textAt(part, 'messageID')
      parts = new Set()
    }
    if (parts.has(id)) return true
    parts.add(id)
    return false
  }

  function readText(part: JsonObject, at: number | undefined): Draft[] {
    if (part['synthetic'] !== true) {
      text = textAt(part, 'text') || text
      return readTextPart('text', part, at)
    }
    // Inserted by OpenCode, so that the model continues.
    ending = undefined
    if (objectAt(part, 'metadata')['compaction_continue'] !== true) return []
    return [
      {type: 'status', status: 'compacting', phase: 'end', detail: 'compacted, continuing', at},
    ]
  }

  function readStepFinish(part: JsonObject, at: number | undefined): Draft[] {
    const reason = textAt(part, 'reason')
    if (reason === 'stop') ending = {ok: true, reason, at}
    else if (continuesAfter(reason)) {
      ending = rejection === undefined ? undefined : {ok: false, reason, error: rejection, at}
    } else
      ending ??= {ok: false, reason, error: `the model stopped: ${reason ?? 'no reason given'}`, at}
    const cost = numberAt(part, 'cost')
    if (cost !== undefined) costUsd = addMoney(costUsd ?? 0, cost)
    return [readUsage(part, cost, at)]
  }

  /** OpenCode may recover from an error: only the end of the stream makes it final. */
  function readError(error: unknown, at: number | undefined): Draft[] {
    const {name, detail, status} = describeError(error)
    ending = {ok: false, reason: name, error: detail, at}
    return [{type: 'status', status, detail, at}]
  }

  function endTurn(): Draft[] {
    if (ending === undefined) return []
    const {ok, reason, error, at} = ending
    const errors = error === undefined ? undefined : [error]
    const draft: Draft = {type: 'turn-end', ok, text, errors, costUsd, reason, at}
    ending = undefined
    costUsd = undefined
    return [draft]
  }
}

/** The name and the message of an error, and its status. */
export function describeError(error: unknown): {
  name: string | undefined
  detail: string
  status: 'interrupted' | 'warning'
} {
  const name = textAt(error, 'name')
  const message = textAt(objectAt(error, 'data'), 'message') ?? textAt(error, 'message')
  const status = name === 'MessageAbortedError' ? 'interrupted' : 'warning'
  return {name, detail: message ?? name ?? toText(error), status}
}

interface Ending {
  ok: boolean
  reason: string | undefined
  error?: string
  at?: number | undefined
}

/** Adds amounts without rounding errors of binary fractions. */
function addMoney(sum: number, cost: number): number {
  return Number((sum + cost).toFixed(10))
}

/** Whether another step follows a step that ended for this reason. */
export function continuesAfter(reason: string | undefined): boolean {
  return reason === 'tool-calls' || reason === 'unknown'
}

function readTextPart(
  type: 'text' | 'thinking',
  part: JsonObject,
  at: number | undefined,
): Draft[] {
  const text = textAt(part, 'text') ?? ''
  return text === '' ? [] : [{type, text, messageId: textAt(part, 'messageID'), at}]
}

function readUsage(part: JsonObject, costUsd: number | undefined, at: number | undefined): Draft {
  return {type: 'usage', tokens: readTokens(part), costUsd, at}
}
