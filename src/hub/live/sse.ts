import type {ServerResponse} from 'node:http'
import type {SubscribeFilter} from '../../core/protocol/server-message.ts'
import type {ByteBudget} from './byte-budget.ts'
import {SECURITY_HEADERS} from '../http/security-headers.ts'
import {createSubscriber, type Sink, type SubscriberOptions} from './subscriber.ts'
import type {Rights} from '../auth/tokens.ts'

/** Options of the stream. */
export interface StreamOptions extends Omit<SubscriberOptions, 'sink' | 'mayAnswer'> {
  runId: string
  /** The last message the client has seen. */
  since: number
  filter: SubscribeFilter
  /** Bytes that wait for clients that do not read. */
  budget: ByteBudget
  rights: Rights
}

const HEARTBEAT_MS = 15_000
/** A client that has not read this many heartbeats in a row is disconnected. */
const MAX_UNREAD_HEARTBEATS = 3
const END = Buffer.from('\n\n')

/**
 * Sends the messages of a run as server-sent events until the run ends, starting after the last message the client
 * has seen.
 */
export async function sendStream(
  response: ServerResponse,
  {runId, since, filter, store, bus, budget, limitLoading, rights}: StreamOptions,
): Promise<void> {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  const account = budget.open(() => response.destroy())
  const measure = () => account.set(response.writableLength)
  let isOver = false
  let isLastSent = false
  let unreadHeartbeats = 0
  // A page of messages is one write: every write costs memory until the client has read it.
  let pending: Buffer[] = []
  let pendingBytes = 0
  const flush = () => {
    const bytes = Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    response.write(bytes, measure)
    measure()
    if (isLastSent) response.end()
  }
  const sink: Sink = {
    send({data, seq, type}) {
      if (pending.length === 0) queueMicrotask(flush)
      // A client that missed messages reconnects with the number of its last one and gets them, or learns that the run
      // was removed.
      const isLast = type === 'gap' || type === 'run_removed'
      const id = isLast ? '' : `id: ${seq}\n`
      const head = Buffer.from(`${id}event: ${type}\ndata: `)
      pending.push(head, data, END)
      pendingBytes += head.length + data.length + END.length
      if (type === 'run_ended') isOver = true
      // The final state follows directly.
      isLastSent ||= isLast || (isOver && type === 'run_updated')
    },
    get buffered() {
      return response.writableLength + pendingBytes
    },
  }
  const subscriber = createSubscriber({store, bus, sink, limitLoading, mayAnswer: rights.answer})
  const timer = setInterval(() => {
    if (++unreadHeartbeats > MAX_UNREAD_HEARTBEATS) response.destroy()
    else response.write(':\n\n', () => (unreadHeartbeats = 0))
  }, HEARTBEAT_MS).unref()
  response.on('close', () => {
    clearInterval(timer)
    account.close()
    subscriber.close()
  })
  response.on('error', () => {})
  await subscriber.subscribe({runId, since, ...filter})
}
