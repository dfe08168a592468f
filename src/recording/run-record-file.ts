import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import {readFile, stat} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {errnoOf} from './describe-errno.ts'
import {parseRunRecord} from './normalize-run-record.ts'
import {type RunRecord} from './run-record.ts'
import {writeAtomic} from './write-atomic.ts'

/** Writes `run.json` atomically. */
export function writeRunRecord(dir: string, record: RunRecord): void {
  const path = join(dir, 'run.json')
  const content = Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
  try {
    writeAtomic(path, content)
  } catch (error) {
    if (errnoOf(error) !== 'ENOSPC' || !tryToOverwrite(path, content)) throw error
  }
}

/** Writes to the blocks that a file has on a full disk; false when they are too few. */
function tryToOverwrite(path: string, content: Buffer): boolean {
  const blocks = statSync(path, {throwIfNoEntry: false})?.blocks ?? 0
  if (content.length > blocks * 512) return false
  const file = openSync(path, 'r+')
  try {
    writeSync(file, content)
    ftruncateSync(file, content.length)
    return true
  } finally {
    closeSync(file)
  }
}

/** Reads `run.json`; `null` when there is none that can be read. */
export function readRunRecord(dir: string): RunRecord | null {
  try {
    const text = readText(`${dir}/run.json`, MAX_RECORD_BYTES)
    const record = text === null ? null : parseRunRecord(JSON.parse(text))
    // Folders can be copied and renamed.
    return record === null ? null : {...record, runId: basename(dir)}
  } catch {
    return null
  }
}

/** Nearly every record fits. Shared, because lists read thousands of records. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** The text of a file; `null` when it is longer than allowed. */
function readText(path: string, maxBytes: number): string | null {
  const file = openSync(path, 'r')
  try {
    const size = readSync(file, readBuffer, 0, readBuffer.length, 0)
    if (size < readBuffer.length) return readBuffer.toString('utf8', 0, size)
    return fstatSync(file).size > maxBytes ? null : readFileSync(path, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Reads `run.json` without blocking the thread; `null` when there is none that can be read. */
export async function loadRunRecord(dir: string): Promise<RunRecord | null> {
  try {
    const path = join(dir, 'run.json')
    if ((await stat(path)).size > MAX_RECORD_BYTES) return null
    const record = parseRunRecord(JSON.parse(await readFile(path, 'utf8')))
    return record === null ? null : {...record, runId: basename(dir)}
  } catch {
    return null
  }
}

/** A record of 0.1.0 may hold a long command several times. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024
