import type {
  AnswerPermissionMessage,
  StopRunMessage,
} from '../../../src/core/protocol/client-message.ts'
import {createStore} from '../ui/create-store.ts'
import type {Connection} from './connection.ts'

/** A command sent to the hub, and its state. */
export type PendingCommand =
  | {status: 'sent'; what: OrderKind; requestId?: string | undefined; at: number}
  | {status: 'failed'; what: OrderKind; requestId?: string | undefined; message: string}

/** The commands that a user can send for a run. */
type OrderKind = 'allow' | 'deny' | 'stop'

/** A successful command is not acknowledged, so no answer for this long means success. */
const SETTLED_MS = 15_000

/** Sends commands over a connection and keeps the state of the last one of each run. */
export function createPendingCommands(
  connection: Pick<Connection, 'send' | 'on'>,
  now: () => number = Date.now,
) {
  const {get, set, subscribe} = createStore<ReadonlyMap<string, PendingCommand>>(new Map())
  const refs = new Map<string, {runId: string; what: OrderKind; requestId?: string | undefined}>()
  let count = 0

  function update(runId: string, order: PendingCommand): void {
    set(new Map(get()).set(runId, order))
  }

  function give(what: OrderKind, message: AnswerPermissionMessage | StopRunMessage): void {
    const {runId} = message
    const requestId = 'requestId' in message ? message.requestId : undefined
    const previous = get().get(runId)
    // A double click sends a command once.
    const isFresh = previous?.status === 'sent' && now() - previous.at < SETTLED_MS
    if (isFresh && previous.what === what && previous.requestId === requestId) return
    const ref = `order-${++count}`
    refs.set(ref, {runId, what, requestId})
    const isSent = connection.send({...message, ref})
    update(
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
    update(runId, {status: 'failed', what, requestId, message: words})
  })

  return {
    get,
    subscribe,
    answer: (answer: Omit<AnswerPermissionMessage, 'type' | 'ref'>) =>
      give(answer.allow ? 'allow' : 'deny', {type: 'answer_permission', ...answer}),
    stop: (runId: string) => give('stop', {type: 'stop_run', runId}),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  'no-such-request': 'Already answered, or no longer needed.',
  'not-reachable': 'Not delivered: the supervisor of this run does not respond.',
  forbidden: 'You have read access only.',
}
