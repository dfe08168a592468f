// Worker thread of the hub for hook payloads: waiting for locks and reading sessions must not block its sockets.

import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'
import {RunError, type RunErrorCode} from '../recording/run-error.ts'
import {recordHook} from './record-hook.ts'
import {refreshSession} from './refresh.ts'

/** A payload to record, or a session to refresh. */
export type HookTask =
  | {id: number; type: 'record'; payload: Uint8Array}
  | {id: number; type: 'refresh'; runId: string}

/** The run of a task, or why the task failed. */
export type HookOutcome =
  | {id: number; type: 'done'; runId: string}
  | {id: number; type: 'failed'; code: RunErrorCode; message: string}

const {dataDir} = workerData as {dataDir: string}

parentPort?.on('message', (task: HookTask) => {
  const {id} = task
  perform(task).then(
    (runId) => publish({id, type: 'done', runId}),
    (error: unknown) => {
      const code = error instanceof RunError ? error.code : 'cannot-record'
      publish({id, type: 'failed', code, message: (error as Error).message})
    },
  )
})

async function perform(task: HookTask): Promise<string> {
  if (task.type === 'refresh') {
    await refreshSession(join(dataDir, 'runs', task.runId))
    return task.runId
  }
  // The payload may come from another machine: its paths, such as the transcript, must not be read.
  const {runId} = await recordHook(task.payload, {dataDir, host: 'hooks'})
  return runId
}

function publish(outcome: HookOutcome): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no target origin.
  parentPort?.postMessage(outcome)
}
