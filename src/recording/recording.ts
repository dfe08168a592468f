import {randomBytes} from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {homedir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {RunError} from './run-error.ts'
import {type RunRecord, type Recording} from './run-record.ts'
import {writeRunRecord} from './run-record-file.ts'
import {PRIVATE_FOLDER, PRIVATE_FILE} from './private-mode.ts'

/** Where recordings are kept unless somebody says otherwise. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env): string {
  const {XDG_DATA_HOME} = env
  // The standard wants relative ones ignored.
  const isSet = XDG_DATA_HOME !== undefined && XDG_DATA_HOME.startsWith('/')
  return join(isSet ? XDG_DATA_HOME : join(homedir(), '.local', 'share'), 'vitrine')
}

/** The files of a recording. */
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

/** What a run may be called: nothing that is a path or an option. */
export const RUN_NAME: RegExp = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

/** Tells whether a run may be called so. */
export function isRunName(name: string): boolean {
  return RUN_NAME.test(name)
}

/** Makes the folder for a run that is recorded elsewhere, with its record in it; `null` when the id is taken. */
export function receiveRecording(dataDir: string, record: RunRecord): {dir: string} | null {
  const {runId} = record
  if (!isRunName(runId)) return null
  const runs = join(resolve(dataDir), 'runs')
  tryToRecord(() => makeFolder(runs))
  const dir = join(runs, runId)
  // Whole or not at all, whatever becomes of us.
  const draft = join(runs, `.${runId}-${randomBytes(6).toString('hex')}`)
  mkdirSync(draft, {mode: PRIVATE_FOLDER})
  try {
    writeRunRecord(draft, record)
    renameSync(draft, dir)
    return {dir}
  } catch (error) {
    rmSync(draft, {recursive: true, force: true})
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw cannotRecord(error)
  }
}

const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'])

/** Makes the folder for a run; an id that is taken is an error when it was asked for, else another is found. */
export function createRecording(dataDir: string, wanted?: string): {runId: string; dir: string} {
  const runs = join(resolve(dataDir), 'runs')
  if (wanted !== undefined && !RUN_NAME.test(wanted)) {
    throw new RunError('bad-id', `${wanted}: invalid run id. Use letters, digits, - and _`)
  }
  tryToRecord(() => makeFolder(runs))
  for (let attempt = 0; ; attempt++) {
    // Short names are for typing; they grow when they run out.
    const runId = wanted ?? randomBytes(2 + Math.floor(attempt / 8)).toString('hex')
    const dir = join(runs, runId)
    try {
      mkdirSync(dir, {mode: PRIVATE_FOLDER})
      return {runId, dir}
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotRecord(error)
      if (wanted !== undefined) {
        const remedy = `Choose another id, or remove it with: vitrine rm ${runId}`
        throw new RunError('id-taken', `run ${runId} already exists. ${remedy}`)
      }
    }
  }
}

/** A marker that identifies the processes of a run and proves to a hub who supervises it, so it is secret. */
export function createMarker(runId: string): string {
  return `${runId}-${randomBytes(16).toString('hex')}`
}

/** Makes a folder and those above it. Node's own way never ends where the system has no room for folders, as in /proc. */
export function makeFolder(path: string, mode: number = PRIVATE_FOLDER): void {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats?.isDirectory() === true) return
  if (stats !== undefined) throw Object.assign(new Error(), {code: 'ENOTDIR', path})
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, {mode})
  } catch (error) {
    // Another run may have been faster.
    if (!existsSync(path)) throw error
  }
}

/** Opens a new file of a recording for writing, at its end only: whoever else writes to it, nothing is overwritten. */
export function openNew(path: string): number {
  return tryToRecord(() => openSync(path, 'ax', PRIVATE_FILE))
}

/** So much room is kept for the last words of a run. */
const RESERVE = 64 * 1024

/** Keeps room for the end of a run, which is to be written also when the disk is full. */
export function reserveRoom(dir: string): void {
  tryToRecord(() => writeFileSync(join(dir, 'reserve'), ' '.repeat(RESERVE), {mode: PRIVATE_FILE}))
}

/** Gives the room back that was kept. */
export function freeRoom(dir: string): void {
  rmSync(join(dir, 'reserve'), {force: true})
}

/** Adds to a file of a recording, or begins it. */
export function append(path: string, text: string): void {
  appendFileSync(path, text, {mode: PRIVATE_FILE})
}

/** Does something without which there is no recording. */
export function tryToRecord<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw cannotRecord(error)
  }
}

/** The error of a recording that cannot be written, with a sentence that says why. */
export function cannotRecord(error: unknown): RunError {
  if (error instanceof RunError) return error
  const {code, message, path} = error as NodeJS.ErrnoException
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'no space left',
    EMFILE: 'too many files are open. Close some, or raise ulimit -n',
    EACCES: `${path}: permission denied`,
    EROFS: `${path}: the file system is read-only`,
    ENOENT: `${path}: cannot be made there`,
    ENOTDIR: `${path}: a file is in the way`,
    EEXIST: `${path}: a file is in the way`,
  }
  const reason = words[code ?? ''] ?? message
  return new RunError('cannot-record', `cannot write the recording: ${reason}`)
}
