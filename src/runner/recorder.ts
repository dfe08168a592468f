import {statSync} from 'node:fs'
import {statfs} from 'node:fs/promises'
import {measureRecording} from '../recording/completeness.ts'
import {append, releaseSpace, recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {openTiming, CHUNK_FILES, type ChunkKind, type TimingLog} from '../recording/timing.ts'

/** Writes the files of a run. Never throws: the first failure is reported once. */
export interface Recorder {
  readonly record: RunRecord
  /** Why the recording is incomplete. */
  readonly lostReason: string | undefined
  update(changes: Partial<RunRecord>): void
  /** Records when a chunk arrived. */
  recordTime(kind: ChunkKind, end: number): void
  /** Appends to a file of the recording, with the time. */
  append(kind: ChunkKind, text: string): void
  flush(): void
  /** Checks for free space: a failed write of the agent itself is not visible to us. */
  checkDisk(): Promise<void>
  reportFailure(error: unknown): void
  /** Writes the final record, into the space reserved for it, with the sizes of all files. */
  close(changes: Partial<RunRecord>): void
}

/**
 * Creates the recorder of a run.
 *
 * @param isOwner - Whether this process records the run; a takeover changes it.
 * @param now - The clock of the run.
 */
export function createRecorder(
  dir: string,
  initialRecord: RunRecord,
  isOwner: () => boolean,
  onLost: (reason: string) => void,
  now: () => number,
): Recorder {
  const files = recordingAt(dir)
  let record = initialRecord
  let lostReason: string | undefined
  let timing = isOwner() ? openTimingLog() : undefined

  return {
    get record() {
      return record
    },
    get lostReason() {
      return lostReason
    },
    update,
    recordTime,
    append(kind, text) {
      const path = files[CHUNK_FILES[kind]]
      attempt(() => {
        append(path, text)
        recordTime(kind, statSync(path).size)
      })
    },
    flush: () => timing?.flush(),
    async checkDisk() {
      if (isOwner() && (await isDiskFull(dir))) reportFailure({code: 'ENOSPC'})
    },
    reportFailure,
    close(changes) {
      if (!isOwner()) return
      attempt(() => releaseSpace(dir))
      timing?.close()
      update({...changes, sizes: measureRecording(dir)})
    },
  }

  function recordTime(kind: ChunkKind, end: number): void {
    if (!isOwner()) return
    timing ??= openTimingLog()
    timing.add(kind, end)
  }

  function openTimingLog(): TimingLog {
    return openTiming(files.timing, reportFailure, now)
  }

  function update(changes: Partial<RunRecord>): void {
    record = {...record, ...changes}
    attempt(() => writeRunRecord(dir, record))
  }

  function attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      reportFailure(error)
    }
  }

  function reportFailure(error: unknown): void {
    if (lostReason !== undefined) return
    const {code, message} = error as NodeJS.ErrnoException
    lostReason = code === 'ENOSPC' ? 'the disk was full' : message
    onLost(lostReason)
  }
}

async function isDiskFull(dir: string): Promise<boolean> {
  try {
    const {blocks, bfree, bavail} = await statfs(dir)
    // Some blocks may be reserved for root, and some file systems report no blocks at all.
    return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) === 0
  } catch {
    return false
  }
}
