import {refuse, type Refusal} from './refusal.ts'
import type {RunRow} from '../index/store.ts'

/** An invalid query parameter or header, answered with 400. */
export class ParameterError extends Error {
  override name = 'ParameterError'
  readonly refusal: Refusal

  constructor(
    name: string,
    expected: string,
    kind: 'query parameter' | 'header' = 'query parameter',
  ) {
    super(`Invalid ${kind} \`${name}\`: expected ${expected}.`)
    this.refusal = refuse(400, 'bad-request', this.message)
  }
}

/** Reads a text; an empty one counts as absent. */
export function readText(params: URLSearchParams, name: string): string | undefined {
  return params.get(name) || undefined
}

/** Reads one of several words; `undefined` if it is absent or empty. */
export function readWord<T extends string>(
  params: URLSearchParams,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = params.get(name)
  if (text === null || text === '') return undefined
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new ParameterError(name, CHOICES.format(words.map((word) => `\`${word}\``)))
}

const CHOICES = new Intl.ListFormat('en', {type: 'disjunction'})

/** Reads `limit`; a larger one is reduced to the maximum. */
export function readLimit(
  params: URLSearchParams,
  {defaultLimit, maxLimit}: {defaultLimit: number; maxLimit: number},
): number {
  const text = params.get('limit')
  const limit = text === null ? defaultLimit : Number(text)
  if (Number.isSafeInteger(limit) && limit > 0) return Math.min(limit, maxLimit)
  throw new ParameterError('limit', `1–${maxLimit}`)
}

/** More than there are message types. */
const MAX_TYPES = 32

/** Reads `types`: types of messages, separated by commas, each once. */
export function readTypes(params: URLSearchParams): string[] | undefined {
  const text = params.get('types')
  if (text === null) return undefined
  const types = [...new Set(text.split(','))]
  if (types.length <= MAX_TYPES && types.every((type) => /^[a-z_]{1,40}$/.test(type))) return types
  throw new ParameterError(
    'types',
    'message types separated by commas, such as `agent_output,run_ended`',
  )
}

/** Reads `since`, 0 if it is absent; the header `Last-Event-ID` takes precedence. */
export function readSince(params: URLSearchParams, lastEventId?: string): number {
  const count = parseCount(lastEventId ?? params.get('since') ?? '0')
  if (count !== undefined) return count
  const expected = 'a whole number of at least 0'
  if (lastEventId !== undefined) throw new ParameterError('Last-Event-ID', expected, 'header')
  throw new ParameterError('since', expected)
}

/** Reads `before` of a search; `undefined` for the first page. */
export function readSearchCursor(params: URLSearchParams): number | undefined {
  const count = parseCount(params.get('before') ?? '0')
  if (count === undefined) throw new ParameterError('before', NEXT)
  return count === 0 ? undefined : count
}

const NEXT = '`next` of the previous page'

function parseCount(text: string): number | undefined {
  const count = Number(text)
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Creates the cursor of a list that continues after a run. */
export function cursorOf({startedAt, runId}: RunRow): string {
  return `${startedAt}.${runId}`
}

/** Reads `before` of a list of runs; `undefined` for the first page. */
export function readCursor(
  params: URLSearchParams,
): {startedAt: number; runId: string} | undefined {
  const text = params.get('before')
  if (text === null) return undefined
  const [, startedAt, runId] = /^(-?\d{1,16})\.(.+)$/.exec(text) ?? []
  if (runId === undefined) throw new ParameterError('before', NEXT)
  return {startedAt: Number(startedAt), runId}
}
