import {randomBytes} from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {readFile, stat} from 'node:fs/promises'
import {homedir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import {
  isRecord,
  type Limits,
  type LineOptions,
  type RunResult,
  type WaitingKind,
} from '../core/index.ts'
import {isTime, normalizeRecord} from './normalize-record.ts'
import type {ProcessId} from './process-id.ts'
import {RunError} from './run-error.ts'

/** What is written down of a run beside its output: `run.json`. */
export interface RunRecord {
  /** Of this format. */
  version: 1
  runId: string
  /** The command as it was given. */
  argv: string[]
  /** The command as it was run, with the arguments that make it print its events. */
  ranArgv: string[]
  cwd: string
  /** `null` for a command that is no known agent. */
  agent: string | null
  agentVersion?: string | undefined
  /** What it was asked to do, as far as the arguments tell. */
  prompt?: string | undefined
  startedAt: number
  /** The agent's process, while it runs. */
  process?: ProcessId | undefined
  /** By which its processes are found. */
  marker: string
  /** Who looks after it. */
  supervisor: ProcessId
  /** The machine on which it runs and is looked after, when that is another. */
  host?: string | undefined
  /** Whether what becomes of files is written down beside the output. */
  isWatched?: boolean | undefined
  /** How far it may go, for whoever looks after it next. */
  limits?: RunLimits | undefined
  /** The run that it is a part of, when a loop runs the agent again and again. */
  workOrder?: {id: string; iteration: number} | undefined
  /** How far it is, now and then. */
  live?: LiveRun | undefined
  /** What the recorder of an interactive session has to remember between two hooks. */
  session?: HookSession | undefined
  endedAt?: number | undefined
  /** How much of each file there is, once it is over: what comes after that is not of the run. */
  sizes?: Sizes | undefined
  result?: Omit<RunResult, 'dir' | 'text'> | undefined
}

/** How many bytes the files of a recording have, as far as that is known. */
export type Sizes = Partial<Record<RecordingFile, number>> & {stdout: number; stderr: number}

/** How far a run may go, and what is done then. */
export interface RunLimits extends Limits, LineOptions {
  onStuck?: 'warn' | 'stop' | undefined
  killAfterMs?: number | undefined
}

/** An interactive session, as far as its recorder has followed it. */
export interface HookSession {
  /** The name of the lock file for writing to the recording. */
  lock: string
  /** The transcript that the agent keeps of the session, and up to which byte it was read. */
  transcript?: string | undefined
  offset: number
  /** Permissions that were asked for and are not known to be answered. */
  requests: HookRequest[]
  /** What it cost so far, by list prices, and the part of the last request, of which more rows may come. */
  cost?: {usd: number; lastKey: string; lastUsd: number} | undefined
}

/** A permission that a session asked for. */
export interface HookRequest {
  name: string
  /** Identifies the input of the call: a request does not name its call. */
  input: string
  /** The command, as in the arguments of the shell that runs it once it is allowed. */
  command?: string | undefined
  askedAt: number
}

/** How far a run is. */
export interface LiveRun {
  at: number
  /** What it does or waits for. */
  why: WaitingKind
  /** What that is about, such as the tool. */
  detail: string
  since: number
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
  isStuck: boolean
  costUsd: number | null
  isEstimate: boolean
}

/** The folder of one run, and what is in it. */
export interface Recording {
  dir: string
  stdout: string
  stderr: string
  stdin: string
  timing: string
  /** Who answered what, when the agent asked for permissions. */
  answers: string
  /** What became of files in the work folder. */
  files: string
}

/** A file of a recording beside its record. */
export type RecordingFile = Exclude<keyof Recording, 'dir'>

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

const PRIVATE_FOLDER = 0o700
/** Nobody else reads a recording. */
export const PRIVATE_FILE = 0o600

/** What a run may be called: nothing that is a path or an option. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

/** Tells whether a run may be called so. */
export function isRunName(name: string): boolean {
  return NAME.test(name)
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
  if (wanted !== undefined && !NAME.test(wanted)) {
    throw new RunError('bad-id', `${wanted}: not a name for a run. Use letters, digits, - and _`)
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
        const remedy = `Choose another id, or vitrine rm ${runId}`
        throw new RunError('id-taken', `run ${runId} is there already. ${remedy}`)
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

/** Writes `run.json` so that it is whole at any moment. */
export function writeRunRecord(dir: string, record: RunRecord): void {
  const path = join(dir, 'run.json')
  const content = Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
  try {
    writeFileSync(`${path}.new`, content, {mode: PRIVATE_FILE})
    renameSync(`${path}.new`, path)
  } catch (error) {
    rmSync(`${path}.new`, {force: true})
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || !overwrite(path, content)) throw error
  }
}

/** Writes a file anew in the room that it has on a disk that is full; false when it has not enough. */
function overwrite(path: string, content: Buffer): boolean {
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

/** Nearly every record fits into it. Shared, since lists read thousands of them. */
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
const MAX_MARKER_LENGTH = 200

/** The record of a run in JSON, normalized; `null` when its essential fields are missing or of the wrong type. */
export function parseRunRecord(value: unknown): RunRecord | null {
  return isRunRecord(value) ? normalizeRecord(value) : null
}

function isRunRecord(value: unknown): value is RunRecord {
  if (!isRecord(value)) return false
  const {argv, cwd, agent, prompt, host, startedAt, endedAt, marker} = value
  const {process, live, sizes, result, workOrder} = value
  return (
    Array.isArray(argv) &&
    argv.every((word) => typeof word === 'string') &&
    [cwd, agent ?? '', prompt ?? '', host ?? ''].every((text) => typeof text === 'string') &&
    [startedAt, endedAt ?? 0].every(isTime) &&
    typeof marker === 'string' &&
    marker !== '' &&
    marker.length <= MAX_MARKER_LENGTH &&
    isProcessId(value['supervisor']) &&
    (process === undefined || isProcessId(process)) &&
    (workOrder === undefined || (isRecord(workOrder) && hasWords(workOrder, 'id'))) &&
    (sizes === undefined || (isRecord(sizes) && Number.isSafeInteger(sizes['stdout']))) &&
    (live === undefined || (isRecord(live) && hasWords(live, 'why', 'detail') && hasCost(live))) &&
    (result === undefined ||
      (isRecord(result) && hasWords(result, 'verdict', 'reason') && hasFigures(result)))
  )
}

/** Whether a value identifies a process. */
export function isProcessId(value: unknown): value is ProcessId {
  if (!isRecord(value)) return false
  const {pid, startTime} = value
  // The time becomes part of the name of a file.
  const isTimed = startTime === undefined || /^\d+$/.test(String(startTime))
  return Number.isInteger(pid) && Number(pid) > 1 && isTimed
}

function hasWords(value: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof value[name] === 'string')
}

function hasCost({costUsd}: Record<string, unknown>): boolean {
  return costUsd === null || typeof costUsd === 'number'
}

function hasFigures(result: Record<string, unknown>): boolean {
  return hasCost(result) && ['number', 'undefined'].includes(typeof result['toolCount'])
}

/** A run that was recorded. */
export interface RecordedRun {
  dir: string
  record: RunRecord
}

/** All runs in a data folder, the newest first. */
export function listRuns(dataDir: string = defaultDataDir()): RecordedRun[] {
  return [...readRuns(dataDir)].toSorted(
    (one, other) => other.record.startedAt - one.record.startedAt,
  )
}

/** All runs in a data folder, one by one and in no order: thousands of records at once take much memory. */
export function* readRuns(dataDir: string = defaultDataDir()): Generator<RecordedRun> {
  const runs = join(resolve(dataDir), 'runs')
  for (const name of listFolders(runs)) {
    const dir = `${runs}/${name}`
    const record = readRunRecord(dir)
    if (record !== null) yield {dir, record}
  }
}

/** The run of that name, or the only one whose name begins so; `null` when there is none. */
export function findRun(id: string, dataDir: string = defaultDataDir()): RecordedRun | null {
  if (!NAME.test(id)) return null
  const runs = join(resolve(dataDir), 'runs')
  const isExact = existsSync(join(runs, id))
  const matches = isExact ? [id] : listFolders(runs).filter((name) => name.startsWith(id))
  const [name] = matches
  if (name === undefined || matches.length > 1) return null
  const dir = join(runs, name)
  const record = readRunRecord(dir)
  return record === null ? null : {dir, record}
}

/** The folder of what is no run any more, or never was: its record cannot be read. */
export function findRemains(id: string, dataDir: string = defaultDataDir()): {dir: string} | null {
  const runs = join(resolve(dataDir), 'runs')
  const dir = join(runs, id)
  return listFolders(runs).includes(id) && readRunRecord(dir) === null ? {dir} : null
}

/** Removes a recording. */
export function removeRun({dir}: {dir: string}): void {
  // Without run.json it is no run any more, whatever becomes of the rest.
  rmSync(join(dir, 'run.json'), {force: true})
  rmSync(dir, {recursive: true, force: true})
}

function listFolders(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => NAME.test(name))
  } catch {
    return []
  }
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
