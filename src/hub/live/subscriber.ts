import type {SubscribeMessage} from '../../core/protocol/client-message.ts'
import {
  isStateMessage,
  isWanted,
  type GapMessage,
  type RunMessage,
  type RunRemovedMessage,
} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {createLive, keyOf, type Bus, type Target} from './bus.ts'
import type {LiveBatch, LiveMessage} from '../reader/message-sink.ts'
import {hideRequestsInUpdate} from '../../replay/hide-requests.ts'
import {encodeStateMessages} from './state-messages.ts'
import type {RunRow, Store} from '../index/store.ts'
import {createSemaphore, type Semaphore} from '../semaphore.ts'

/** Where messages go: a WebSocket, or a streamed response. */
export interface Sink {
  send(
    message: LiveMessage<RunMessage['type'] | GapMessage['type'] | RunRemovedMessage['type']>,
  ): void
  /** How many bytes were sent and not yet read. */
  readonly buffered: number
}

type Subscription = Omit<SubscribeMessage, 'type' | 'ref'>

/** Options of {@link createSubscriber}. */
export interface SubscriberOptions {
  store: Store
  bus: Bus
  sink: Sink
  /** Whether the client may see permission requests: only clients that may answer. */
  mayAnswer: boolean
  /** Loads a page of past messages when the hub has capacity. */
  limitLoading: Semaphore
}

/** One subscription of a client. */
interface ActiveSubscription extends Subscription {
  key: string
  /** The last message of the run that was sent or filtered out. */
  lastSeq: number
  /** The marker of that run, as far as it is known. */
  marker?: string | undefined
  /** Messages received while the history is sent; `undefined` afterwards. */
  replayBuffer: LiveMessage[] | undefined
  end(): void
}

/** How many bytes may wait for a client before it misses messages. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024
/** How many may still wait when it gets the next page of history, or the gap message. */
const MAX_BYTES_BEFORE_PAGE = MAX_BUFFERED_BYTES / 64
const MAX_BYTES_BEFORE_GAP = MAX_BUFFERED_BYTES / 4
const PAGE = {limit: 500, maxBytes: 128 * 1024}
/** The store also has the messages received during a replay, so a small buffer suffices. */
const MAX_REPLAY_MESSAGES = 1000
const POLL_INTERVAL_MS = 50

/** Sends the messages of its subscriptions to one client, each once and in order. */
export function createSubscriber({store, bus, sink, mayAnswer, limitLoading}: SubscriberOptions) {
  // Replays one subscription at a time, so that pages do not add up in the buffer.
  const replayOne = createSemaphore(1)
  const subscriptions = new Map<string, ActiveSubscription>()
  /** Runs with dropped messages. */
  const missed = new Map<string, Omit<GapMessage, 'type' | 'runId'>>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  return {
    get count() {
      return subscriptions.size
    },
    /** Whether there is a subscription to a target. */
    has: (target: Target) => subscriptions.has(keyOf(target)),
    /** Starts a subscription, replacing one to the same target. Resolves when the history has been sent. */
    async subscribe(wanted: Subscription): Promise<void> {
      const {runId, since} = wanted
      const key = keyOf(wanted)
      subscriptions.get(key)?.end()
      // A client that subscribes again gets the messages it missed.
      if (runId !== undefined) missed.delete(runId)
      const subscription: ActiveSubscription = {
        ...wanted,
        key,
        lastSeq: since ?? 0,
        replayBuffer: since === undefined ? undefined : [],
        end: bus.subscribe(wanted, (batch) => receive(subscription, batch)),
      }
      subscriptions.set(key, subscription)
      if (since === undefined || runId === undefined) return
      // History page by page as the client reads it, then the current state, then the buffered messages.
      while (!(await replayOne(() => replayPage(subscription, runId))));
    },
    /** Ends the subscription to a target, if there is one. */
    unsubscribe(target: Target): void {
      const key = keyOf(target)
      subscriptions.get(key)?.end()
      subscriptions.delete(key)
    },
    close(): void {
      isClosed = true
      clearInterval(timer)
      for (const subscription of subscriptions.values()) subscription.end()
      subscriptions.clear()
    },
  }

  /** Sends one page; true when nothing is left to replay. */
  async function replayPage(subscription: ActiveSubscription, runId: string): Promise<boolean> {
    await waitForDrain(subscription)
    if (isCancelled(subscription)) return true
    return limitLoading(async () => {
      if (isCancelled(subscription)) return true
      const {messages, isEnd} = await store.listMessages(runId, {
        since: subscription.lastSeq,
        ...PAGE,
      })
      if (isCancelled(subscription)) return true
      for (const {seq, type, json, thinking = []} of messages) {
        subscription.lastSeq = seq
        if (isVisible(subscription, 'agent_thinking')) {
          for (const thought of thinking) sink.send(createLive('agent_thinking', seq - 1, thought))
        }
        if (isVisible(subscription, type)) sink.send(createLive(type, seq, json))
      }
      const row = isEnd ? await store.getRun(runId) : null
      if (isCancelled(subscription)) return true
      const replayBuffer = subscription.replayBuffer ?? []
      // Published messages are in the store, so there is no gap between this page and the buffer, if all was kept.
      if (isEnd && replayBuffer.length < MAX_REPLAY_MESSAGES) {
        if (row !== null) {
          subscription.marker = markerOf(row)
          sendState(subscription, row)
        }
        subscription.replayBuffer = undefined
        for (const message of replayBuffer) deliver(subscription, message)
        return true
      }
      if (replayBuffer.length >= MAX_REPLAY_MESSAGES) subscription.replayBuffer = []
      return false
    })
  }

  function sendState(subscription: ActiveSubscription, {summary: json, lastSeq}: RunRow): void {
    const summary = JSON.parse(json) as RunSummary
    const seq = Math.min(lastSeq, subscription.lastSeq)
    for (const message of encodeStateMessages(summary, json, seq, Date.now())) {
      const {type} = message
      if (!isVisible(subscription, type)) continue
      sink.send(hideFromViewers(createLive(type, message.seq, message.json)))
    }
  }

  function isCancelled(subscription: ActiveSubscription): boolean {
    return isClosed || subscriptions.get(subscription.key) !== subscription
  }

  async function waitForDrain(subscription: ActiveSubscription): Promise<void> {
    // Most clients read at once; those that do not are polled less often.
    for (let delayMs = 2; !isCancelled(subscription); delayMs *= 2) {
      if (sink.buffered <= MAX_BYTES_BEFORE_PAGE) return
      const pauseMs = Math.min(delayMs, POLL_INTERVAL_MS)
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  function receive(subscription: ActiveSubscription, batch: LiveBatch): void {
    if (subscription.runId === undefined) {
      // Messages of runs that ended earlier go only to subscribers of that run, and only once.
      if (batch.isOld === true || subscriptions.has(keyOf({runId: batch.runId}))) return
      const {workOrderId} = batch
      if (subscription.workOrderId === undefined && subscriptions.has(keyOf({workOrderId}))) return
    }
    if (batch.removal !== undefined) {
      // Dropped and buffered messages belong to the removed run.
      missed.delete(batch.runId)
      if (subscription.replayBuffer !== undefined) subscription.replayBuffer = []
      // A run with the same id starts at 1 again.
      subscription.lastSeq = 0
      // Sent even to a slow client: no later message repeats it.
      return sink.send(batch.removal)
    }
    if (subscription.replayBuffer !== undefined) {
      subscription.replayBuffer.push(...batch.messages)
      // They are read from the store again.
      if (subscription.replayBuffer.length > MAX_REPLAY_MESSAGES)
        subscription.replayBuffer.length = MAX_REPLAY_MESSAGES
      return
    }
    // Another run replaced the one seen before, and starts at 1.
    if (subscription.marker !== undefined && subscription.marker !== batch.marker)
      subscription.lastSeq = 0
    subscription.marker = batch.marker
    if (sink.buffered > MAX_BUFFERED_BYTES || missed.has(batch.runId))
      return recordGap(subscription, batch)
    for (const message of batch.messages) deliver(subscription, message)
  }

  function deliver(subscription: ActiveSubscription, message: LiveMessage): void {
    const {seq, type} = message
    if (!isStateMessage(type) && subscription.runId !== undefined) {
      // Thinking has the number of the message before it.
      if (type === 'agent_thinking' ? seq < subscription.lastSeq : seq <= subscription.lastSeq)
        return
      subscription.lastSeq = seq
    }
    if (isVisible(subscription, type)) sink.send(hideFromViewers(message))
  }

  function hideFromViewers(message: LiveMessage): LiveMessage {
    const {type, seq} = message
    if (mayAnswer || type !== 'run_updated') return message
    return createLive(type, seq, hideRequestsInUpdate(message.data.toString('utf8')))
  }

  function isVisible(subscription: ActiveSubscription, type: RunMessage['type']): boolean {
    return isWanted(type, subscription) && (mayAnswer || type !== 'permission_request')
  }

  /** The client is too slow: it gets a gap message as soon as it reads again. */
  function recordGap(
    subscription: ActiveSubscription,
    {runId, workOrderId, messages}: LiveBatch,
  ): void {
    const history = messages.filter(({type, seq}) => {
      return type !== 'agent_thinking' && !isStateMessage(type) && seq > subscription.lastSeq
    })
    const first = history[0]
    const last = history.at(-1)
    if (first === undefined || last === undefined) return
    if (subscription.runId !== undefined) subscription.lastSeq = last.seq
    const from = missed.get(runId)?.from ?? first.seq
    missed.set(runId, {workOrderId, from, to: last.seq})
    timer ??= setInterval(sendGap, POLL_INTERVAL_MS).unref()
  }

  function sendGap(): void {
    if (sink.buffered > MAX_BYTES_BEFORE_GAP) return
    for (const [runId, range] of missed) {
      const gap: GapMessage = {type: 'gap', runId, ...range}
      sink.send(createLive('gap', gap.to, JSON.stringify(gap)))
    }
    missed.clear()
    clearInterval(timer)
    timer = undefined
  }
}

function markerOf({stamp}: RunRow): string {
  return stamp.slice(0, stamp.indexOf(' '))
}
