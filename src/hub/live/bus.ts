import {setTimeout} from 'node:timers/promises'
import type {UserAnswers} from '../../core/events/question.ts'
import type {RunMessage, RunRemovedMessage} from '../../core/protocol/server-message.ts'

/** A live message, encoded once for all subscribers. */
export interface LiveMessage<T extends string = RunMessage['type']> {
  readonly seq: number
  readonly type: T
  /** Its JSON. */
  readonly data: Buffer
}

/** Messages of one run, in order. */
export interface Batch {
  runId: string
  workOrderId: string
  /** Distinguishes the run from a later one with the same id. */
  marker: string
  messages: readonly LiveMessage[]
  /** Whether the run had ended before it was found: such messages go only to subscribers of that run. */
  isOld?: boolean | undefined
  /** Reports that the run was removed; such a batch contains nothing else. */
  removal?: LiveMessage<RunRemovedMessage['type']> | undefined
}

/** The target of a subscription: a run, a work order, or everything. */
export interface Target {
  runId?: string | undefined
  workOrderId?: string | undefined
}

/** A command for the supervisor of a run. */
export type RunCommand =
  | {type: 'stop'}
  | {
      type: 'answer'
      requestId: string
      allow: boolean
      message?: string | undefined
      rule?: string | undefined
      input?: Record<string, unknown> | undefined
      answers?: UserAnswers | undefined
    }

/** The outcome of a command. */
export type CommandOutcome =
  | {ok: true}
  | {ok: false; code: 'no-such-request' | 'not-reachable' | 'bad-field'; message: string}

/** Connects the reader thread and the runners with the clients. */
export interface Bus {
  /** Publishes messages to all subscribers. Published messages can be read from the store. */
  publish(batch: Batch): void
  /**
   * Receives the messages of a target from now on, in order.
   *
   * @returns A function that ends the subscription.
   */
  subscribe(target: Target, listener: (batch: Batch) => void): () => void
  /** Sends a command to the supervisor of a run. */
  request(runId: string, command: RunCommand): Promise<CommandOutcome>
  /**
   * Receives the commands for a run.
   *
   * @returns A function that ends it.
   */
  serve(runId: string, handler: (command: RunCommand) => Promise<CommandOutcome>): () => void
}

/** The key of a target; a run has the same key with any work order. */
export function keyOf({runId, workOrderId}: Target): string {
  if (runId !== undefined) return `run ${runId}`
  return workOrderId === undefined ? 'all' : `order ${workOrderId}`
}

const COMMAND_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 50

type Listener = (batch: Batch) => void
type Handler = (command: RunCommand) => Promise<CommandOutcome>

/** Creates the bus of a hub. */
export function createBus(): Bus {
  const listeners = new Map<string, Set<Listener>>()
  const handlers = new Map<string, Handler>()
  return {
    publish(batch) {
      const {runId, workOrderId} = batch
      for (const target of [{runId}, {workOrderId}, {}]) {
        for (const listener of listeners.get(keyOf(target)) ?? []) listener(batch)
      }
    },
    subscribe(target, listener) {
      const key = keyOf(target)
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
      }
    },
    async request(runId, command) {
      // The supervisor of a run that just started, or that lost its connection, is about to connect.
      for (
        let waited = 0;
        waited < COMMAND_TIMEOUT_MS && !handlers.has(runId);
        waited += POLL_INTERVAL_MS
      ) {
        await setTimeout(POLL_INTERVAL_MS)
      }
      const handler = handlers.get(runId)
      if (handler !== undefined) return handler(command)
      const message = 'The supervisor of this run is not connected.'
      return {ok: false, code: 'not-reachable', message}
    },
    serve(runId, handler) {
      handlers.set(runId, handler)
      return () => {
        // Another handler may have replaced it.
        if (handlers.get(runId) === handler) handlers.delete(runId)
      }
    },
  }
}
