import type {Draft} from '../../core/events/adapter.ts'
import {reportPrompt, reportStatus} from '../../core/events/drafts.ts'
import {numberAt, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {errorText, readError} from './errors.ts'
import {promptOf, type Position, type Row} from './transcript-rows.ts'

/** Reads the rows about the main conversation: its turns, and what happened in the session. */
export interface TurnReader {
  /** A row that is not a part of the conversation. */
  read(row: Row, position: Position): Draft[]
  /** A prompt begins a turn. */
  start(row: Row): Draft[]
  /** The model has written a text. */
  addAnswer(text: string): void
  /** The model has called a tool. */
  addCall(): void
  /** The response of the model is counted, in some versions before its calls. */
  endAnswer(isCountedFirst: boolean): void
  /** The end of a turn that has no row of its own. */
  end(): Draft[]
}

/** Creates the reader of a session. */
export function createTurnReader(): TurnReader {
  /** The last text of this turn. */
  let answer = ''
  let model: string | undefined
  /** Whether there are rows for the start and end of turns, which versions of 2025 lack. */
  let hasTurns = false
  /** Whether the model has called a tool since the last response was counted. */
  let hasCalled = false
  /** The end of a turn without a row of its own. */
  let turnEnd: Draft | undefined

  return {
    read,
    start,
    addAnswer(text) {
      answer = text
    },
    addCall() {
      hasCalled = true
      turnEnd = undefined
    },
    endAnswer,
    end,
  }

  function read(row: Row, position: Position): Draft[] {
    const {kind, payload} = row
    switch (kind) {
      case 'turn_context': {
        if (textAt(payload, 'turn_id') === undefined) hasTurns = false
        if (position.model === model) return []
        model = position.model
        return [describeSession(position, payload)]
      }
      case 'event_msg/user_message':
        return start(row)
      case 'event_msg/task_started':
      case 'event_msg/turn_started':
        hasTurns = true
        answer = ''
        return end()
      case 'event_msg/task_complete':
      case 'event_msg/turn_complete':
        return [describeTurnEnd(payload)]
      case 'event_msg/turn_aborted':
        turnEnd = undefined
        if (payload['reason'] === 'review_ended') return []
        return reportStatus('interrupted', toText(payload['reason']) || 'interrupted')
      case 'compacted':
        return [{type: 'status', status: 'compacting', phase: 'end', detail: 'compacted'}]
      case 'event_msg/thread_rolled_back':
        return reportStatus('notice', `rolled back, turns: ${toText(payload['num_turns'])}`)
      case 'event_msg/entered_review_mode':
        return reportStatus('notice', `review: ${toText(payload['user_facing_hint'])}`)
      case 'event_msg/model_reroute': {
        const detail = `model rerouted: ${toText(payload['from_model'])} -> ${toText(payload['to_model'])}`
        return [readError(detail)]
      }
      case 'event_msg/error':
      case 'event_msg/stream_error':
      case 'event_msg/warning':
        return [readError(toText(payload['message']))]
      default:
        return []
    }
  }

  function start(row: Row): Draft[] {
    const prompt = reportPrompt(promptOf(row) ?? '')
    return prompt.length === 0 ? [] : [...end(), ...prompt]
  }

  /** In versions without rows for turns, a turn ends when the model has answered without a call. */
  function endAnswer(isCountedFirst: boolean): void {
    const isInTurn = hasTurns || (hasCalled && !isCountedFirst)
    turnEnd = isInTurn ? undefined : {type: 'turn-end', ok: true, text: answer}
    hasCalled = false
  }

  function end(): Draft[] {
    const ended = turnEnd
    turnEnd = undefined
    return ended === undefined ? [] : [ended]
  }

  function describeTurnEnd(payload: JsonObject): Draft {
    const text = textAt(payload, 'last_agent_message') ?? answer
    const message = textAt(objectAt(payload, 'error'), 'message')
    const durationMs = numberAt(payload, 'duration_ms')
    turnEnd = undefined
    if (message === undefined) return {type: 'turn-end', ok: true, text, durationMs}
    const errors = [errorText(message) || 'no reason given']
    return {type: 'turn-end', ok: false, text, errors, durationMs}
  }
}

/** The session with its current model. */
export function describeSession({threadId = '', model}: Position, payload: JsonObject): Draft {
  return {
    type: 'session-start',
    sessionId: threadId,
    model,
    cwd: textAt(payload, 'cwd'),
    agentVersion: textAt(payload, 'cli_version'),
    permissionMode: textAt(payload, 'approval_policy'),
  }
}
