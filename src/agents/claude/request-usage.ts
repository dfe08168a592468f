import type {Draft, PendingUsage} from '../../core/events/adapter.ts'
import type {Tokens} from '../../core/events/events.ts'
import {countTokens, NO_TOKENS, subtractTokens} from '../../core/run/ledger.ts'
import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readTokens} from '../messages-api/translate.ts'
import {estimateCost, hasPrice, readHourWrites} from './prices.ts'

/** Counts each request of a transcript once: every row of an answer repeats the usage of its request. */
export interface RequestUsage {
  /** The usage of a row beyond that of earlier rows of its request. */
  read(row: JsonObject): Draft[]
  /** The cost so far, by list prices. */
  estimate(): PendingUsage | undefined
}

/** The usage of one request. */
export interface Request {
  /** Identifies the request among all rows. */
  key: string
  model: string
  tokens: Tokens
  /** By list prices; `undefined` when the price of the model is not known. */
  costUsd: number | undefined
}

/** Rows of a request are close to each other, except for rows that are read again. */
const MAX_REQUESTS = 1024

/** The usage of the request of a row; `undefined` for a row without usage. */
export function readRequest(row: JsonObject): Request | undefined {
  const message = objectAt(row, 'message')
  const tokens = row['type'] === 'assistant' ? readTokens(message['usage']) : undefined
  const model = textAt(message, 'model')
  // Messages of the program itself have no usage.
  if (tokens === undefined || model === undefined || countTokens(tokens) === 0) return undefined
  const key = `${textAt(message, 'id')} ${textAt(row, 'requestId')}`
  const costUsd = hasPrice(model)
    ? estimateCost(model, tokens, readHourWrites(message['usage']))
    : undefined
  return {key, model, tokens, costUsd}
}

/** Creates a counter for one session. */
export function createRequestUsage(): RequestUsage {
  const requests = new Map<string, Request>()
  let costUsd: number | undefined
  let isPriced = true

  return {
    read(row) {
      const request = readRequest(row)
      if (request === undefined) return []
      const {key, model, tokens, costUsd: cost} = request
      const before = requests.get(key)
      // Usage grows while a response is written: the largest is that of the request.
      if (before !== undefined && tokens.output <= before.tokens.output) return []
      requests.set(key, request)
      forgetOldest()
      isPriced &&= cost !== undefined
      if (cost !== undefined) costUsd = (costUsd ?? 0) + cost - (before?.costUsd ?? 0)
      return [{type: 'usage', tokens: subtractTokens(tokens, before?.tokens ?? NO_TOKENS), model}]
    },
    estimate() {
      if (requests.size === 0) return undefined
      // A sum without all of its parts would look like the complete cost.
      return {tokens: NO_TOKENS, costUsd: isPriced ? costUsd : undefined}
    },
  }

  function forgetOldest(): void {
    if (requests.size <= MAX_REQUESTS) return
    for (const oldest of requests.keys()) {
      requests.delete(oldest)
      return
    }
  }
}
