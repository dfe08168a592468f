import {setTimeout} from 'node:timers/promises'
import {keyOf, type Batch, type Bus, type CommandOutcome, type RunCommand} from './bus.ts'

const COMMAND_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 50

type Listener = (batch: Batch) => void
type Handler = (command: RunCommand) => Promise<CommandOutcome>

/** A bus within one process. */
export function createLocalBus(): Bus {
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
