import {createHash} from 'node:crypto'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import {join, resolve} from 'node:path'
import {pid as ownPid} from 'node:process'
import {textAt} from '../core/index.ts'
import {withFileLock} from './file-lock.ts'
import {describeLive} from './hook-live.ts'
import {readHookPayload, type HookPayload} from './hook-payload.ts'
import {
  append,
  createRecording,
  defaultDataDir,
  identify,
  isAlive,
  makeFolder,
  readRunRecord,
  recordingAt,
  RunError,
  tryToRecord,
  writeRunRecord,
  type ProcessId,
  type RecordedRun,
  type RunRecord,
} from '../recording/index.ts'

/** Where a payload of a hook goes. */
export interface HookRecordingOptions {
  /** Where recordings are kept. */
  dataDir?: string | undefined
  /**
   * The clock, in milliseconds since 1970.
   *
   * @defaultValue `Date.now`
   */
  now?: (() => number) | undefined
  /** The process that runs Claude: while it is there the session is not over. Without, it is our own. */
  process?: ProcessId | undefined
  /** The machine that it runs on, when it is another. */
  host?: string | undefined
}

/** A payload that was recorded. */
export interface AppendedHook {
  runId: string
  dir: string
  /** When it came. */
  at: number
  /** Whether the session is over with it, or was before, so that its end is to be written. */
  isOver: boolean
  /** The file that whoever writes to the session holds. */
  lock: string
}

/**
 * Adds a payload to the recording of its session. How the session ended is left to others: to know that takes all agents, and
 * Claude waits for us.
 */
export function appendHook(
  payload: string | Uint8Array,
  options: HookRecordingOptions = {},
): AppendedHook {
  const hook = readHookPayload(payload)
  const dataDir = options.dataDir ?? defaultDataDir()
  const runs = join(resolve(dataDir), 'runs')
  tryToRecord(() => makeFolder(runs))
  const name = createHash('sha256').update(hook.sessionId).digest('hex').slice(0, 16)
  const lock = join(runs, `.hooks-${name}`)
  return tryToRecord(() => withFileLock(lock, add))

  function add(): AppendedHook {
    const at = (options.now ?? Date.now)()
    const {dir, record} = findRecording(dataDir, runs, hook, options, at)
    const end = appendLine(recordingAt(dir).stdout, hook.line)
    // What comes after the end is kept, but is not of the run: who reads it again must not see more than before.
    if (record.result === undefined) append(recordingAt(dir).timing, `[${at},"out",${end}]\n`)
    writeRunRecord(dir, goOn(record, hook, options, at))
    const isOver = hook.name === 'SessionEnd' || record.result !== undefined
    return {runId: record.runId, dir, at, isOver, lock}
  }
}

/** What a session that is over begins again with; what else comes after its end is late. */
const BEGINNINGS = new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse'])

/** The recording of a session: its last one, unless that is over and the session begins again. */
function findRecording(
  dataDir: string,
  runs: string,
  hook: HookPayload,
  options: HookRecordingOptions,
  at: number,
): RecordedRun {
  const marker = `hooks-${hook.sessionId}`
  const name = hook.sessionId
    .slice(0, 8)
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^-/, '_')
  const numbers = readdirSync(runs).flatMap((entry) => numberOf(entry, name))
  const last = numbers
    .toSorted((one, other) => other - one)
    .map((number) => join(runs, nameOf(name, number)))
    .map((dir) => ({dir, record: readRunRecord(dir)}))
    .find((run): run is RecordedRun => run.record?.marker === marker)
  if (last !== undefined && (last.record.result === undefined || !BEGINNINGS.has(hook.name))) {
    return last
  }
  const {runId, dir} = createNext(dataDir, name, Math.max(0, ...numbers) + 1)
  append(recordingAt(dir).stderr, '')
  const record: RunRecord = {
    version: 1,
    runId,
    argv: ['claude'],
    ranArgv: ['claude'],
    cwd: textAt(hook.fields, 'cwd') ?? '',
    agent: 'claude-hooks',
    startedAt: at,
    marker,
    supervisor: options.process ?? identify(ownPid),
    host: options.host,
  }
  // Whoever comes next must find it, whatever becomes of us.
  writeRunRecord(dir, record)
  return {dir, record}
}

function nameOf(name: string, number: number): string {
  return number === 1 ? name : `${name}-${number}`
}

function numberOf(entry: string, name: string): number[] {
  if (entry === name) return [1]
  const rest = entry.startsWith(`${name}-`) ? entry.slice(name.length + 1) : ''
  return /^[1-9]\d{0,8}$/.test(rest) ? [Number(rest)] : []
}

/** Sessions of one name are told apart by a number. */
function createNext(dataDir: string, name: string, first: number): {runId: string; dir: string} {
  for (let number = first; ; number++) {
    try {
      return createRecording(dataDir, nameOf(name, number))
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== 'id-taken') throw error
    }
  }
}

const NEWLINE = 0x0a

/** Adds a line to a file, whole or not at all, and gives the length that the file has then. */
function appendLine(path: string, line: string): number {
  const file = openSync(path, 'a+', 0o600)
  try {
    const {size} = fstatSync(file)
    const last = Buffer.alloc(1)
    // Whoever wrote before us may have been killed in the middle.
    const isOpen = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
    try {
      writeFileSync(file, isOpen ? `\n${line}` : line)
    } catch (error) {
      ftruncateSync(file, size)
      throw error
    }
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

/** What is known of a run after one more payload. */
function goOn(
  record: RunRecord,
  hook: HookPayload,
  options: HookRecordingOptions,
  at: number,
): RunRecord {
  const next: RunRecord = {...record}
  if (hook.name === 'UserPromptSubmit') next.prompt ??= textAt(hook.fields, 'prompt')
  if (record.result !== undefined) return next
  // A session whose process was killed may go on in another.
  if (options.process !== undefined && !isAlive(record.supervisor)) {
    next.supervisor = options.process
  }
  next.live = describeLive(hook, record.live, at)
  return next
}
