import {basename} from 'node:path'
import type {Tokens} from '../core/events/events.ts'
import {formatClock, formatCount, formatDuration} from '../core/text/figures.ts'
import {firstLine} from '../core/text/text.ts'
import type {EntryKind} from '../core/run/run-summary.ts'
import type {VerdictKind} from '../core/run/verdict.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import {toStateKind, WAITING_WORDS} from '../core/words/state-words.ts'
import type {Entry} from '../history/entries.ts'
import {readHistory, type History} from '../history/history.ts'
import {createPriceFinder, type PriceFinder} from '../history/prices/find-price.ts'
import {stateOfSession, type SessionState} from '../history/session-state.ts'
import type {Session} from '../history/sessions.ts'
import {countEntry} from '../history/summarize-entry.ts'
import {pathOf} from '../history/transcripts.ts'
import {readConfig} from '../recording/config.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {needsRefresh} from '../recording/needs-refresh.ts'
import {defaultDataDir} from '../recording/recording.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {LiveRun} from '../recording/run-record.ts'
import {supervisionOf} from '../recording/supervision.ts'
import {describeReading} from './reading-progress.ts'
import {reportProblems} from './report-problems.ts'

/** The state of a run or a session in a list. */
type RowState = VerdictKind | WaitingKind | 'stuck' | 'orphaned' | 'unknown' | SessionState

/** A run or a session in the list: fields that do not apply to a session are `null`. */
export interface Row {
  runId: string
  kind: EntryKind
  agent: string | null
  agentVersion: string | null
  title: string
  cwd: string
  model: string | null
  sessionId: string | null
  /** The current state or the verdict. */
  state: RowState
  /** Its current activity, or how it ended. */
  now: string
  /** `null` while a run runs, and for a session. */
  verdict: VerdictKind | null
  reason: string | null
  prompt: string | null
  startedAt: number
  endedAt: number | null
  durationMs: number
  tokens: Tokens | null
  costUsd: number | null
  isEstimate: boolean
  turns: number
  toolCount: number
  /** The recording directory, or the file of the session. */
  path: string | null
  dir: string | null
  argv: string[]
  exitCode: number | null
  signal: string | null
  workOrder: {id: string; iteration: number} | null
}

/** The list, with the history that it was made from. */
export interface List {
  rows: Row[]
  history: History
  prices: PriceFinder
}

/** Lists runs and sessions, the newest first. */
export async function listEntries(dataDir: string = defaultDataDir()): Promise<List> {
  const progress = describeReading()
  const history = await readHistory({dataDir, onProgress: progress.show})
  progress.clear()
  reportProblems(history.problems)
  const prices = createPriceFinder(readConfig(dataDir).config.prices)
  const rows: Row[] = []
  for (const entry of history.entries) rows.push(toRow(await refresh(entry), prices))
  return {rows, history, prices}
}

/** Updates the record of an interactive session: without a hub, only its hooks do that. */
async function refresh(entry: Entry): Promise<Entry> {
  const {run} = entry
  if (run === undefined || !needsRefresh(run.record)) return entry
  try {
    const {refreshSession} = await import('../hooks/refresh.ts')
    await refreshSession(run.dir)
    return {...entry, run: {...run, record: readRunRecord(run.dir) ?? run.record}}
  } catch {
    // A recording of another user cannot be updated.
    return entry
  }
}

function toRow(entry: Entry, prices: PriceFinder): Row {
  const {id, kind, agent, title, cwd, model = null, session, run} = entry
  const common = {
    runId: id,
    kind,
    agent,
    title,
    cwd,
    model,
    sessionId: session?.sessionId ?? entry.sessionId ?? null,
    ...countEntry(entry, prices),
  }
  if (run !== undefined) {
    // A recording of hooks alone has another name than the sessions of its agent.
    const listed = session === undefined ? run.record.agent : agent
    return {...common, agent: listed, ...describeRun(run)}
  }
  return {...common, ...(session === undefined ? NO_SESSION : describeSession(session, common))}
}

function describeRun({dir, record}: RecordedRun) {
  const {agentVersion, live, result, prompt, argv, startedAt, endedAt} = record
  const state = stateOfRun(record)
  const lastKnownAt = state === 'unknown' ? (live?.at ?? startedAt) : Date.now()
  return {
    agentVersion: agentVersion ?? null,
    state,
    now:
      result !== undefined ? describeResult(result) : state === 'unknown' ? '' : describeLive(live),
    verdict: result?.verdict ?? null,
    reason: result?.reason ?? null,
    prompt: prompt ?? null,
    startedAt,
    endedAt: endedAt ?? null,
    durationMs: Math.max(0, (endedAt ?? lastKnownAt) - startedAt),
    path: dir,
    dir,
    argv,
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    workOrder: record.workOrder ?? null,
  }
}

/** The fields of a row that only runs have. */
const NO_RUN = {
  verdict: null,
  reason: null,
  dir: null,
  argv: [],
  exitCode: null,
  signal: null,
  workOrder: null,
} satisfies Partial<Row>

const NO_SESSION = {
  ...NO_RUN,
  agentVersion: null,
  state: 'ended',
  now: '',
  prompt: null,
  startedAt: 0,
  endedAt: null,
  durationMs: 0,
  path: null,
} satisfies Partial<Row>

function describeSession(session: Session, {turns, toolCount}: {turns: number; toolCount: number}) {
  const {agentVersion, prompt, startedAt, endedAt, transcripts, writtenAt} = session
  const state = stateOfSession(session, Date.now())
  const [main] = transcripts
  const figures = [formatCount(turns, 'turn'), formatCount(toolCount, 'tool')].join(', ')
  const age = formatDuration(Math.max(0, Date.now() - writtenAt))
  return {
    ...NO_RUN,
    agentVersion: agentVersion ?? null,
    state,
    now: state === 'live' ? `written ${age} ago` : state === 'idle' ? `idle for ${age}` : figures,
    prompt: prompt ?? null,
    startedAt,
    endedAt: state === 'ended' ? endedAt : null,
    durationMs: endedAt - startedAt,
    path: main === undefined ? null : pathOf(main.transcript),
  }
}

function stateOfRun(record: RecordedRun['record']): RowState {
  const supervision = supervisionOf(record)
  if (supervision === 'orphaned') return 'orphaned'
  if (supervision === 'unknown') return 'unknown'
  if (record.result !== undefined) return record.result.verdict
  return record.live?.isStuck === true ? 'stuck' : (record.live?.why ?? 'starting')
}

/** Describes what a live run is doing. */
function describeLive(live: LiveRun | undefined): string {
  if (live === undefined) return ''
  const {why, detail, since, until} = live
  if (why === 'rate-limited' && until !== undefined) return `until ${formatClock(until)}`
  const what = detail || WAITING_WORDS[why]
  return `${what} ${formatDuration(Math.max(0, Date.now() - since))}`
}

/** Describes how a run ended. */
function describeResult(result: NonNullable<RecordedRun['record']['result']>): string {
  const {verdict, reason, fileCount, isWatched, added, removed} = result
  if (verdict !== 'succeeded') return reason
  if (fileCount === 0) return isWatched ? 'no files changed' : ''
  return `${formatCount(fileCount, 'file')} +${added} -${removed}`
}

/** The group of a row in lists: needs attention, orphaned, working, waiting, ended. */
export type RowGroup = 'needs-you' | 'orphaned' | 'working' | 'waiting' | 'ended'

const GROUPS: readonly RowGroup[] = ['needs-you', 'orphaned', 'working', 'waiting', 'ended']

export function groupOf({state, verdict}: Pick<Row, 'state' | 'verdict'>): RowGroup {
  if (verdict !== null || state === 'unknown' || state === 'ended') return 'ended'
  if (state === 'stuck' || state === 'waiting-for-permission') return 'needs-you'
  if (state === 'orphaned') return 'orphaned'
  if (state === 'live') return 'working'
  if (state === 'idle') return 'waiting'
  const kind = toStateKind(state as WaitingKind)
  return kind === 'starting' || kind === 'working' ? 'working' : 'waiting'
}

/** Sorts rows that need attention first and ended ones last; the order within a group stays. */
export function sortRows(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function rankOf(row: Row): number {
  return GROUPS.indexOf(groupOf(row))
}

/** The subject of a row: the title, or the command of a run without a prompt. */
export function describeWork({title, prompt, argv: [command = '', ...args]}: Row): string {
  if (command === '') return title
  return firstLine(prompt ?? [basename(command), ...args].join(' '))
}
