import {createHash} from 'node:crypto'
import {closeSync, fstatSync, ftruncateSync, openSync, readSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {pid as ownPid} from 'node:process'
// Not through the list of agents, which loads all of them: Claude Code waits for its hooks.
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
import {isAlive, toProcessId, tryReadFile, type ProcessId} from '../recording/process-id.ts'
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

/** How to record a hook payload. */
export interface HookRecordingOptions {
  /** Directory of the recordings. */
  dataDir?: string | undefined
  /**
   * The clock, in milliseconds since 1970.
   *
   * @defaultValue `Date.now`
   */
  now?: (() => number) | undefined
  /** The process of Claude Code: the session is open while it is alive. Default: the current process. */
  process?: ProcessId | undefined
  /** Name of the machine, for a session on a remote one. */
  host?: string | undefined
}

/** A recorded payload. */
export interface AppendedHook {
  runId: string
  dir: string
  /** When it was recorded. */
  at: number
  /** Whether the session has ended, so that its result can be written. */
  isOver: boolean
  /** The lock file for writes to the session. */
  lock: string
}

/**
 * Appends a payload to the recording of its session. Computing the result is a separate step: it loads all agents,
 * and Claude Code waits for this one.
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
    const next = updateRecord(record, hook, options)
    if (next.supervisor !== record.supervisor) markSessionActive(dir, next)
    // Rows of the transcript were written before the payload.
    if (!isOver) appendRows(dir, next, readRows(next, hook), at)
    const end = appendLines(files.stdout, hook.line)
    // A payload after the end is kept, but is not part of the run, so that a replay stays the same.
    if (!isOver) {
      append(files.timing, `[${at},"out",${end}]\n`)
      setLive(next, applyHook(liveOf(next), hook, at))
    }
    writeRunRecord(dir, next)
    return {runId: record.runId, dir, at, isOver: hook.name === 'SessionEnd' || isOver, lock}
  }
}

/** Appends rows of a transcript to a recording and updates its record. */
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

/** Adds a row to the cost of a session. A model without a known price adds nothing. */
function addCost(cost: HookSession['cost'], row: JsonObject): HookSession['cost'] {
  const request = readRequest(row)
  if (request?.costUsd === undefined) return cost
  const {key, costUsd} = request
  const {usd = 0, lastKey, lastUsd = 0} = cost ?? {}
  // Every row of a response repeats the usage of its request.
  const counted = key === lastKey ? lastUsd : 0
  const last = Math.max(costUsd, counted)
  return {usd: usd + last - counted, lastKey: key, lastUsd: last}
}

/** The state of a session in its record. */
export function liveOf({live, session}: RunRecord): SessionLive {
  return {live, requests: session?.requests ?? []}
}

export function setLive(record: RunRecord, {live, requests}: SessionLive): void {
  const costUsd = record.session?.cost?.usd
  record.live = live && costUsd !== undefined ? {...live, costUsd, isEstimate: true} : live
  if (record.session !== undefined) record.session = {...record.session, requests: [...requests]}
}

/** Reads the rows that were added to the transcripts of a session after the last payload. */
function readRows({session}: RunRecord, hook: HookPayload): NewRows {
  const offset = session?.offset ?? 0
  if (session?.transcript === undefined) return {rows: [], text: '', offset}
  const main = readNewRows(session.transcript, offset)
  const path =
    hook.name === 'SubagentStop' ? textAt(hook.fields, 'agent_transcript_path') : undefined
  if (path === undefined) return main
  // A sub-agent has its own file, which is complete when it stops.
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

/** Whether a payload starts a new session without earlier messages. */
function isNewSession({name, fields: {source}}: HookPayload): boolean {
  return name === 'SessionStart' && (source === 'startup' || source === 'clear')
}

/** Hooks that restart an ended session; other payloads after its end are late. */
const RESTARTING_HOOKS = new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse'])

interface SessionLocation {
  dataDir: string
  runs: string
  /** Hash of the session id, which is not recorded. */
  digest: string
}

/** Finds the latest recording of a session, or creates one if it has ended and the session restarts. */
function findRecording(
  {dataDir, runs, digest}: SessionLocation,
  hook: HookPayload,
  options: HookRecordingOptions,
  at: number,
): RecordedRun {
  const pointer = join(dataDir, 'sessions', digest.slice(0, 32))
  const last = readPointer(pointer, runs)
  if (
    last !== undefined &&
    (last.record.result === undefined || !RESTARTING_HOOKS.has(hook.name))
  ) {
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
      // A path on a remote machine must not be read here.
      transcript: options.host === undefined ? textAt(hook.fields, 'transcript_path') : undefined,
      offset: 0,
      requests: [],
    },
  }
  const {session} = record
  // Rows from before a resumed session are not part of this run.
  if (session?.transcript !== undefined && !isNewSession(hook)) {
    session.offset = sizeOf(session.transcript)
  }
  markSessionActive(dir, record)
  // The next hook must find the recording even if this process is killed.
  writeRunRecord(dir, record)
  makeFolder(dirname(pointer))
  writeFileSync(pointer, runId, {mode: PRIVATE_FILE_MODE})
  return {dir, record}
}

function markSessionActive(dir: string, {cwd, supervisor, host}: RunRecord): void {
  if (host === undefined && cwd !== '') markActive(dir, {cwd, processes: [supervisor]})
}

/** A pointer file names the latest run of a session: searching all runs is too slow while Claude Code waits. */
function readPointer(pointer: string, runs: string): RecordedRun | undefined {
  const runId = tryReadFile(pointer)
  if (!isRunName(runId)) return undefined
  const dir = join(runs, runId)
  const record = readRunRecord(dir)
  return record === null ? undefined : {dir, record}
}

const NEWLINE = 0x0a

/** Appends all lines or none to a file; returns its new size. */
export function appendLines(path: string, lines: string): number {
  const file = openSync(path, 'a+', PRIVATE_FILE_MODE)
  try {
    const {size} = fstatSync(file)
    const last = Buffer.alloc(1)
    // A previous writer may have been killed within a line.
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

/** Updates the fields of a record that depend on a payload. */
function updateRecord(
  record: RunRecord,
  hook: HookPayload,
  options: HookRecordingOptions,
): RunRecord {
  const next: RunRecord = {...record}
  if (hook.name === 'UserPromptSubmit') next.prompt ??= textAt(hook.fields, 'prompt')
  if (record.result !== undefined) return next
  // A session whose process was killed may continue in another one.
  if (options.process !== undefined && !isAlive(record.supervisor)) {
    next.supervisor = options.process
  }
  return next
}
