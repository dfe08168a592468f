import type {Tokens} from '../../core/events/events.ts'
import {countTokens} from '../../core/run/ledger.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {readTokens, type RequestUsage} from './transcript-rows.ts'

/** Reads the usage of a process from its last row: the only one in versions without a record for each request. */
export interface MetricsReader {
  /** The state to continue with, as JSON. */
  state: MetricsState
  /** The requests of the process that a row ends; needs all rows, also copied ones. */
  read(row: JsonObject): RequestUsage[]
}

interface MetricsState {
  /** The usage in the row of the last shutdown. */
  models: ModelUsage[]
  /** Whether the process that was resumed since then started with that usage; `undefined` if this is unknown. */
  isRestored?: boolean | undefined
}

interface ModelUsage {
  model: string
  requests: number
  tokens: Tokens
}

/** Creates the reader of a session, which continues with the state of an earlier one. */
export function createMetricsReader(before?: unknown): MetricsReader {
  const state = restoreState(before)
  return {state, read}

  function read(row: JsonObject): RequestUsage[] {
    const data = objectAt(row, 'data')
    if (row['type'] === 'session.resume') {
      // The version that added this field, 1.0.66, also added to the usage of the last shutdown. Versions before it
      // started from zero.
      state.isRestored = 'sessionLimits' in data
    }
    if (row['type'] !== 'session.shutdown') return []
    const models = readModels(data)
    const known = findCounted(models)
    state.models = mergeModels(models, known)
    state.isRestored = undefined
    // These versions have a record for each request.
    if ('usageAccountingWatermarks' in data || 'accountingSnapshot' in data) return []
    const id = textAt(row, 'id') ?? textAt(row, 'timestamp')
    return models.flatMap((usage) => {
      const added = subtract(usage, known.get(usage.model))
      return splitUsage(`shutdown ${id} ${usage.model}`, added)
    })
  }

  /** The usage in the row of a shutdown that was counted with the shutdown before it. */
  function findCounted(models: readonly ModelUsage[]): Map<string, ModelUsage> {
    const counted = new Map(state.models.map((usage) => [usage.model, usage]))
    // Without the row of a resume, as in a damaged file, counting too little is better than counting twice.
    const isRestored = state.isRestored ?? hasAll(models, counted)
    return isRestored ? counted : new Map()
  }
}

const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const

/** Whether no count is smaller than before. */
function hasAll(models: readonly ModelUsage[], before: ReadonlyMap<string, ModelUsage>): boolean {
  const now = new Map(models.map((usage) => [usage.model, usage]))
  return [...before.values()].every(({model, requests, tokens}) => {
    const usage = now.get(model)
    if (usage === undefined || usage.requests < requests) return false
    return COUNTS.every((name) => usage.tokens[name] >= tokens[name])
  })
}

function readModels(data: JsonObject): ModelUsage[] {
  return Object.entries(objectAt(data, 'modelMetrics')).map(([model, metrics]) => {
    const requests = numberAt(objectAt(metrics, 'requests'), 'count') ?? 0
    const tokens = readTokens(objectAt(metrics, 'usage'))
    return {model, requests, tokens}
  })
}

/** The usage so far: it cannot have become smaller, except in a damaged row. */
function mergeModels(
  models: readonly ModelUsage[],
  known: ReadonlyMap<string, ModelUsage>,
): ModelUsage[] {
  const merged = new Map(known)
  for (const {model, requests, tokens} of models) {
    const before = known.get(model)
    merged.set(model, {
      model,
      requests: Math.max(requests, before?.requests ?? 0),
      tokens: mapTokens(tokens, (count, name) => Math.max(count, before?.tokens[name] ?? 0)),
    })
  }
  return [...merged.values()]
}

/** Never negative: two processes can use a session at the same time. */
function subtract(usage: ModelUsage, known: ModelUsage | undefined): ModelUsage {
  if (known === undefined) return usage
  return {
    model: usage.model,
    requests: usage.requests - known.requests,
    tokens: mapTokens(usage.tokens, (count, name) =>
      Math.max(0, count - (known.tokens[name] ?? 0)),
    ),
  }
}

/** The requests have equal shares of the tokens: only their number is recorded. */
function splitUsage(key: string, {model, requests, tokens}: ModelUsage): RequestUsage[] {
  if (countTokens(tokens) === 0) return []
  const length = Math.min(Math.max(1, Math.floor(requests)), MAX_REQUESTS)
  return Array.from({length}, (_, index) => ({
    key: index === 0 ? key : `${key} ${index}`,
    model,
    tokens: mapTokens(tokens, (count) => shareOf(count, index, length)),
  }))
}

/** More are a damaged count. */
const MAX_REQUESTS = 10_000

/** The shares add up to the total. */
function shareOf(total: number, index: number, count: number): number {
  return Math.floor((total * (index + 1)) / count) - Math.floor((total * index) / count)
}

function mapTokens(
  {input, output, cacheRead, cacheWrite, reasoning}: Tokens,
  map: (count: number, name: keyof Tokens) => number,
): Tokens {
  return {
    input: map(input, 'input'),
    output: map(output, 'output'),
    cacheRead: map(cacheRead, 'cacheRead'),
    cacheWrite: map(cacheWrite, 'cacheWrite'),
    reasoning: reasoning === undefined ? undefined : map(reasoning, 'reasoning'),
  }
}

function restoreState(before: unknown): MetricsState {
  const isRestored = isRecord(before) ? before['isRestored'] : undefined
  return {
    models: objectsAt(before, 'models').map((usage) => {
      const tokens = objectAt(usage, 'tokens')
      return {
        model: textAt(usage, 'model') ?? '',
        requests: numberAt(usage, 'requests') ?? 0,
        tokens: {
          input: numberAt(tokens, 'input') ?? 0,
          output: numberAt(tokens, 'output') ?? 0,
          cacheRead: numberAt(tokens, 'cacheRead') ?? 0,
          cacheWrite: numberAt(tokens, 'cacheWrite') ?? 0,
          reasoning: numberAt(tokens, 'reasoning'),
        },
      }
    }),
    isRestored: typeof isRestored === 'boolean' ? isRestored : undefined,
  }
}
