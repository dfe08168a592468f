import type {Tokens} from '../../core/events/events.ts'
import {countTokens} from '../../core/run/ledger.ts'
import {isRecord, numberAt, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import type {Position, Row} from './transcript-rows.ts'
import {readTokens} from './usage.ts'

/** The state of counting the requests in a file. Plain data, stored as JSON. */
export interface UsageState {
  /** Whether the file has a running total. */
  hasTotal?: boolean | undefined
  /** Whether the file has a record for each request, so that running totals only repeat them. */
  hasRecords?: boolean | undefined
  /** Whether the model has answered in this file. */
  hasAnswer?: boolean | undefined
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
  if (kind.startsWith('response_item/') && payload['role'] !== 'user') {
    state.hasAnswer ||= payload['role'] !== 'developer'
    return undefined
  }
  if (kind === 'event_msg/agent_message') state.hasAnswer = true
  if (kind === 'token_usage_record') return readRecord(state, payload)
  if (kind !== 'event_msg/token_count' || state.hasRecords === true) return undefined
  return readTotal(state, objectAt(payload, 'info'), totals)
}

/** Whether a request was counted by the running total of a turn. */
export function isCountedByTotal(key: string, turnId: string): boolean {
  return key.startsWith(`${turnId}/`)
}

function readRecord(state: UsageState, payload: JsonObject): RequestUsage | undefined {
  state.hasRecords = true
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
  const isRepeated = totals.has(total)
  const isOfOrigin = state.hasTotal !== true && state.hasAnswer !== true
  totals.add(total)
  state.hasTotal = true
  if (isRepeated || isOfOrigin) return undefined
  const tokens = readTokens(info['last_token_usage'])
  if (countTokens(tokens) === 0) return undefined
  return {key: `${state.turnId ?? state.originId ?? state.threadId}/${total}`, tokens}
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
