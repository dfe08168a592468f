import {statSync, type Stats} from 'node:fs'
import {recordingAt} from './recording.ts'
import type {RecordingFile, RunRecord, Sizes} from './run-record.ts'

/** How much of each file of a recording there is. */
export function measureRecording(dir: string): Sizes {
  const {dir: _dir, ...files} = recordingAt(dir)
  const sizes = Object.entries(files).map(([name, path]) => [name, sizeOf(path)])
  return Object.fromEntries(sizes) as Record<RecordingFile, number>
}

/** Whether all is there that the record tells of. If not, the recording is being copied, or damaged. */
export function isRecordingComplete(dir: string, {sizes}: RunRecord): boolean {
  if (sizes === undefined) return true
  const files = recordingAt(dir)
  return Object.entries(sizes).every(([name, size]) => {
    const path = files[name as RecordingFile] as string | undefined
    return path === undefined || sizeOf(path) >= size
  })
}

/** How many bytes a file has; 0 when it is not there, or nobody can tell. */
export function sizeOf(path: string): number {
  return tryStat(path)?.size ?? 0
}

/** When a file was last written, in milliseconds since 1970; `Infinity` when it is gone. */
export function modifiedAt(path: string): number {
  return tryStat(path)?.mtimeMs ?? Infinity
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, {throwIfNoEntry: false})
  } catch {
    // The folder may have gone with its disk.
    return undefined
  }
}

/** Whoever copies a recording writes more often than this. */
const QUIESCENT_AFTER_MS = 5000

/** Whether nobody has written to a recording for some seconds. */
export function isQuiescent(dir: string): boolean {
  const now = Date.now()
  return Object.values(recordingAt(dir)).every((path) => {
    const changedAt = tryStat(path)?.ctimeMs ?? 0
    // The clock may have been put back since.
    return Math.abs(now - changedAt) > QUIESCENT_AFTER_MS
  })
}
