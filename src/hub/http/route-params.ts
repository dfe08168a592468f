import {refuse, type Refusal} from './refusal.ts'
import type {RunRow} from '../index/store.ts'

/** A text that was asked for; an empty one asks for nothing. */
export function readText(params: URLSearchParams, name: string): string | undefined {
  return params.get(name) || undefined
}

/** Which runs are wanted; `null` when that is not known. */
export function readState(text: string | null): 'live' | 'over' | undefined | null {
  if (text === null || text === '') return undefined
  return text === 'live' || text === 'over' ? text : null
}

/** A number of items; `null` when it is none. */
export function readLimit(
  params: URLSearchParams,
  {usual, most}: {usual: number; most: number},
): number | null {
  const text = params.get('limit')
  const limit = text === null ? usual : Number(text)
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, most) : null
}

/** More than there are types of messages. */
const MAX_TYPES = 32

/** Types of messages, each once, separated by commas; `null` when they are none. */
export function readTypes(text: string | null): string[] | undefined | null {
  if (text === null) return undefined
  const types = [...new Set(text.split(','))]
  return types.length <= MAX_TYPES && types.every((type) => /^[a-z_]{1,40}$/.test(type))
    ? types
    : null
}

/** A count, 0 when none is given; `null` when it is none. */
export function readCount(text: string | null): number | null {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** What a list that goes on after this run is asked for with. */
export function cursorOf({startedAt, runId}: RunRow): string {
  return `${startedAt}.${runId}`
}

/** The run that a cursor stands for; `null` when it is no cursor. */
export function readCursor(
  text: string | null,
): {startedAt: number; runId: string} | undefined | null {
  if (text === null) return undefined
  const [, startedAt, runId] = /^(-?\d{1,16})\.(.+)$/.exec(text) ?? []
  return runId === undefined ? null : {startedAt: Number(startedAt), runId}
}

/** What whoever asks in the wrong way is told. */
export function badParams(): Refusal {
  return refuse(400, 'bad-request', 'A parameter of this request is not as it should be.')
}
