import {statSync, type Stats} from 'node:fs'
import {attempt} from './attempt.ts'
import {recordingAt} from './recording.ts'
import type {RecordingFile, RunRecord, Sizes} from './run-record.ts'

/** The size of each file of a recording. */
export function measureRecording(dir: string): Sizes {
  const {dir: _dir, ...files} = recordingAt(dir)
  const sizes = Object.entries(files).map(([name, path]) => [name, sizeOf(path)])
  return Object.fromEntries(sizes) as Record<RecordingFile, number>
}

/** Whether every file has the size in the record. If not, the recording is being copied, or is damaged. */
export function isRecordingComplete(dir: string, {sizes}: RunRecord): boolean {
  if (sizes === undefined) return true
  const files = recordingAt(dir)
  return Object.entries(sizes).every(([name, size]) => {
    const path = files[name as RecordingFile] as string | undefined
    return path === undefined || sizeOf(path) >= size
  })
}

/** The size of a file in bytes; 0 when it does not exist or cannot be read. */
export function sizeOf(path: string): number {
  return tryStat(path)?.size ?? 0
}

/** Identifies the content of a file: it differs once the file was written or replaced. */
export function stampOf({mtimeMs, size, ino}: Stats): string {
  return `${mtimeMs} ${size} ${ino}`
}

/** When a file was last written, in milliseconds since 1970; `Infinity` when it does not exist. */
export function modifiedAt(path: string): number {
  return tryStat(path)?.mtimeMs ?? Infinity
}

function tryStat(path: string): Stats | undefined {
  // It throws if the disk was unmounted.
  return attempt(() => statSync(path, {throwIfNoEntry: false}))
}

/** A process that copies a recording writes more often than this. */
const QUIESCENT_AFTER_MS = 5000

/** Whether a recording has not been written to for some seconds. */
export function isQuiescent(dir: string): boolean {
  const now = Date.now()
  return Object.values(recordingAt(dir)).every((path) => {
    const changedAt = tryStat(path)?.ctimeMs ?? 0
    // The clock may have been set back since.
    return Math.abs(now - changedAt) > QUIESCENT_AFTER_MS
  })
}
