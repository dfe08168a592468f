// The thread of a hub that records payloads of hooks: locks are waited for and sessions are read here, not where the
// sockets are.

import {parentPort, workerData} from 'node:worker_threads'
import {RunError, type RunErrorCode} from '../recording/index.ts'
import {recordHook} from './hook-recording.ts'

/** A payload for the thread to record. */
export interface HookTask {
  id: number
  payload: Uint8Array
}

/** The run that a payload belongs to, or why it was not recorded. */
export type HookOutcome =
  | {id: number; type: 'recorded'; runId: string}
  | {id: number; type: 'failed'; code: RunErrorCode; message: string}

const {dataDir} = workerData as {dataDir: string}

parentPort?.on('message', ({id, payload}: HookTask) => {
  // Not this machine's: a path in it, such as that of the transcript, must not be followed.
  recordHook(payload, {dataDir, host: 'hooks'}).then(
    ({runId}) => publish({id, type: 'recorded', runId}),
    (error: unknown) => {
      const code = error instanceof RunError ? error.code : 'cannot-record'
      publish({id, type: 'failed', code, message: (error as Error).message})
    },
  )
})

function publish(outcome: HookOutcome): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(outcome)
}
