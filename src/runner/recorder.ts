import {statSync} from 'node:fs'
import {statfs} from 'node:fs/promises'
import {measureRecording} from '../recording/completeness.ts'
import {append, releaseSpace, recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {openTiming, CHUNK_FILES, type ChunkKind, type TimingLog} from '../recording/timing.ts'

/** Writes down what becomes of a run. Never throws: what cannot be written is told, once. */
export interface Bookkeeper {
  readonly record: RunRecord
  /** Why not all could be written. */
  readonly lostReason: string | undefined
  update(changes: Partial<RunRecord>): void
  /** Records when a chunk arrived. */
  time(kind: ChunkKind, end: number): void
  /** Adds to a file of the recording, and notes when. */
  add(kind: ChunkKind, text: string): void
  flush(): void
  /** Sees whether there is room left: what the agent cannot write we do not see. */
  checkDisk(): Promise<void>
  notRecorded(error: unknown): void
  /** Writes the last words, for which room was kept, and how much there is of all. */
  close(changes: Partial<RunRecord>): void
}

/**
 * Makes a bookkeeper for a run.
 *
 * @param isOurs - Whether the run is ours to write down, which may change.
 * @param now - The clock by which the run is watched.
 */
export function createBookkeeper(
  dir: string,
  begun: RunRecord,
  isOurs: () => boolean,
  onLost: (reason: string) => void,
  now: () => number,
): Bookkeeper {
  const files = recordingAt(dir)
  let record = begun
  let lostReason: string | undefined
  let timing = isOurs() ? openTimes() : undefined

  return {
    get record() {
      return record
    },
    get lostReason() {
      return lostReason
    },
    update,
    time,
    add(kind, text) {
      const path = files[CHUNK_FILES[kind]]
      attempt(() => {
        append(path, text)
        time(kind, statSync(path).size)
      })
    },
    flush: () => timing?.flush(),
    async checkDisk() {
      if (isOurs() && (await isDiskFull(dir))) notRecorded({code: 'ENOSPC'})
    },
    notRecorded,
    close(changes) {
      if (!isOurs()) return
      attempt(() => releaseSpace(dir))
      timing?.close()
      update({...changes, sizes: measureRecording(dir)})
    },
  }

  function time(kind: ChunkKind, end: number): void {
    if (!isOurs()) return
    timing ??= openTimes()
    timing.add(kind, end)
  }

  function openTimes(): TimingLog {
    return openTiming(files.timing, notRecorded, now)
  }

  function update(changes: Partial<RunRecord>): void {
    record = {...record, ...changes}
    attempt(() => writeRunRecord(dir, record))
  }

  function attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      notRecorded(error)
    }
  }

  function notRecorded(error: unknown): void {
    if (lostReason !== undefined) return
    const {code, message} = error as NodeJS.ErrnoException
    lostReason = code === 'ENOSPC' ? 'the disk was full' : message
    onLost(lostReason)
  }
}

async function isDiskFull(dir: string): Promise<boolean> {
  try {
    const {blocks, bfree, bavail} = await statfs(dir)
    // A part may be kept for root; and some file systems tell nothing.
    return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) === 0
  } catch {
    return false
  }
}
