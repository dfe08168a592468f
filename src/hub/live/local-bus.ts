import {setTimeout} from 'node:timers/promises'
import {keyOf, type Batch, type Bus, type CommandOutcome, type RunCommand} from './bus.ts'

const PATIENCE_MS = 3000
const LOOK_MS = 50

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
      // Whoever looks after a run that has just begun, or lost us, is about to come.
      for (let waited = 0; waited < PATIENCE_MS && !handlers.has(runId); waited += LOOK_MS) {
        await setTimeout(LOOK_MS)
      }
      const handler = handlers.get(runId)
      if (handler !== undefined) return handler(command)
      const message = 'The supervisor of this run is not connected.'
      return {ok: false, code: 'not-reachable', message}
    },
    serve(runId, handler) {
      handlers.set(runId, handler)
      return () => {
        // Another may have taken its place since.
        if (handlers.get(runId) === handler) handlers.delete(runId)
      }
    },
  }
}
