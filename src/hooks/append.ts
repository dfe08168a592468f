import {createHash} from 'node:crypto'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {pid as ownPid} from 'node:process'
// Not by the list of agents, which loads all of them: Claude Code waits for its hooks.
import {readRequest} from '../agents/claude/request-usage.ts'
import {textAt, type JsonObject} from '../core/wire/json.ts'
import {recordWithLock} from './session-lock.ts'
import {applyHook, applyRow, type SessionLive} from './live-state.ts'
import {readHookPayload, type HookPayload} from './payload.ts'
import {readNewRows, type NewRows} from './transcript.ts'
import {markActive} from '../recording/active-runs.ts'
import {sizeOf} from '../recording/completeness.ts'
import {makeFolder} from '../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import {toProcessId, isAlive, type ProcessId} from '../recording/process-id.ts'
import {
  append,
  createMarker,
  createRecording,
  defaultDataDir,
  isRunName,
  recordingAt,
  tryToRecord,
} from '../recording/recording.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {readRunRecord, writeRunRecord} from '../recording/run-record-file.ts'
import type {HookSession, RunRecord} from '../recording/run-record.ts'

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
export async function appendHook(
  payload: string | Uint8Array,
  options: HookRecordingOptions = {},
): Promise<AppendedHook> {
  const hook = readHookPayload(payload)
  const dataDir = options.dataDir ?? defaultDataDir()
  const runs = join(resolve(dataDir), 'runs')
  tryToRecord(() => makeFolder(runs))
  const digest = createHash('sha256').update(hook.sessionId).digest('hex')
  const lock = join(runs, lockName(digest))
  return recordWithLock(lock, add)

  function add(): AppendedHook {
    const at = (options.now ?? Date.now)()
    const {dir, record} = findRecording({dataDir, runs, digest}, hook, options, at)
    const files = recordingAt(dir)
    const isOver = record.result !== undefined
    const next = goOn(record, hook, options)
    if (next.supervisor !== record.supervisor) noteActive(dir, next)
    // Rows of the transcript come before the payload: they were written before it.
    if (!isOver) appendRows(dir, next, readRows(next, hook), at)
    const end = appendLines(files.stdout, hook.line)
    // What comes after the end is kept, but is not of the run: who reads it again must not see more than before.
    if (!isOver) {
      append(files.timing, `[${at},"out",${end}]\n`)
      setLive(next, applyHook(liveOf(next), hook, at))
    }
    writeRunRecord(dir, next)
    return {runId: record.runId, dir, at, isOver: hook.name === 'SessionEnd' || isOver, lock}
  }
}

/** Adds rows of a transcript to a recording, and what they say to its record. */
export function appendRows(dir: string, record: RunRecord, found: NewRows, at: number): void {
  const {rows, text, offset} = found
  if (record.session !== undefined) record.session = {...record.session, offset}
  if (rows.length === 0) return
  const files = recordingAt(dir)
  append(files.timing, `[${at},"out",${appendLines(files.stdout, text)}]\n`)
  if (record.session !== undefined) {
    record.session = {...record.session, cost: rows.reduce(addCost, record.session.cost)}
  }
  record.agentVersion ??= rows.map((row) => textAt(row, 'version')).find(Boolean)
  setLive(
    record,
    rows.reduce((live, row) => applyRow(live, row, at), liveOf(record)),
  )
}

/** The cost of a session after a row. A model without a known price adds nothing. */
function addCost(cost: HookSession['cost'], row: JsonObject): HookSession['cost'] {
  const request = readRequest(row)
  if (request?.costUsd === undefined) return cost
  const {key, costUsd} = request
  const {usd = 0, lastKey, lastUsd = 0} = cost ?? {}
  // Every row of an answer repeats the usage of its request.
  const counted = key === lastKey ? lastUsd : 0
  const last = Math.max(costUsd, counted)
  return {usd: usd + last - counted, lastKey: key, lastUsd: last}
}

/** What a record says of the state of its session. */
export function liveOf({live, session}: RunRecord): SessionLive {
  return {live, requests: session?.requests ?? []}
}

/** Writes the state of a session to its record. */
export function setLive(record: RunRecord, {live, requests}: SessionLive): void {
  const costUsd = record.session?.cost?.usd
  record.live = live && costUsd !== undefined ? {...live, costUsd, isEstimate: true} : live
  if (record.session !== undefined) record.session = {...record.session, requests: [...requests]}
}

/** The rows that the transcripts of a session have since the last payload. */
function readRows({session}: RunRecord, hook: HookPayload): NewRows {
  const offset = session?.offset ?? 0
  if (session?.transcript === undefined) return {rows: [], text: '', offset}
  const main = readNewRows(session.transcript, offset)
  const path =
    hook.name === 'SubagentStop' ? textAt(hook.fields, 'agent_transcript_path') : undefined
  if (path === undefined) return main
  // A sub-agent has a file of its own, which is complete when it stops.
  const subAgent = readNewRows(path, 0)
  return {
    rows: [...main.rows, ...subAgent.rows],
    text: main.text + subAgent.text,
    offset: main.offset,
  }
}

function lockName(digest: string): string {
  return `.hooks-${digest.slice(0, 16)}`
}

/** Whether a payload begins a session of which nothing was said before. */
function isFresh({name, fields: {source}}: HookPayload): boolean {
  return name === 'SessionStart' && (source === 'startup' || source === 'clear')
}

/** What a session that is over begins again with; what else comes after its end is late. */
const BEGINNINGS = new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse'])

/** Where the recordings of a session are. */
interface SessionPlace {
  dataDir: string
  runs: string
  /** Stands for the session id, which stays with the agent. */
  digest: string
}

/** The recording of a session: its last one, unless that is over and the session begins again. */
function findRecording(
  {dataDir, runs, digest}: SessionPlace,
  hook: HookPayload,
  options: HookRecordingOptions,
  at: number,
): RecordedRun {
  const pointer = join(dataDir, 'sessions', digest.slice(0, 32))
  const last = readPointer(pointer, runs)
  if (last !== undefined && (last.record.result === undefined || !BEGINNINGS.has(hook.name))) {
    return last
  }
  const {runId, dir} = createRecording(dataDir)
  append(recordingAt(dir).stderr, '')
  const record: RunRecord = {
    version: 1,
    runId,
    argv: ['claude'],
    ranArgv: ['claude'],
    cwd: textAt(hook.fields, 'cwd') ?? '',
    agent: 'claude-hooks',
    startedAt: at,
    marker: createMarker(runId),
    supervisor: options.process ?? toProcessId(ownPid),
    host: options.host,
    session: {
      lock: lockName(digest),
      // A path on another machine means nothing here, and must not be read.
      transcript: options.host === undefined ? textAt(hook.fields, 'transcript_path') : undefined,
      offset: 0,
      requests: [],
    },
  }
  const {session} = record
  // What a resumed session said before is no part of this run.
  if (session?.transcript !== undefined && !isFresh(hook)) {
    session.offset = sizeOf(session.transcript)
  }
  noteActive(dir, record)
  // Whoever comes next must find it, whatever becomes of us.
  writeRunRecord(dir, record)
  makeFolder(dirname(pointer))
  writeFileSync(pointer, runId, {mode: PRIVATE_FILE_MODE})
  return {dir, record}
}

function noteActive(dir: string, {cwd, supervisor, host}: RunRecord): void {
  if (host === undefined && cwd !== '') markActive(dir, {cwd, processes: [supervisor]})
}

/** A file per session names its last run: to look through all runs for it takes too long while Claude waits. */
function readPointer(pointer: string, runs: string): RecordedRun | undefined {
  let runId: string
  try {
    runId = readFileSync(pointer, 'utf8')
  } catch {
    return undefined
  }
  if (!isRunName(runId)) return undefined
  const dir = join(runs, runId)
  const record = readRunRecord(dir)
  return record === null ? undefined : {dir, record}
}

const NEWLINE = 0x0a

/** Adds lines to a file, all of them or none, and returns the length that the file has then. */
export function appendLines(path: string, lines: string): number {
  const file = openSync(path, 'a+', PRIVATE_FILE_MODE)
  try {
    const {size} = fstatSync(file)
    const last = Buffer.alloc(1)
    // Whoever wrote before us may have been killed in the middle.
    const isOpen = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
    try {
      writeFileSync(file, isOpen ? `\n${lines}` : lines)
    } catch (error) {
      ftruncateSync(file, size)
      throw error
    }
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

/** The record of a run with what a payload says of the run as a whole. */
function goOn(record: RunRecord, hook: HookPayload, options: HookRecordingOptions): RunRecord {
  const next: RunRecord = {...record}
  if (hook.name === 'UserPromptSubmit') next.prompt ??= textAt(hook.fields, 'prompt')
  if (record.result !== undefined) return next
  // A session whose process was killed may go on in another.
  if (options.process !== undefined && !isAlive(record.supervisor)) {
    next.supervisor = options.process
  }
  return next
}
