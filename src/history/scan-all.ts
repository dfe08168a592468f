import {scanTranscript} from './scan.ts'
import type {ScanJob} from './scan-job.ts'
import {startScanThread, type ScanThread} from './scan-thread.ts'
import {createChange, decodeChanges, toScan, type ChangeBuilder} from './store-records.ts'
import {keyOf, type Transcript} from './transcripts.ts'

/** Options of {@link scanAll}. */
export interface ScanOptions {
  /** A thread that has been started already. It is closed. */
  thread?: ScanThread | undefined
  /** With two, another thread is started if there is much to read. */
  threads?: 1 | 2 | undefined
  onProgress?: ((done: number) => void) | undefined
}

/** With less to read, a second thread would take longer to start than it saves. */
const MIN_BYTES_FOR_THREAD = 16 * 1024 * 1024
/** The main thread reports its progress and lets timers run this often. */
const TURN_MS = 50

/** Scans transcripts, the largest first. Returns the scans in the form that the store keeps. */
export async function scanAll(
  jobs: readonly ScanJob[],
  {threads = 2, thread, onProgress = () => {}}: ScanOptions = {},
): Promise<Uint8Array[]> {
  const sorted = jobs.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const counter = new SharedArrayBuffer(4)
  const taken = new Int32Array(counter)
  const bytes = sorted.reduce((sum, job) => sum + sizeOf(job), 0)
  const needsThread = threads === 2 && bytes >= MIN_BYTES_FOR_THREAD
  const helper = thread ?? (needsThread ? startScanThread() : undefined)
  // If it fails, the scans that it had begun are made here.
  const other = helper?.scan(sorted, counter).catch(() => undefined)
  const change = createChange()
  for (let isMore = true; isMore;) {
    isMore = scanShared(sorted, taken, change, performance.now() + TURN_MS)
    onProgress(Math.min(sorted.length, Atomics.load(taken, 0)))
    await new Promise(setImmediate)
  }
  const own = change.encode()
  const found = await other
  helper?.close()
  if (found !== undefined) return [own, found]
  const {scans} = decodeChanges(own)
  const missing = sorted.filter(({transcript}) => !scans.has(keyOf(transcript)))
  const rest = createChange()
  scanShared(missing, new Int32Array(1), rest)
  return [own, rest.encode()]
}

/** Scans jobs that no thread has taken yet, until a time has come. Returns whether there may be more. */
export function scanShared(
  jobs: readonly ScanJob<Transcript | undefined>[],
  taken: Int32Array,
  change: ChangeBuilder,
  until = Infinity,
): boolean {
  do {
    const job = jobs[Atomics.add(taken, 0, 1)]
    if (job === undefined) return false
    const {transcript, before} = job
    if (transcript === undefined) continue
    const scan = scanTranscript(transcript, before && toScan(before))
    change.add(keyOf(transcript), transcript.stamp, scan)
  } while (performance.now() < until)
  return true
}

function sizeOf({transcript, before}: ScanJob): number {
  return transcript.stats.size - (before?.offset ?? 0)
}
