import type {Tokens} from '../../core/events/events.ts'
import {addTokens, combineTokens, countTokens, NO_TOKENS} from '../../core/run/ledger.ts'
import type {PendingUsage} from '../../core/events/adapter.ts'
import {isRecord, objectAt, type JsonObject} from '../../core/wire/json.ts'
import {readTokens, type Meter} from '../messages-api/translate.ts'
import {estimateCost, readHourWrites} from './prices.ts'

/** The usage of a message as printed, in order. It is summed up on demand only. */
interface MeteredMessage {
  source: string
  id: unknown
  model: unknown
  started: JsonObject | undefined
  printed: JsonObject | undefined
  ended: JsonObject | undefined
  /** In characters. */
  length: number
  /** Whether a user message follows it, so that it is complete. */
  isAnswered: boolean
}

/** How many complete messages to keep before they are summed up. */
const MAX_QUEUED = 64

/** The source of the main conversation. */
const MAIN = ''

/** Maximum number of concurrent sources. */
const MAX_SOURCES = 256

/** Maximum number of sub-agents with a usage of their own. */
const MAX_SUB_AGENTS = 1024

/** Approximate tokens of the system prompt and tools of a sub-agent, which may be in the cache already. */
const SHARED_PROMPT = 20_000

/** The usage since the last result and the last size of a sub-agent without messages in the stream. */
interface HiddenUsage {
  tokens: Tokens
  size: number
}

/**
 * Estimates the usage since the last result. Every line of a message repeats its first count, so lines are not summed up;
 * a final count is only in streamed messages.
 */
export function createPendingUsage(): Meter & {
  /** A message of the user. */
  addUserMessage(message: unknown): void
  /** The conversation was compacted, by a request whose message is not in the stream. */
  addCompaction(size: number): void
  /** The size of a sub-agent: the tokens of its last request and its response. */
  addSubAgentProgress(toolId: string, size: number): void
  clear(): void
  pendingUsage(): PendingUsage | undefined
  subAgentUsage(): ReadonlyMap<string, PendingUsage>
} {
  /** The current message of each source. */
  const current = new Map<string, MeteredMessage>()
  let queue: MeteredMessage[] = []
  let sum: PendingUsage | undefined
  /** Usage of aborted messages: it was billed, but no result reports it. */
  let aborted: PendingUsage | undefined
  /** Usage of each sub-agent since the beginning; no result reports it. */
  const subAgents = new Map<string, PendingUsage>()
  const hidden = new Map<string, HiddenUsage>()
  /** Sub-agents with messages in the stream. */
  const visible = new Set<string>()
  let lastMain: MeteredMessage | undefined
  let lastModel: unknown

  return {
    addMessage(message, source) {
      if (!isRecord(message) || !isRecord(message['usage'])) return
      const metered = messageOf(message, source)
      metered.printed = message['usage']
      metered.length += lengthOf(message['content'])
    },
    startMessage(message, source) {
      if (!isRecord(message) || !isRecord(message['usage'])) return
      messageOf(message, source).started = message['usage']
    },
    endMessage(delta, source) {
      const message = current.get(source)
      if (message !== undefined) message.ended = objectAt(delta, 'usage')
    },
    addUserMessage(message) {
      const main = current.get(MAIN)
      if (main === undefined) return
      const isAborted = main.ended === undefined && !main.isAnswered && isInterruption(message)
      if (isAborted) {
        aborted = add(aborted, main)
        sum = add(sum, main)
        current.delete(MAIN)
      }
      main.isAnswered = true
    },
    addCompaction(size) {
      sum = addUsage(sum, lastMain?.model, toRequestTokens(size, cachedContext(lastMain)))
    },
    // A lower bound: a new token costs at least as much as input (cache writes and output cost more), an earlier one as much
    // as a cache read, and requests between two reports are missing.
    addSubAgentProgress(toolId, size) {
      const {tokens, size: before} = hidden.get(toolId) ?? {tokens: NO_TOKENS, size: SHARED_PROMPT}
      if (!hidden.has(toolId) && hidden.size >= MAX_SUB_AGENTS) return
      if (hidden.has(toolId) && size === before) return
      const used = toRequestTokens(size, cachedContext(lastMain) > 0 ? before : 0)
      hidden.set(toolId, {tokens: addTokens(tokens, used), size})
    },
    clear() {
      for (const message of current.values()) queue.push(message)
      current.clear()
      for (const use of hidden.values()) use.tokens = NO_TOKENS
      sumUp()
      sum = aborted
    },
    pendingUsage() {
      sumUp()
      let usage = [...current.values()].reduce(add, sum)
      for (const [toolId, {tokens}] of hidden) {
        if (!visible.has(toolId)) usage = addUsage(usage, lastModel, tokens)
      }
      const main = current.get(MAIN)
      if (usage === undefined || main === undefined) return usage
      const {input, cacheRead, cacheWrite} = highestOf(main)
      return {...usage, context: input + cacheRead + cacheWrite}
    },
    subAgentUsage() {
      sumUp()
      const used = new Map(subAgents)
      for (const message of current.values()) addToSubAgent(used, message)
      return used
    },
  }

  function messageOf({id, model}: JsonObject, source: string): MeteredMessage {
    lastModel = model
    if (source !== MAIN && visible.size < MAX_SUB_AGENTS) visible.add(source)
    const last = current.get(source)
    if (last !== undefined && last.id === id) return last
    if (last !== undefined) keep(last)
    else if (current.size >= MAX_SOURCES) dropOldest()
    const message = {
      source,
      id,
      model,
      started: undefined,
      printed: undefined,
      ended: undefined,
      length: 0,
      isAnswered: false,
    }
    current.set(source, message)
    if (source === MAIN) lastMain = message
    return message
  }

  function keep(message: MeteredMessage): void {
    queue.push(message)
    if (queue.length >= MAX_QUEUED) sumUp()
  }

  function dropOldest(): void {
    for (const [source, message] of current) {
      current.delete(source)
      return keep(message)
    }
  }

  function sumUp(): void {
    sum = queue.reduce(add, sum)
    for (const message of queue) {
      if (subAgents.size < MAX_SUB_AGENTS || subAgents.has(message.source))
        addToSubAgent(subAgents, message)
    }
    queue = []
  }
}

function addToSubAgent(subAgents: Map<string, PendingUsage>, message: MeteredMessage): void {
  const {source} = message
  const share = source === MAIN ? undefined : add(subAgents.get(source), message)
  if (share !== undefined) subAgents.set(source, share)
}

/** The user message after an aborted response; after an aborted tool it is another one. */
const INTERRUPTION = '[Request interrupted by user]'

function isInterruption(message: unknown): boolean {
  const {content} = isRecord(message) ? message : {}
  const [first, ...more] = Array.isArray(content) ? (content as unknown[]) : [content]
  return more.length === 0 && (isRecord(first) ? first['text'] : first) === INTERRUPTION
}

function add(sum: PendingUsage | undefined, message: MeteredMessage): PendingUsage | undefined {
  const {model, started, printed, ended, length} = message
  const tokens = highestOf(message)
  // A message without usage is from the program itself.
  if (countTokens(tokens) === 0) return sum
  // Lines count only the first output token, unless the end was streamed.
  if (ended === undefined)
    tokens.output = Math.max(tokens.output, Math.round(length / TOKEN_LENGTH))
  const hourWrites = Math.max(...[started, printed, ended].map(readHourWrites))
  return addUsage(sum, model, tokens, hourWrites)
}

function addUsage(
  sum: PendingUsage | undefined,
  model: unknown,
  tokens: Tokens,
  hourWrites = 0,
): PendingUsage | undefined {
  if (countTokens(tokens) === 0) return sum
  const costUsd = typeof model === 'string' ? estimateCost(model, tokens, hourWrites) : undefined
  if (sum === undefined) return {tokens, costUsd}
  const {costUsd: others} = sum
  // A sum without all of its parts would look like the complete cost.
  const isKnown = others !== undefined && costUsd !== undefined
  return {
    tokens: addTokens(sum.tokens, tokens),
    costUsd: isKnown ? others + costUsd : undefined,
  }
}

/** The usage of a request of a size, with a part of it in the cache. */
function toRequestTokens(size: number, cached: number): Tokens {
  return {...NO_TOKENS, cacheRead: Math.min(size, cached), input: Math.max(0, size - cached)}
}

/** Size of the conversation in the cache after a message. */
function cachedContext(message: MeteredMessage | undefined): number {
  const {input, cacheRead, cacheWrite} = message === undefined ? NO_TOKENS : highestOf(message)
  return cacheRead + cacheWrite === 0 ? 0 : input + cacheRead + cacheWrite
}

function highestOf({started, printed, ended}: MeteredMessage): Tokens {
  return [started, printed, ended].reduce(raise, NO_TOKENS)
}

/** Approximate characters per token. */
const TOKEN_LENGTH = 4

/** Length of the output of the model, as far as it is quick to measure. */
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

/** Takes the higher counts: they only grow, and some records omit unchanged ones. */
function raise(tokens: Tokens, usage: JsonObject | undefined): Tokens {
  const counts = readTokens(usage)
  return counts === undefined ? tokens : combineTokens(tokens, counts, Math.max)
}
