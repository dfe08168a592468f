import {
  isStateMessage,
  isWanted,
  type GapMessage,
  type RunMessage,
  type RunRemovedMessage,
  type SubscribeFilter,
} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {keyOf, type Batch, type Bus, type LiveMessage, type Target} from './bus.ts'
import {hideRequestsInUpdate} from '../../replay/hide-requests.ts'
import {createLive} from './live-message.ts'
import {createStateMessages} from './state-messages.ts'
import type {RunRow, Store} from '../index/store.ts'
import {createTurns, type Turns} from '../semaphore.ts'

/** Where messages go: a WebSocket, or a streamed response. */
export interface Sink {
  send(
    message: LiveMessage<RunMessage['type'] | GapMessage['type'] | RunRemovedMessage['type']>,
  ): void
  /** How many bytes were sent and not yet read. */
  readonly buffered: number
}

/** A subscription: its target and the message after which it starts. */
interface Subscription extends Target, SubscribeFilter {
  since?: number | undefined
}

/** Sends the messages of its subscriptions to one client, each once and in order. */
export interface Subscriber {
  readonly count: number
  /** Whether there is a subscription to a target. */
  has(target: Target): boolean
  /** Starts a subscription, replacing one to the same target. Resolves when the history has been sent. */
  subscribe(subscription: Subscription): Promise<void>
  /** Ends the subscription to a target; false when there is none. */
  unsubscribe(target: Target): boolean
  close(): void
}

/** Options of {@link createSubscriber}. */
export interface SubscriberOptions {
  store: Store
  bus: Bus
  sink: Sink
  /** Whether the client may see permission requests: only clients that may answer. */
  mayAnswer: boolean
  /** Loads a page of past messages when the hub has capacity. */
  loadInTurn: Turns
  /**
   * How many bytes may wait for a client before it misses messages.
   *
   * @defaultValue 4 MiB
   */
  maxBuffered?: number | undefined
}

/** One subscription of a client. */
interface Wish extends Subscription {
  key: string
  /** The last message of the run that was sent or filtered out. */
  lastSeq: number
  /** The marker of that run, as far as it is known. */
  marker?: string | undefined
  /** Messages received while the history is sent; `undefined` afterwards. */
  early: LiveMessage[] | undefined
  leave(): void
}

/** A run with dropped messages. */
interface Missed {
  workOrderId: string
  from: number
  to: number
}

const PAGE = {limit: 500, maxBytes: 256 * 1024}
/** The store also has the messages received during a replay, so a small buffer suffices. */
const MAX_BUFFERED = 1000
const POLL_INTERVAL_MS = 50

/** Creates the subscriber of one client. */
export function createSubscriber(options: SubscriberOptions): Subscriber {
  const {store, bus, sink, mayAnswer, loadInTurn, maxBuffered = 4 * 1024 * 1024} = options
  // Replays one subscription at a time, so that pages do not add up in the buffer.
  const inTurn = createTurns(1)
  const wishes = new Map<string, Wish>()
  const missed = new Map<string, Missed>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  return {
    get count() {
      return wishes.size
    },
    has: (target) => wishes.has(keyOf(target)),
    async subscribe(subscription) {
      const key = keyOf(subscription)
      wishes.get(key)?.leave()
      // A client that subscribes again gets the messages it missed.
      if (subscription.runId !== undefined) missed.delete(subscription.runId)
      const isReplay = subscription.since !== undefined
      const wish: Wish = {
        ...subscription,
        key,
        lastSeq: subscription.since ?? 0,
        early: isReplay ? [] : undefined,
        leave: bus.subscribe(subscription, (batch) => receive(wish, batch)),
      }
      wishes.set(key, wish)
      if (isReplay && subscription.runId !== undefined) await replay(wish, subscription.runId)
    },
    unsubscribe(target) {
      const wish = wishes.get(keyOf(target))
      wish?.leave()
      return wish !== undefined && wishes.delete(wish.key)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      for (const wish of wishes.values()) wish.leave()
      wishes.clear()
    },
  }

  /** Sends history page by page as the client reads it, then the current state, then the buffered messages. */
  async function replay(wish: Wish, runId: string): Promise<void> {
    while (!(await inTurn(() => replayPage(wish, runId))));
  }

  /** Sends one page; true when nothing is left to replay. */
  async function replayPage(wish: Wish, runId: string): Promise<boolean> {
    await untilTaken(wish)
    if (isGone(wish)) return true
    return loadInTurn(async () => {
      if (isGone(wish)) return true
      const {messages, isEnd} = await store.listMessages(runId, {since: wish.lastSeq, ...PAGE})
      if (isGone(wish)) return true
      for (const {seq, json, thinking = []} of messages) {
        wish.lastSeq = seq
        if (isMeant(wish, 'agent_thinking')) {
          for (const thought of thinking) sink.send(createLive('agent_thinking', seq - 1, thought))
        }
        const type = typeOf(json)
        if (isMeant(wish, type)) sink.send(createLive(type, seq, json))
      }
      const row = isEnd ? await store.getRun(runId) : null
      if (isGone(wish)) return true
      const early = wish.early ?? []
      // Published messages are in the store, so there is no gap between this page and the buffer, if all was kept.
      if (isEnd && early.length < MAX_BUFFERED) {
        if (row !== null) {
          wish.marker = markerOf(row)
          sendState(wish, row)
        }
        wish.early = undefined
        for (const message of early) give(wish, message)
        return true
      }
      if (early.length >= MAX_BUFFERED) wish.early = []
      return false
    })
  }

  function sendState(wish: Wish, {summary: json, lastSeq}: RunRow): void {
    const summary = JSON.parse(json) as RunSummary
    const seq = Math.min(lastSeq, wish.lastSeq)
    for (const message of createStateMessages(summary, json, seq, Date.now())) {
      if (isMeant(wish, message.type)) sink.send(show(message))
    }
  }

  function isGone(wish: Wish): boolean {
    return isClosed || wishes.get(wish.key) !== wish
  }

  async function untilTaken(wish: Wish): Promise<void> {
    while (sink.buffered > maxBuffered / 16 && !isGone(wish)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS).unref())
    }
  }

  function receive(wish: Wish, batch: Batch): void {
    if (wish.runId === undefined) {
      // Messages of runs that ended earlier go only to subscribers of that run, and only once.
      if (batch.isOld === true || wishes.has(keyOf({runId: batch.runId}))) return
      const {workOrderId} = batch
      if (wish.workOrderId === undefined && wishes.has(keyOf({workOrderId}))) return
    }
    if (batch.removal !== undefined) {
      // Dropped and buffered messages belong to the removed run.
      missed.delete(batch.runId)
      if (wish.early !== undefined) wish.early = []
      // A run with the same id starts at 1 again.
      wish.lastSeq = 0
      // Sent even to a slow client: no later message repeats it.
      return sink.send(batch.removal)
    }
    if (wish.early !== undefined) {
      wish.early.push(...batch.messages)
      // They are read from the store again.
      if (wish.early.length > MAX_BUFFERED) wish.early.length = MAX_BUFFERED
      return
    }
    // Another run replaced the one seen before, and starts at 1.
    if (wish.marker !== undefined && wish.marker !== batch.marker) wish.lastSeq = 0
    wish.marker = batch.marker
    if (sink.buffered > maxBuffered || missed.has(batch.runId)) return miss(wish, batch)
    for (const message of batch.messages) give(wish, message)
  }

  function give(wish: Wish, message: LiveMessage): void {
    const {seq, type} = message
    if (!isStateMessage(type) && wish.runId !== undefined) {
      // Thinking has the number of the message before it.
      if (type === 'agent_thinking' ? seq < wish.lastSeq : seq <= wish.lastSeq) return
      wish.lastSeq = seq
    }
    if (isMeant(wish, type)) sink.send(show(message))
  }

  function show(message: LiveMessage): LiveMessage {
    const {type, seq} = message
    if (mayAnswer || type !== 'run_updated') return message
    return createLive(type, seq, () => hideRequestsInUpdate(message.data.toString('utf8')))
  }

  function isMeant(wish: Wish, type: RunMessage['type']): boolean {
    return isWanted(type, wish) && (mayAnswer || type !== 'permission_request')
  }

  /** The client is too slow: it gets a gap message as soon as it reads again. */
  function miss(wish: Wish, {runId, workOrderId, messages}: Batch): void {
    const history = messages.filter(({type, seq}) => {
      return type !== 'agent_thinking' && !isStateMessage(type) && seq > wish.lastSeq
    })
    const first = history[0]
    const last = history.at(-1)
    if (first === undefined || last === undefined) return
    if (wish.runId !== undefined) wish.lastSeq = last.seq
    const from = missed.get(runId)?.from ?? first.seq
    missed.set(runId, {workOrderId, from, to: last.seq})
    timer ??= setInterval(sendGap, POLL_INTERVAL_MS).unref()
  }

  function sendGap(): void {
    if (sink.buffered > maxBuffered / 4) return
    for (const [runId, {workOrderId, from, to}] of missed) {
      const gap: GapMessage = {type: 'gap', runId, workOrderId, from, to}
      sink.send(createLive('gap', to, () => JSON.stringify(gap)))
    }
    missed.clear()
    clearInterval(timer)
    timer = undefined
  }
}

/** The type is the first field of every message. */
function typeOf(json: string): RunMessage['type'] {
  return json.slice('{"type":"'.length, json.indexOf('"', '{"type":"'.length)) as RunMessage['type']
}

function markerOf({stamp}: RunRow): string {
  return stamp.slice(0, stamp.indexOf(' '))
}
