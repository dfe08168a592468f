import type {Tokens} from '../../core/events/events.ts'
import {addTokens, countTokens} from '../../core/run/ledger.ts'
import type {PendingUsage} from '../../core/events/adapter.ts'
import {isRecord, numberAt, objectAt, type JsonObject} from '../../core/wire/json.ts'
import {readTokens, type Meter} from '../messages-api/translate.ts'
import {estimateCost} from './prices.ts'

/** What a message says of itself, in the order in which that is printed; only kept, until somebody asks. */
interface Metered {
  speaker: string
  id: unknown
  model: unknown
  started: JsonObject | undefined
  said: JsonObject | undefined
  ended: JsonObject | undefined
  /** How many characters it is long. */
  length: number
  /** Somebody has spoken after it, so it was whole. */
  isAnswered: boolean
}

/** So many messages are kept as they came before they are added up. */
const MOST_KEPT = 64

/** Who speaks when it is no sub-agent. */
const MAIN = ''

/** So many sub-agents may speak at once. */
const MOST_SPEAKERS = 256

/** Of so many sub-agents it is known what they used. */
const MOST_SHARES = 1024

/** System prompt and tools of a sub-agent may be in the cache already: about this many tokens. */
const SHARED_PROMPT = 20_000

/** A sub-agent whose messages are not in the stream: what it used since the last result, and its last size. */
interface HiddenUse {
  tokens: Tokens
  size: number
}

/**
 * Watches what was used since the last result. Every line of a message repeats the count that it began with, so nothing
 * is added up by lines; a final count is only streamed.
 */
export function createMeter(): Meter & {
  /** Somebody else than the model has spoken. */
  answered(message: unknown): void
  /** The conversation was summarized, by a request whose message is not in the stream. */
  compacted(size: number): void
  /** A sub-agent reports its size: the tokens of its last request and its answers. */
  progressed(toolId: string, size: number): void
  clear(): void
  pendingUsage(): PendingUsage | undefined
  subAgentUse(): ReadonlyMap<string, PendingUsage>
} {
  /** The message that each speaker is at. */
  const current = new Map<string, Metered>()
  let done: Metered[] = []
  let sum: PendingUsage | undefined
  /** What was used for messages that were cut short: it was paid for, and no result tells it. */
  let cut: PendingUsage | undefined
  /** What each sub-agent used, since the beginning: no result tells it. */
  const shares = new Map<string, PendingUsage>()
  const hidden = new Map<string, HiddenUse>()
  /** Sub-agents with messages in the stream. */
  const heard = new Set<string>()
  let lastMain: Metered | undefined
  let lastModel: unknown

  return {
    said(message, speaker) {
      if (!isRecord(message) || !isRecord(message['usage'])) return
      const metered = messageOf(message, speaker)
      metered.said = message['usage']
      metered.length += lengthOf(message['content'])
    },
    started(message, speaker) {
      if (!isRecord(message) || !isRecord(message['usage'])) return
      messageOf(message, speaker).started = message['usage']
    },
    ended(delta, speaker) {
      const metered = current.get(speaker)
      if (metered !== undefined) metered.ended = objectAt(delta, 'usage')
    },
    answered(message) {
      const main = current.get(MAIN)
      if (main === undefined) return
      const isCut = main.ended === undefined && !main.isAnswered && isInterruption(message)
      if (isCut) {
        cut = add(cut, main)
        sum = add(sum, main)
        current.delete(MAIN)
      }
      main.isAnswered = true
    },
    compacted(size) {
      sum = addUse(sum, lastMain?.model, readAgain(size, cachedContext(lastMain)))
    },
    // A lower bound: a new token costs the price of input at least (cache writes and output cost more), an earlier one the
    // price of a cache read, and requests between two reports are not seen.
    progressed(toolId, size) {
      const {tokens, size: before} = hidden.get(toolId) ?? {tokens: NONE, size: SHARED_PROMPT}
      if (!hidden.has(toolId) && hidden.size >= MOST_SHARES) return
      if (hidden.has(toolId) && size === before) return
      const used = readAgain(size, cachedContext(lastMain) > 0 ? before : 0)
      hidden.set(toolId, {tokens: addTokens(tokens, used), size})
    },
    clear() {
      for (const metered of current.values()) done.push(metered)
      current.clear()
      for (const use of hidden.values()) use.tokens = NONE
      fold()
      sum = cut
    },
    pendingUsage() {
      fold()
      let pendingUsage = [...current.values()].reduce(add, sum)
      for (const [toolId, {tokens}] of hidden) {
        if (!heard.has(toolId)) pendingUsage = addUse(pendingUsage, lastModel, tokens)
      }
      const main = current.get(MAIN)
      if (pendingUsage === undefined || main === undefined) return pendingUsage
      const {input, cacheRead, cacheWrite} = highestOf(main)
      return {...pendingUsage, context: input + cacheRead + cacheWrite}
    },
    subAgentUse() {
      fold()
      const used = new Map(shares)
      for (const metered of current.values()) addShare(used, metered)
      return used
    },
  }

  function messageOf({id, model}: JsonObject, speaker: string): Metered {
    lastModel = model
    if (speaker !== MAIN && heard.size < MOST_SHARES) heard.add(speaker)
    const last = current.get(speaker)
    if (last !== undefined && last.id === id) return last
    if (last !== undefined) keep(last)
    else if (current.size >= MOST_SPEAKERS) dropOldest()
    const metered = {
      speaker,
      id,
      model,
      started: undefined,
      said: undefined,
      ended: undefined,
      length: 0,
      isAnswered: false,
    }
    current.set(speaker, metered)
    if (speaker === MAIN) lastMain = metered
    return metered
  }

  function keep(metered: Metered): void {
    done.push(metered)
    if (done.length >= MOST_KEPT) fold()
  }

  function dropOldest(): void {
    for (const [speaker, metered] of current) {
      current.delete(speaker)
      return keep(metered)
    }
  }

  function fold(): void {
    sum = done.reduce(add, sum)
    for (const metered of done) {
      if (shares.size < MOST_SHARES || shares.has(metered.speaker)) addShare(shares, metered)
    }
    done = []
  }
}

function addShare(shares: Map<string, PendingUsage>, metered: Metered): void {
  const {speaker} = metered
  const share = speaker === MAIN ? undefined : add(shares.get(speaker), metered)
  if (share !== undefined) shares.set(speaker, share)
}

/** What is written in the place of the user when a message was cut short. Of a tool that was, something else is written. */
const INTERRUPTION = '[Request interrupted by user]'

function isInterruption(message: unknown): boolean {
  const {content} = isRecord(message) ? message : {}
  const [first, ...more] = Array.isArray(content) ? (content as unknown[]) : [content]
  return more.length === 0 && (isRecord(first) ? first['text'] : first) === INTERRUPTION
}

function add(sum: PendingUsage | undefined, metered: Metered): PendingUsage | undefined {
  const {model, started, said, ended, length} = metered
  const tokens = highestOf(metered)
  // A message that used nothing was made by the program itself, and leaves nothing open.
  if (countTokens(tokens) === 0) return sum
  // Lines tell of the first token only, unless the end was streamed.
  if (ended === undefined)
    tokens.output = Math.max(tokens.output, Math.round(length / TOKEN_LENGTH))
  const hourWrites = Math.max(readHourWrites(started), readHourWrites(said), readHourWrites(ended))
  return addUse(sum, model, tokens, hourWrites)
}

function addUse(
  sum: PendingUsage | undefined,
  model: unknown,
  tokens: Tokens,
  hourWrites = 0,
): PendingUsage | undefined {
  if (countTokens(tokens) === 0) return sum
  const costUsd = typeof model === 'string' ? estimateCost(model, tokens, hourWrites) : undefined
  if (sum === undefined) return {tokens, costUsd}
  const {costUsd: others} = sum
  // A sum that lacks one of its parts would look like the price of all.
  const isKnown = others !== undefined && costUsd !== undefined
  return {
    tokens: addTokens(sum.tokens, tokens),
    costUsd: isKnown ? others + costUsd : undefined,
  }
}

/** What a request of a size uses when so much of it is in the cache. */
function readAgain(size: number, cached: number): Tokens {
  return {...NONE, cacheRead: Math.min(size, cached), input: Math.max(0, size - cached)}
}

/** How much of the conversation the cache holds after a message. */
function cachedContext(metered: Metered | undefined): number {
  const {input, cacheRead, cacheWrite} = metered === undefined ? NONE : highestOf(metered)
  return cacheRead + cacheWrite === 0 ? 0 : input + cacheRead + cacheWrite
}

function highestOf({started, said, ended}: Metered): Tokens {
  return [started, said, ended].reduce(raise, NONE)
}

/** Characters to a token, roughly. */
const TOKEN_LENGTH = 4

/** What the model had to write, as far as it is quick to see. */
function lengthOf(content: unknown): number {
  if (!Array.isArray(content)) return typeof content === 'string' ? content.length : 0
  let length = 0
  for (const block of content as unknown[]) {
    if (!isRecord(block)) continue
    const {text, thinking, input} = block
    if (typeof text === 'string') length += text.length
    if (typeof thinking === 'string') length += thinking.length
    if (!isRecord(input)) continue
    for (const name in input) {
      const value = input[name]
      if (typeof value === 'string') length += value.length
    }
  }
  return length
}

const NONE: Tokens = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

/** Counts only grow, and some leave out what has not changed. */
function raise(tokens: Tokens, usage: JsonObject | undefined): Tokens {
  const told = readTokens(usage)
  if (told === undefined) return tokens
  const highest: Tokens = {
    input: Math.max(tokens.input, told.input),
    output: Math.max(tokens.output, told.output),
    cacheRead: Math.max(tokens.cacheRead, told.cacheRead),
    cacheWrite: Math.max(tokens.cacheWrite, told.cacheWrite),
  }
  if (tokens.reasoning !== undefined || told.reasoning !== undefined) {
    highest.reasoning = Math.max(tokens.reasoning ?? 0, told.reasoning ?? 0)
  }
  return highest
}

function readHourWrites(usage: JsonObject | undefined): number {
  return numberAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens') ?? 0
}
