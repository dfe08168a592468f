import type {Draft} from '../../core/events/adapter.ts'
import {reportPrompt} from '../../core/events/drafts.ts'
import {numberAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {cancelsTurn, readPrompt, timeOf} from './transcript-rows.ts'
import {readMainStatus} from './transcript-status.ts'

/** Reads the turns of the main agent. */
export interface TurnReader {
  read(record: JsonObject): Draft[]
  /** Reads the end of a step. */
  endStep(event: JsonObject, at: number | undefined): void
  /** Keeps the last text, for the end of the turn. */
  addText(text: string): void
  /** The end of a turn that is not recorded. */
  end(): Draft[]
  /** Whether the current turn was cancelled. */
  isCancelled(): boolean
}

/** Creates the reader of the turns of a session. Versions before 2.0 do not record the end of a turn. */
export function createTurnReader(): TurnReader {
  let turnEnd: Draft | undefined
  let text = ''
  let isCancelled = false

  return {
    read,
    endStep(event, at) {
      if (event['finishReason'] === 'end_turn') turnEnd = {type: 'turn-end', ok: true, text, at}
    },
    addText(added) {
      text = added
    },
    end,
    isCancelled: () => isCancelled,
  }

  function read(record: JsonObject): Draft[] {
    const at = timeOf(record)
    switch (record['type']) {
      case 'turn.prompt': {
        const ended = end()
        text = ''
        isCancelled = false
        return [...ended, ...reportPrompt(readPrompt(record))]
      }
      case 'turn.steer':
        return reportPrompt(readPrompt(record))
      case 'turn.cancel':
        if (!cancelsTurn(record)) return []
        isCancelled = true
        turnEnd = {...INTERRUPTION, at}
        return []
      case 'turn.step.interrupted':
        if (record['reason'] !== 'aborted') turnEnd = {...failTurn(record['message']), at}
        return []
      case 'turn.ended':
        turnEnd = undefined
        return [readTurnEnd(record)]
      default:
        return readMainStatus(record)
    }
  }

  function end(): Draft[] {
    const ended = turnEnd
    turnEnd = undefined
    return ended === undefined ? [] : [ended]
  }

  function readTurnEnd(record: JsonObject): Draft {
    const reason = textAt(record, 'reason')
    if (reason === 'cancelled') return {...INTERRUPTION}
    const durationMs = numberAt(record, 'durationMs')
    if (reason === 'completed') return {type: 'turn-end', ok: true, text, durationMs, reason}
    const error = textAt(record['error'], 'message') ?? `the turn is ${reason ?? 'not completed'}`
    return {...failTurn(error), durationMs, reason}
  }

  function failTurn(error: unknown): Draft & {type: 'turn-end'} {
    return {type: 'turn-end', ok: false, text, errors: [toText(error)]}
  }
}

const INTERRUPTION: Draft = {type: 'status', status: 'interrupted', detail: 'interrupted'}
