import type {
  AnswerPermissionMessage,
  StopRunMessage,
} from '../../../src/core/protocol/client-message.ts'
import type {Connection} from './connection.ts'

/** A command sent to the hub, and its state. */
export type PendingCommand =
  | {status: 'sent'; what: OrderKind; requestId?: string | undefined; at: number}
  | {status: 'failed'; what: OrderKind; requestId?: string | undefined; message: string}

/** The commands that a user can send for a run. */
type OrderKind = 'allow' | 'deny' | 'stop'

/** The commands sent for runs. The last command of each run is kept. */
export interface PendingCommands {
  getSnapshot(): ReadonlyMap<string, PendingCommand>
  subscribe(listener: () => void): () => void
  answer(answer: Omit<AnswerPermissionMessage, 'type' | 'ref'>): void
  stop(runId: string): void
  /** Forgets the command of a run: it was seen, or executed. */
  clear(runId: string): void
}

/** A successful command is not acknowledged, so no answer for this long means success. */
const SETTLED_MS = 15_000

/** Sends commands over a connection and keeps their state. */
export function createPendingCommands(
  connection: Pick<Connection, 'send' | 'on'>,
  now: () => number = Date.now,
): PendingCommands {
  const listeners = new Set<() => void>()
  const refs = new Map<string, {runId: string; what: OrderKind; requestId?: string | undefined}>()
  let orders: ReadonlyMap<string, PendingCommand> = new Map()
  let count = 0

  function set(runId: string, order: PendingCommand | undefined): void {
    const next = new Map(orders)
    if (order === undefined) next.delete(runId)
    else next.set(runId, order)
    orders = next
    for (const listener of listeners) listener()
  }

  function give(what: OrderKind, message: AnswerPermissionMessage | StopRunMessage): void {
    const {runId} = message
    const requestId = 'requestId' in message ? message.requestId : undefined
    const previous = orders.get(runId)
    // A double click sends a command once.
    const isFresh = previous?.status === 'sent' && now() - previous.at < SETTLED_MS
    if (isFresh && previous.what === what && previous.requestId === requestId) return
    const ref = `order-${++count}`
    refs.set(ref, {runId, what, requestId})
    const isSent = connection.send({...message, ref})
    set(
      runId,
      isSent
        ? {status: 'sent', what, requestId, at: now()}
        : {status: 'failed', what, requestId, message: 'Not sent: the hub does not respond.'},
    )
  }

  connection.on((message) => {
    if (message.type !== 'error' || message.ref === undefined) return
    const order = refs.get(message.ref)
    if (order === undefined) return
    refs.delete(message.ref)
    const {runId, what, requestId} = order
    const words = REASONS[message.code] ?? message.message
    set(runId, {status: 'failed', what, requestId, message: words})
  })

  return {
    getSnapshot: () => orders,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    answer: (answer) =>
      give(answer.allow ? 'allow' : 'deny', {type: 'answer_permission', ...answer}),
    stop: (runId) => give('stop', {type: 'stop_run', runId}),
    clear: (runId) => orders.has(runId) && set(runId, undefined),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  'no-such-request': 'Already answered, or no longer needed.',
  'not-reachable': 'Not delivered: the supervisor of this run does not respond.',
  forbidden: 'You have read access only.',
}
