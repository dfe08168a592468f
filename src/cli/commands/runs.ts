import {basename} from 'node:path'
import {Command} from 'commander'
import {
  firstLine,
  formatCount,
  formatDuration,
  formatMoney,
  type VerdictKind,
} from '../../core/index.ts'
import {
  listRuns,
  whereabouts,
  type LiveRun,
  type RecordedRun,
  type Whereabouts,
} from '../../runner/index.ts'
import type {Symbols} from '../../terminal/index.ts'
import {jsonLine, print, stdoutStyle} from '../output.ts'
import {formatTable, type Column} from '../table.ts'

type State = VerdictKind | LiveRun['state'] | Exclude<Whereabouts, 'over' | 'supervised'>

type Told = NonNullable<RecordedRun['record']['result']>

/** A run in the list. */
interface Row {
  runId: string
  /** `null` while it runs. */
  verdict: VerdictKind | null
  reason: string | null
  dir: string
  agent: string | null
  agentVersion: string | null
  /** What it does, in a word, or how it ended. */
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

/** `vitrine runs`: what runs and what has run. */
export const runs: Command = new Command('runs')
  .description('list the runs that were recorded: those that need you first')
  .option('--json', 'one object per line')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .action(async ({json, dataDir}: {json?: true; dataDir?: string}) => {
    const rows = listRuns(dataDir).map(describe)
    if (json === true) return print(rows.map(jsonLine).join(''))
    const {width, symbols} = stdoutStyle()
    const sorted = rows.toSorted((one, other) => STATES[one.state][0] - STATES[other.state][0])
    if (rows.length === 0 && width !== undefined) {
      return print('No runs yet. vitrine run -- claude -p "Fix the tests"\n')
    }
    const table = formatTable(sorted, columnsFor(width === undefined ? undefined : symbols), width)
    return print(width === undefined ? table : `${table}\n${summarize(rows, symbols)}\n`)
  })

function describe({dir, record}: RecordedRun): Row {
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
    now: result === undefined ? (live?.now ?? '') : describeResult(result),
    prompt: prompt ?? null,
    argv,
    cwd,
    startedAt,
    endedAt: endedAt ?? null,
    durationMs: (endedAt ?? Date.now()) - startedAt,
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    costUsd: result?.costUsd ?? live?.costUsd ?? null,
    isEstimate: result?.isEstimate ?? live?.isEstimate ?? false,
    turns: result?.turns ?? null,
    workOrder: record.workOrder ?? null,
  }
}

function stateOf({record}: RecordedRun): State {
  const where = whereabouts(record)
  if (where === 'supervised') return record.live?.state ?? 'working'
  return where === 'over' ? (record.result?.verdict ?? 'unseen') : where
}

/** How a run that is over ended, in a few words. */
function describeResult({verdict, reason, fileCount, added, removed}: Told): string {
  if (verdict !== 'succeeded') return reason
  if (fileCount === 0) return 'no files changed'
  return `${formatCount(fileCount, 'file')} +${added} -${removed}`
}

/** Each state: how urgent it is, its word, and the sign before it. */
const STATES: Readonly<Record<State, [rank: number, word: string, sign: keyof Symbols]>> = {
  stuck: [0, 'stuck', 'stuck'],
  'needs-you': [0, 'needs you', 'stuck'],
  orphaned: [1, 'orphaned', 'stuck'],
  working: [2, 'working', 'working'],
  waiting: [3, 'waiting', 'waiting'],
  limited: [3, 'limited', 'waiting'],
  unseen: [4, 'unseen', 'stopped'],
  succeeded: [4, 'succeeded', 'good'],
  failed: [4, 'failed', 'bad'],
  truncated: [4, 'truncated', 'bad'],
  'timed-out': [4, 'timed out', 'bad'],
  'over-budget': [4, 'over budget', 'bad'],
  stopped: [4, 'stopped', 'stopped'],
}

function columnsFor(symbols: Symbols | undefined): Column<Row>[] {
  return [
    {head: 'RUN', cell: ({runId}) => runId},
    {
      head: 'STATE',
      cell({state}) {
        const [, word, sign] = STATES[state]
        return symbols === undefined ? word : `${symbols[sign]} ${word}`
      },
    },
    {head: 'AGENT', cell: ({agent}) => agent ?? '-', isExtra: true},
    {head: 'WHAT', cell: describeWork, least: 16},
    {head: 'NOW, OR HOW IT ENDED', cell: ({now}) => firstLine(now), least: 20, isExtra: true},
    {head: 'COST', cell: (row) => formatCost(row, symbols), isRight: true},
    {head: 'TIME', cell: ({durationMs}) => formatDuration(durationMs), isRight: true},
  ]
}

function describeWork({prompt, argv: [command = '', ...args]}: Row): string {
  return firstLine(prompt ?? [basename(command), ...args].join(' '))
}

function formatCost({costUsd, isEstimate}: Row, symbols: Symbols | undefined): string {
  if (costUsd === null) return symbols === undefined ? '' : '-'
  return `${isEstimate ? (symbols?.about ?? '~') : ''}${formatMoney(costUsd)}`
}

const DAY_MS = 86_400_000

/** What is going on, in a line. */
function summarize(rows: readonly Row[], {dot}: Symbols): string {
  const count = (...ranks: number[]) =>
    rows.filter(({state}) => ranks.includes(STATES[state][0])).length
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
