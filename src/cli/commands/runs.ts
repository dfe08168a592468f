import {basename} from 'node:path'
import {Command} from 'commander'
import type {VerdictKind} from '../../core/run/verdict.ts'
import type {WaitingKind} from '../../core/run/waiting.ts'
import {formatClock, formatCount, formatDuration, formatMoney} from '../../core/text/figures.ts'
import {firstLine} from '../../core/text/text.ts'
import {toStateKind, WAITING_WORDS} from '../../core/words/state-words.ts'
import {needsRefresh} from '../../recording/needs-refresh.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import {readRuns, type RecordedRun} from '../../recording/list-runs.ts'
import type {LiveRun} from '../../recording/run-record.ts'
import {supervisionOf} from '../../recording/supervision.ts'
import {formatState} from '../../terminal/format-state.ts'
import {ascii, type Symbols} from '../../terminal/symbols.ts'
import {createDataDirOption} from '../common-options.ts'
import {formatJsonLine, print} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {formatTable, type Column} from '../table.ts'

type State = VerdictKind | WaitingKind | 'stuck' | 'orphaned' | 'unknown'

type StoredResult = NonNullable<RecordedRun['record']['result']>

/** A run in the list. */
interface Row {
  runId: string
  /** `null` while it runs. */
  verdict: VerdictKind | null
  reason: string | null
  dir: string
  agent: string | null
  agentVersion: string | null
  /** The current state or the verdict. */
  state: State
  now: string
  prompt: string | null
  argv: string[]
  cwd: string
  startedAt: number
  endedAt: number | null
  durationMs: number
  exitCode: number | null
  signal: string | null
  costUsd: number | null
  isEstimate: boolean
  turns: number | null
  workOrder: {id: string; iteration: number} | null
}

/** `vitrine runs`: lists recorded runs. */
export const runs: Command = new Command('runs')
  .summary('list runs and their results')
  .description('List recorded runs, those that need attention first.')
  .option('--json', 'print one JSON object per line')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Examples:
  vitrine runs
  vitrine runs --json | jq -r 'select(.verdict == "failed") | .runId'`,
  )
  .action(async ({json, dataDir}: {json?: true; dataDir?: string}) => {
    if (json === true) {
      const lines = await listRows(dataDir, (row) => ({
        startedAt: row.startedAt,
        line: formatJsonLine(row),
      }))
      for (let start = 0; start < lines.length; start += LINES_PER_WRITE) {
        const chunk = lines.slice(start, start + LINES_PER_WRITE)
        await print(chunk.map(({line}) => line).join(''))
      }
      return
    }
    const rows = await listRows(dataDir, toTableRow)
    const {width, symbols} = getStdoutStyle()
    const sorted = rows.toSorted((one, other) => rankOf(one) - rankOf(other))
    if (rows.length === 0 && width !== undefined) {
      return print('No runs yet. Start one with: vitrine run claude -p "Fix the tests"\n')
    }
    const table = formatTable(sorted, columnsFor(width === undefined ? undefined : symbols), width)
    return print(width === undefined ? table : `${table}\n${summarize(rows, symbols)}\n`)
  })

const LINES_PER_WRITE = 1000

/** Lists all runs, newest first. Records are not kept, to save memory with thousands of them. */
async function listRows<T extends {startedAt: number}>(
  dataDir: string | undefined,
  pick: (row: Row) => T,
): Promise<T[]> {
  const rows: T[] = []
  for (const run of readRuns(dataDir)) {
    rows.push(pick(toRow(needsRefresh(run.record) ? await refresh(run) : run)))
  }
  return rows.toSorted((one, other) => other.startedAt - one.startedAt)
}

/** Updates the record of an interactive session: without a hub, only its hooks do that. */
async function refresh(run: RecordedRun): Promise<RecordedRun> {
  try {
    const {refreshSession} = await import('../../hooks/refresh.ts')
    await refreshSession(run.dir)
    return {...run, record: readRunRecord(run.dir) ?? run.record}
  } catch {
    // A recording of another user cannot be updated.
    return run
  }
}

/** A row without its long texts. */
type TableRow = Omit<Row, 'prompt' | 'argv'> & {what: string}

function toTableRow({prompt, argv: [command = '', ...args], ...row}: Row): TableRow {
  return {...row, what: firstLine(prompt ?? [basename(command), ...args].join(' '))}
}

function toRow({dir, record}: RecordedRun): Row {
  const {runId, agent, agentVersion, live, result, prompt, argv, cwd, startedAt, endedAt} = record
  const state = stateOf({dir, record})
  return {
    runId,
    verdict: result?.verdict ?? null,
    reason: result?.reason ?? null,
    dir,
    agent,
    agentVersion: agentVersion ?? null,
    state,
    now:
      result !== undefined ? describeResult(result) : state === 'unknown' ? '' : describeLive(live),
    prompt: prompt ?? null,
    argv,
    cwd,
    startedAt,
    endedAt: endedAt ?? null,
    // Without a recorded end, the last known time counts.
    durationMs: Math.max(
      0,
      (endedAt ?? (state === 'unknown' ? (live?.at ?? startedAt) : Date.now())) - startedAt,
    ),
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    costUsd: result?.costUsd ?? live?.costUsd ?? null,
    isEstimate: result?.isEstimate ?? live?.isEstimate ?? false,
    turns: result?.turns ?? null,
    workOrder: record.workOrder ?? null,
  }
}

function stateOf({record}: RecordedRun): State {
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
function describeResult(result: StoredResult): string {
  const {verdict, reason, fileCount, isWatched, added, removed} = result
  if (verdict !== 'succeeded') return reason
  if (fileCount === 0) return isWatched ? 'no files changed' : ''
  return `${formatCount(fileCount, 'file')} +${added} -${removed}`
}

/** Sort order: runs that need attention, orphaned, working, waiting, ended. */
function rankOf({state, verdict}: TableRow): number {
  if (verdict !== null || state === 'unknown') return 4
  if (state === 'stuck' || state === 'waiting-for-permission') return 0
  if (state === 'orphaned') return 1
  const kind = toStateKind(state as WaitingKind)
  return kind === 'starting' || kind === 'working' ? 2 : 3
}

function describeState({state, verdict}: TableRow, symbols: Symbols): string {
  if (state === 'orphaned') return `${symbols.stuck} orphaned`
  if (state === 'unknown') return `${symbols.stopped} unknown`
  if (state === 'stuck') return formatState({isStuck: true}, symbols).text
  return formatState({verdict: verdict ?? undefined, why: state as WaitingKind}, symbols).text
}

function columnsFor(symbols: Symbols | undefined): Column<TableRow>[] {
  return [
    {head: 'RUN', cell: ({runId}) => runId},
    {
      head: 'STATE',
      cell(row) {
        const text = describeState(row, symbols ?? ascii)
        return symbols === undefined ? text.slice(text.indexOf(' ') + 1) : text
      },
    },
    {head: 'AGENT', cell: ({agent}) => agent ?? '-', isOptional: true},
    {head: 'WHAT', cell: ({what}) => what, minWidth: 16},
    {head: 'NOW, OR HOW IT ENDED', cell: ({now}) => firstLine(now), minWidth: 20, isOptional: true},
    {head: 'COST', cell: (row) => formatCost(row, symbols), isRight: true},
    {head: 'TIME', cell: ({durationMs}) => formatDuration(durationMs), isRight: true},
  ]
}

function formatCost({costUsd, isEstimate}: TableRow, symbols: Symbols | undefined): string {
  if (costUsd === null) return symbols === undefined ? '' : '-'
  return `${isEstimate ? (symbols?.about ?? '~') : ''}${formatMoney(costUsd)}`
}

const DAY_MS = 86_400_000

/** Summarizes all runs on one line. */
function summarize(rows: readonly TableRow[], {dot}: Symbols): string {
  const count = (...ranks: number[]) => rows.filter((row) => ranks.includes(rankOf(row))).length
  const need = count(0)
  const today = rows
    .filter(({startedAt}) => Math.floor(startedAt / DAY_MS) === Math.floor(Date.now() / DAY_MS))
    .reduce((sum, {costUsd}) => sum + (costUsd ?? 0), 0)
  return [
    ...(need === 0 ? [] : [need === 1 ? '1 needs you' : `${need} need you`]),
    `${count(1, 2)} working`,
    `${count(3)} waiting`,
    `${formatMoney(today)} today`,
  ].join(` ${dot} `)
}
