import {setFlagsFromString} from 'node:v8'
import {Worker} from 'node:worker_threads'
import type {ScanJob} from './scan-job.ts'
import {encodeScans} from './store-records.ts'
import type {Transcript} from './transcripts.ts'

/** A thread that scans transcripts. */
export interface ScanThread {
  /**
   * Scans jobs until all are taken, by this thread or by another one with the counter.
   *
   * @throws Error if the thread fails.
   */
  scan(jobs: readonly ScanJob[], counter: SharedArrayBuffer): Promise<Uint8Array>
  close(): void
}

/** The jobs of a thread. */
export interface ScanOrder {
  transcripts: PlainTranscript[]
  /** The encoded scans to continue. */
  before: Uint8Array
  counter: SharedArrayBuffer
}

/** A transcript as another thread receives it. */
type PlainTranscript = Omit<Transcript, 'format'> & {agent: string}

/** It keeps little of what it reads: with the default, it would use 40 MB more, and not be faster. */
const MAX_YOUNG_MEGABYTES = 6

/** Starts a thread. */
export function startScanThread(): ScanThread | undefined {
  // Node cannot run the TypeScript of the tests.
  if (import.meta.url.endsWith('.ts')) return undefined
  // Compiling takes time from both cores: without inlining, the first scan takes 13 % less.
  setFlagsFromString('--no-turbo-inlining')
  const worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: MAX_YOUNG_MEGABYTES},
  })
  const result = new Promise<Uint8Array>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the scan thread ended unexpectedly')))
  })
  // Nothing may wait for it yet.
  result.catch(() => {})
  return {
    async scan(jobs, counter) {
      const transcripts = jobs.map(({transcript: {format, ...transcript}}) => ({
        ...transcript,
        agent: format.agent,
      }))
      const before = encodeScans(jobs.flatMap((job) => job.before ?? []))
      const order: ScanOrder = {transcripts, before, counter}
      worker.postMessage(order, [])
      return result
    },
    close: () => void worker.terminate(),
  }
}
