import {setTimeout} from 'node:timers/promises'
import type * as z from 'zod'
import type {commandOutcome, runCommand} from '../protocol/ingest-messages.ts'
import type {LiveBatch, LiveMessage} from '../reader/message-sink.ts'

/** Creates a message from its JSON. */
export function createLive<T extends string>(type: T, seq: number, json: string): LiveMessage<T> {
  return {type, seq, data: Buffer.from(json)}
}

/** The target of a subscription: a run, a work order, or everything. */
export interface Target {
  runId?: string | undefined
  workOrderId?: string | undefined
}

/** A command for the supervisor of a run. */
export type RunCommand = z.infer<typeof runCommand>

/** The outcome of a command. */
export type CommandOutcome = z.infer<typeof commandOutcome>

/** Connects the reader thread and the runners with the clients. */
export type Bus = ReturnType<typeof createBus>

/** The key of a target; a run has the same key with any work order. */
export function keyOf({runId, workOrderId}: Target): string {
  if (runId !== undefined) return `run ${runId}`
  return workOrderId === undefined ? 'all' : `order ${workOrderId}`
}

const COMMAND_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 50

type Listener = (batch: LiveBatch) => void
type Handler = (command: RunCommand) => Promise<CommandOutcome>

/** Creates the bus of a hub. */
export function createBus() {
  const listeners = new Map<string, Set<Listener>>()
  const handlers = new Map<string, Handler>()
  return {
    /** Publishes messages to all subscribers. Published messages can be read from the store. */
    publish(batch: LiveBatch): void {
      const {runId, workOrderId} = batch
      for (const target of [{runId}, {workOrderId}, {}]) {
        for (const listener of listeners.get(keyOf(target)) ?? []) listener(batch)
      }
    },
    /**
     * Receives the messages of a target from now on, in order.
     *
     * @returns A function that ends the subscription.
     */
    subscribe(target: Target, listener: Listener): () => void {
      const key = keyOf(target)
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
      }
    },
    /** Sends a command to the supervisor of a run. */
    async request(runId: string, command: RunCommand): Promise<CommandOutcome> {
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
    /**
     * Receives the commands for a run.
     *
     * @returns A function that ends it.
     */
    serve(runId: string, handler: Handler): () => void {
      handlers.set(runId, handler)
      return () => {
        // Another handler may have replaced it.
        if (handlers.get(runId) === handler) handlers.delete(runId)
      }
    },
  }
}
