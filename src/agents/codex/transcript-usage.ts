import type {Tokens} from '../../core/events/events.ts'
import {countTokens} from '../../core/run/ledger.ts'
import {isRecord, numberAt, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import type {Position, Row} from './transcript-rows.ts'
import {isCall} from './transcript-tools.ts'
import {readTokens} from './usage.ts'

/** The state of counting the requests in a file. Plain data, stored as JSON. */
export interface UsageState {
  /** The latest running total, which is also the first one when the thread is continued. */
  lastTotal?: string | undefined
  /** The turn that has a record for each request, so that running totals only repeat them. */
  recordTurnId?: string | undefined
  /** The usage in the latest record. */
  recordUsage?: string | undefined
  /** Whether the model has answered in this file. */
  hasAnswer?: boolean | undefined
  /**
   * Whether requests are counted before the rows of their answer, as in 0.34 to 0.60. The first row or request after a
   * prompt decides.
   */
  isCountedFirst?: boolean | undefined
}

/** The usage of a request. */
export interface RequestUsage {
  /** The same for a copy of the row. */
  key: string
  tokens: Tokens
}

/**
 * Reads the usage of a request; `undefined` for rows that have none or repeat it.
 *
 * @param totals - The running totals of the file so far.
 */
export function readUsage(
  state: UsageState & Position,
  row: Row,
  totals: Set<string>,
): RequestUsage | undefined {
  const {kind, payload} = row
  if (isAnswer(row)) {
    state.hasAnswer = true
    state.isCountedFirst ??= false
    return undefined
  }
  switch (kind) {
    case 'event_msg/agent_message':
      state.hasAnswer = true
      return undefined
    case 'event_msg/user_message':
    case 'compacted':
      state.isCountedFirst = undefined
      return undefined
    case 'event_msg/task_started':
    case 'event_msg/turn_started':
    case 'turn_context':
      if (kind !== 'turn_context') state.isCountedFirst = undefined
      // An older version that continues the thread writes no records, and no ids of turns.
      if (textAt(payload, 'turn_id') !== state.recordTurnId) state.recordTurnId = undefined
      return undefined
    case 'token_usage_record':
      return readRecord(state, payload)
    case 'event_msg/token_count':
      return readTotal(state, objectAt(payload, 'info'), totals)
    default:
      return undefined
  }
}

/** Whether a row is a part of an answer. Versions of 2025 write others, such as snapshots, before the first answer. */
function isAnswer({kind, payload}: Row): boolean {
  if (kind === 'response_item/message') return payload['role'] === 'assistant'
  return kind === 'response_item/reasoning' || isCall({kind})
}

/** Whether a request was counted by the running total of a turn. */
export function isCountedByTotal(key: string, turnId: string): boolean {
  return key.startsWith(`${turnId}/`)
}

function readRecord(state: UsageState & Position, payload: JsonObject): RequestUsage | undefined {
  state.recordTurnId = textAt(payload, 'turn_id') ?? state.turnId ?? ''
  state.recordUsage = formatTotal(payload['usage'])
  const tokens = readTokens(payload['usage'])
  if (countTokens(tokens) === 0) return undefined
  const total = formatTotal(payload['thread_token_usage'])
  return {key: textAt(payload, 'response_id') ?? `${textAt(payload, 'turn_id')}/${total}`, tokens}
}

/** Rows repeat the total, and a fork by reference can begin with that of its origin. */
function readTotal(
  state: UsageState & Position,
  info: JsonObject,
  totals: Set<string>,
): RequestUsage | undefined {
  if (!isRecord(info['total_token_usage'])) return undefined
  const total = formatTotal(info['total_token_usage'])
  const isOfOrigin = isFork(state) && state.lastTotal === undefined && state.hasAnswer !== true
  const isRepeated = totals.has(total) || total === state.lastTotal
  const isOfRecord =
    state.recordTurnId !== undefined || formatTotal(info['last_token_usage']) === state.recordUsage
  totals.add(total)
  state.lastTotal = total
  if (isOfOrigin || isRepeated || isOfRecord) return undefined
  const tokens = readTokens(info['last_token_usage'])
  if (countTokens(tokens) === 0) return undefined
  state.isCountedFirst ??= true
  return {key: `${state.turnId ?? state.originId ?? state.threadId}/${total}`, tokens}
}

function isFork({originId, threadId}: Position): boolean {
  return originId !== undefined && originId !== threadId
}

/** The running totals of the requests that were counted by them. */
export function totalsOf(keys: readonly string[]): Set<string> {
  return new Set(keys.flatMap((key) => key.split('/')[1] ?? []))
}

function formatTotal(usage: unknown): string {
  return COUNTS.map((name) => numberAt(usage, name) ?? 0).join('.')
}

const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
] as const
