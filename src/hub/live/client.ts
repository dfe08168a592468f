import type {Writable} from 'node:stream'
import type {WebSocket} from 'ws'
import type {
  AnswerPermissionMessage,
  ClientMessage,
  SubscribeMessage,
  UnsubscribeMessage,
  WatchRunMessage,
} from '../../core/protocol/client-message.ts'
import {
  defaultFilter,
  type ErrorMessage,
  type ServerMessage,
} from '../../core/protocol/server-message.ts'
import {parseClientMessage} from '../protocol/client-messages.ts'
import {parseRule} from '../../permissions/rules.ts'
import type {RunCommand} from './bus.ts'
import {createRateLimit, describeRateLimit} from '../auth/rate-limit.ts'
import type {RunRow} from '../index/store.ts'
import {createSubscriber, type Sink, type SubscriberOptions} from './subscriber.ts'
import type {Rights} from '../auth/tokens.ts'
import {createClientViews} from './client-views.ts'

/** Options of {@link serveClient}. */
export interface ClientOptions extends Omit<SubscriberOptions, 'sink' | 'mayAnswer'> {
  rights: Rights
  /** The stream under the socket, corked so that messages sent together are flushed together. */
  wire: Writable
  /** Counts the bytes that wait for the client; called after writing and after flushing. */
  measure(): void
  /** Counts sent messages. */
  onSent?: ((bytes: number, type: string) => void) | undefined
}

/** JSON is sent as text, though it is encoded. */
const AS_TEXT = {binary: false}
const MAX_SUBSCRIPTIONS = 1000
const MESSAGE_RATE = {perSecond: 50, burst: 500}
/** A client that ignores this many rate limit errors is disconnected. */
const MAX_REJECTED = 1000

/** Serves one client: receives its messages and sends its subscriptions. */
export function serveClient(socket: WebSocket, options: ClientOptions): void {
  const {store, bus, rights, wire, measure, limitLoading, onSent} = options
  const rate = createRateLimit({...MESSAGE_RATE, maxKeys: 1})
  let refusedCount = 0
  let isCorked = false
  const sink: Sink = {
    send({data, type}) {
      if (socket.readyState !== socket.OPEN) return
      const isFirst = !isCorked
      if (isFirst) {
        isCorked = true
        wire.cork()
        setImmediate(uncork)
      }
      // Writes while corked are flushed together, so one callback is enough.
      socket.send(data, AS_TEXT, isFirst ? measure : undefined)
      onSent?.(data.length, type)
    },
    get buffered() {
      return socket.bufferedAmount
    },
  }
  const subscriber = createSubscriber({store, bus, sink, limitLoading, mayAnswer: rights.answer})
  const watches = createClientViews({
    store,
    mayAnswer: rights.answer,
    send(message, onSentOut) {
      socket.send(message, AS_TEXT, () => {
        measure()
        onSentOut()
      })
      measure()
      onSent?.(message.length, 'run_items')
    },
  })
  socket.on('close', () => {
    subscriber.close()
    watches.close()
  })
  // `ws` reports a protocol violation to the client and closes the connection.
  socket.on('error', () => {})
  socket.on('message', (data, isBinary) => {
    const waitMs = rate.take('')
    if (waitMs > 0) return refuse(waitMs)
    // Some messages are always within the limit, so the count is not reset by them.
    refusedCount = Math.max(0, refusedCount - 1)
    if (isBinary) return fail('binary', 'Binary message rejected: send JSON as text.')
    // A buffer: other types are opt-in.
    const outcome = parseClientMessage(String(data))
    if (outcome.ok) receive(outcome.message).catch(lose)
    else send({type: 'error', ...outcome.error})
  })

  /** The index could not be read: the client can reconnect and resume. */
  function lose(): void {
    socket.close(1011, 'cannot read the index')
  }

  function uncork(): void {
    isCorked = false
    wire.uncork()
    measure()
  }

  function refuse(waitMs: number): void {
    if (++refusedCount > MAX_REJECTED) socket.close(1008, 'too many messages')
    else fail('rate-limited', describeRateLimit(waitMs))
  }

  async function receive(message: ClientMessage): Promise<void> {
    const {ref} = message
    switch (message.type) {
      case 'ping':
        return send({type: 'pong', timestamp: new Date().toISOString(), ref})
      case 'subscribe':
        return subscribe(message)
      case 'unsubscribe':
        return unsubscribe(message)
      case 'answer_permission': {
        const flaw = findFlaw(message)
        if (flaw !== undefined) return fail('bad-field', flaw.message, ref, flaw.field)
        const {requestId, allow, rule, input, answers} = message
        const answer = {requestId, allow, message: message.message, rule, input, answers}
        return command(message, {type: 'answer', ...answer})
      }
      case 'stop_run':
        return command(message, {type: 'stop'})
      case 'watch_run':
        return watch(message)
      case 'unwatch_run':
        return watches.end(message.runId)
      default:
        message satisfies never
    }
  }

  function subscribe({type: _type, ref, ...subscription}: SubscribeMessage): void {
    if (subscriber.count >= MAX_SUBSCRIPTIONS && !subscriber.has(subscription)) {
      const message = `Too many subscriptions: at most ${MAX_SUBSCRIPTIONS} on one connection.`
      return fail('too-many', message, ref)
    }
    // A parsed message has no undefined fields, which would replace the defaults.
    const filled = {...defaultFilter, ...subscription} as typeof subscription & typeof defaultFilter
    send({type: 'subscribed', ...filled, ref})
    subscriber.subscribe(subscription).catch(lose)
  }

  function unsubscribe({ref, runId, workOrderId}: UnsubscribeMessage): void {
    subscriber.unsubscribe({runId, workOrderId})
    send({type: 'unsubscribed', runId, workOrderId, ref})
  }

  async function watch({runId, since, ref}: WatchRunMessage): Promise<void> {
    if ((await findRun(runId, ref)) === null) return
    if (watches.isFull) {
      const message = 'Too many watched runs on one connection. Send unwatch_run first.'
      return fail('too-many', message, ref)
    }
    watches.begin(runId, since ?? 0, (error) => {
      if (error === undefined) fail('no-such-run', `Run ${runId} was removed.`, ref)
      else fail('not-reachable', `Cannot read the recording of run ${runId}.`, ref)
    })
  }

  async function command(
    {runId, ref}: {runId: string; ref?: string | undefined},
    given: RunCommand,
  ) {
    if (!rights.answer) {
      return fail('forbidden', 'This message needs a token with the right `answer`.', ref)
    }
    const row = await findRun(runId, ref)
    if (row === null) return
    if (row.isOver) return fail('not-reachable', `Run ${runId} has ended.`, ref)
    const outcome = await bus.request(runId, given)
    if (!outcome.ok) fail(outcome.code, outcome.message, ref)
  }

  /** Finds the run of a message; reports an error if there is none. */
  async function findRun(runId: string, ref: string | undefined): Promise<RunRow | null> {
    const row = await store.getRun(runId)
    if (row === null) fail('no-such-run', `Run ${runId} does not exist.`, ref)
    return row
  }

  function fail(code: ErrorMessage['code'], message: string, ref?: string, field?: string): void {
    send({type: 'error', code, message, field, ref})
  }

  function send(message: ServerMessage): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
}

/** Rejects an invalid answer before it reaches the supervisor. */
function findFlaw({allow, ...message}: AnswerPermissionMessage) {
  const {rule, input} = message
  const field = (['rule', 'input', 'answers'] as const).find((name) => message[name] !== undefined)
  if (!allow && field !== undefined)
    return {field, message: `\`${field}\` is only valid with \`allow: true\`.`}
  try {
    // JSON can be parsed at any depth, but not stringified at any depth.
    JSON.stringify(input)
  } catch {
    return {field: 'input', message: '`input` is nested too deeply.'}
  }
  try {
    if (rule !== undefined) parseRule(rule)
  } catch (error) {
    return {field: 'rule', message: (error as Error).message}
  }
  return undefined
}
