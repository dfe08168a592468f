import {refuse, type Refusal} from './refusal.ts'
import type {RunRow} from '../index/store.ts'

/** Reads a text parameter; an empty one counts as absent. */
export function readText(params: URLSearchParams, name: string): string | undefined {
  return params.get(name) || undefined
}

/** Reads the state of runs; `null` when it is invalid. */
export function readState(text: string | null): 'live' | 'over' | undefined | null {
  if (text === null || text === '') return undefined
  return text === 'live' || text === 'over' ? text : null
}

/** Reads a limit; `null` when it is invalid. */
export function readLimit(
  params: URLSearchParams,
  {usual, most}: {usual: number; most: number},
): number | null {
  const text = params.get('limit')
  const limit = text === null ? usual : Number(text)
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, most) : null
}

/** More than there are message types. */
const MAX_TYPES = 32

/** Reads message types separated by commas, without duplicates; `null` when they are invalid. */
export function readTypes(text: string | null): string[] | undefined | null {
  if (text === null) return undefined
  const types = [...new Set(text.split(','))]
  return types.length <= MAX_TYPES && types.every((type) => /^[a-z_]{1,40}$/.test(type))
    ? types
    : null
}

/** Reads a count, 0 by default; `null` when it is invalid. */
export function readCount(text: string | null): number | null {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** The cursor for the page after this run. */
export function cursorOf({startedAt, runId}: RunRow): string {
  return `${startedAt}.${runId}`
}

/** The run of a cursor; `null` when it is invalid. */
export function readCursor(
  text: string | null,
): {startedAt: number; runId: string} | undefined | null {
  if (text === null) return undefined
  const [, startedAt, runId] = /^(-?\d{1,16})\.(.+)$/.exec(text) ?? []
  return runId === undefined ? null : {startedAt: Number(startedAt), runId}
}

/** The response to an invalid parameter. */
export function badParams(): Refusal {
  return refuse(400, 'bad-request', 'A parameter of this request is not as it should be.')
}
