import {randomBytes} from 'node:crypto'
import {appendFileSync, mkdirSync, openSync, renameSync, rmSync} from 'node:fs'
import {homedir} from 'node:os'
import {join, resolve} from 'node:path'
import {describeErrno, errnoOf} from './describe-errno.ts'
import {makeFolder} from './make-folder.ts'
import {PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE} from './private-mode.ts'
import {RunError} from './run-error.ts'
import type {Recording, RunRecord} from './run-record.ts'
import {writeRunRecord} from './run-record-file.ts'
import {writeAtomic} from './write-atomic.ts'

/** The default data folder, which holds the recordings. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env): string {
  const {XDG_DATA_HOME} = env
  // The XDG specification requires relative paths to be ignored.
  const isSet = XDG_DATA_HOME !== undefined && XDG_DATA_HOME.startsWith('/')
  return join(isSet ? XDG_DATA_HOME : join(homedir(), '.local', 'share'), 'vitrine')
}

/** The paths of the files of a recording. */
export function recordingAt(dir: string): Recording {
  return {
    dir,
    stdout: join(dir, 'stdout'),
    stderr: join(dir, 'stderr'),
    stdin: join(dir, 'stdin'),
    timing: join(dir, 'timing.ndjson'),
    answers: join(dir, 'answers.ndjson'),
    files: join(dir, 'files.ndjson'),
  }
}

/** Valid run ids: never a path or an option. */
export const RUN_NAME: RegExp = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

export function isRunName(name: string): boolean {
  return RUN_NAME.test(name)
}

/** Creates the folder for a run that is recorded on another machine, with its record; `null` when the id is taken. */
export function receiveRecording(dataDir: string, record: RunRecord): {dir: string} | null {
  const {runId} = record
  if (!isRunName(runId)) return null
  const runs = join(resolve(dataDir), 'runs')
  tryToRecord(() => makeFolder(runs))
  const dir = join(runs, runId)
  // A folder without a record must not appear, even if this process is killed.
  const draft = join(runs, `.${runId}-${randomBytes(6).toString('hex')}`)
  mkdirSync(draft, {mode: PRIVATE_FOLDER_MODE})
  try {
    writeRunRecord(draft, record)
    renameSync(draft, dir)
    return {dir}
  } catch (error) {
    rmSync(draft, {recursive: true, force: true})
    if (TAKEN_CODES.has(errnoOf(error))) return null
    throw toRecordingError(error)
  }
}

const TAKEN_CODES = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'])

/** Creates the folder for a run. A requested id that is taken is an error; without one, a free id is generated. */
export function createRecording(dataDir: string, wanted?: string): {runId: string; dir: string} {
  const runs = join(resolve(dataDir), 'runs')
  if (wanted !== undefined && !RUN_NAME.test(wanted)) {
    throw new RunError('bad-id', `${wanted}: not a valid run id. Use letters, digits, ., - and _`)
  }
  tryToRecord(() => makeFolder(runs))
  for (let attempt = 0; ; attempt++) {
    // Ids are typed by hand, so they are as short as collisions allow.
    const runId = wanted ?? randomBytes(2 + Math.floor(attempt / 8)).toString('hex')
    const dir = join(runs, runId)
    try {
      mkdirSync(dir, {mode: PRIVATE_FOLDER_MODE})
      return {runId, dir}
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw toRecordingError(error)
      if (wanted !== undefined) {
        const remedy = `Choose another id, or remove it with vitrine rm ${runId}`
        throw new RunError('id-taken', `run ${runId} already exists. ${remedy}`)
      }
    }
  }
}

/** A marker that identifies the processes of a run. It is secret: it authenticates the supervisor to a hub. */
export function createMarker(runId: string): string {
  return `${runId}-${randomBytes(16).toString('hex')}`
}

/** Creates a file of a recording and opens it for appending, so that no writer overwrites another. */
export function openNewFile(path: string): number {
  return tryToRecord(() => openSync(path, 'ax', PRIVATE_FILE_MODE))
}

const RESERVED_BYTES = 64 * 1024

/** Reserves disk space for the end of a run, so that its verdict can be written when the disk is full. */
export function reserveSpace(dir: string): void {
  tryToRecord(() => writeAtomic(join(dir, 'reserve'), ' '.repeat(RESERVED_BYTES)))
}

export function releaseSpace(dir: string): void {
  rmSync(join(dir, 'reserve'), {force: true})
}

/** Appends to a file of a recording, or creates it. */
export function append(path: string, text: string): void {
  appendFileSync(path, text, {mode: PRIVATE_FILE_MODE})
}

/** Runs an action without which a run cannot be recorded; its errors become a `RunError`. */
export function tryToRecord<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toRecordingError(error)
  }
}

/** Converts an error of the file system to one that explains why a recording cannot be written. */
export function toRecordingError(error: unknown): RunError {
  if (error instanceof RunError) return error
  return new RunError('cannot-record', `cannot write the recording: ${describeErrno(error)}`)
}
