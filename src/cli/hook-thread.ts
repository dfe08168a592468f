import type {Worker} from 'node:worker_threads'
import {createThread} from '../hub/create-thread.ts'
import {RunError} from '../recording/run-error.ts'
import type {HookOutcome, HookTask} from '../hooks/worker.ts'

interface Pending {
  resolve(run: {runId: string}): void
  reject(error: Error): void
}

/** Records sessions in a separate thread. */
export interface HookThread {
  recordHook(payload: Uint8Array): Promise<{runId: string}>
  refreshSession(runId: string): Promise<void>
}

/**
 * Creates a thread that records hook payloads and refreshes sessions, started with the first task. It waits for locks
 * and reads complete sessions, which would block the hub.
 */
export function createHookThread(dataDir: string): HookThread {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let lastId = 0

  return {
    recordHook: (payload) => run({id: ++lastId, type: 'record', payload}),
    async refreshSession(runId) {
      await run({id: ++lastId, type: 'refresh', runId})
    },
  }

  function run(task: HookTask): Promise<{runId: string}> {
    return new Promise((resolve, reject) => {
      worker ??= start()
      pending.set(task.id, {resolve, reject})
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
      worker.postMessage(task)
    })
  }

  function start(): Worker {
    const started = createThread('../hooks/worker', import.meta.url, {dataDir})
    started.unref()
    started.on('message', settle)
    // The next task starts a new thread.
    started.on('error', () => {})
    started.on('exit', () => {
      worker = undefined
      for (const {reject} of pending.values()) {
        reject(new RunError('cannot-record', 'the thread that records sessions ended unexpectedly'))
      }
      pending.clear()
    })
    return started
  }

  function settle(outcome: HookOutcome): void {
    const {resolve, reject} = pending.get(outcome.id) ?? {}
    pending.delete(outcome.id)
    if (outcome.type === 'done') resolve?.({runId: outcome.runId})
    else reject?.(new RunError(outcome.code, outcome.message))
  }
}
