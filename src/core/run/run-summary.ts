import type {PlanItem, Tokens} from '../events/events.ts'
import type {Usage} from './ledger.ts'
import type {Progress} from './progress.ts'
import type {RunResult} from './run-result.ts'
import {countFiles} from './file-table.ts'
import type {RunState} from './run-state.ts'
import type {VerdictKind} from './verdict.ts'
import type {Waiting} from './waiting.ts'

/** The kinds of entries in the list: runs, sessions in the files of agents, and sessions of other machines. */
export const ENTRY_KINDS = ['run', 'session', 'imported'] as const

/** The kind of an entry in the list. */
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Facts that are fixed when the run starts. */
export interface RunOrigin {
  /** `null` for an unknown agent. */
  agent: string | null
  /** Two letters for the agent in lists, where they are not the first two of its name. */
  monogram?: string | undefined
  /** The first line of the prompt, or the command. */
  title: string
  cwd: string
  /** In milliseconds since 1970. */
  startedAt: number
  /** The machine it runs on, if it is not this one. */
  host?: string | undefined
}

const ENDING_FIELDS = [
  'verdict',
  'reason',
  'evidence',
  'exitCode',
  'signal',
  'durationMs',
  'costUsd',
  'isEstimate',
  'tokens',
  'turns',
  'toolCount',
  'failedToolCount',
  'deniedCount',
  'fileCount',
  'isWatched',
  'added',
  'removed',
] as const

/** The published part of a result. */
export interface RunEnding extends Pick<RunResult, (typeof ENDING_FIELDS)[number]> {}

/** The current state of a run, for lists. */
export interface RunSummary extends RunOrigin {
  runId: string
  kind: EntryKind
  workOrderId: string
  state: RunState['status'] | 'over'
  /** Present while the run is not over. */
  waiting?: Waiting | undefined
  /** Whether it exceeded its limit for silence or for a tool. */
  isStuck: boolean
  percentage: number
  phase: string
  /** Absent when there is nothing to measure progress by. */
  remainingMs?: number | undefined
  agentVersion?: string | undefined
  model?: string | undefined
  /** Needed to resume the session; views do not show it by default. */
  sessionId?: string | undefined
  /** Of a session: when its files were last written. */
  writtenAt?: number | undefined
  /** Of a session: when the agent will delete it, if soon. */
  deletedAt?: number | undefined
  /** `null` when the agent reported none. */
  tokens: Tokens | null
  /** `null` when it is unknown. */
  costUsd: number | null
  isEstimate: boolean
  turns: number
  toolCount: number
  failedToolCount: number
  deniedCount: number
  fileCount: number
  added: number
  removed: number
  plan: readonly PlanItem[]
  /** Permission requests without an answer. */
  requests: {requestId?: string | undefined; name: string; askedAt: number}[]
  taskCount: number
  malformedCount: number
  unknownCount: number
  /** The activity as {@link Pulse} encodes it: of the last ten minutes, or of the whole run after its end. */
  pulse?: string | undefined
  endedAt?: number | undefined
  durationMs?: number | undefined
  /** Whether the working directory was watched; without, a `fileCount` of 0 does not mean that no file changed. */
  isWatched?: boolean | undefined
  verdict?: VerdictKind | undefined
  reason?: string | undefined
  evidence?: string[] | undefined
  exitCode?: number | null | undefined
  signal?: string | null | undefined
}

/** The facts that a summary is made from. */
export interface RunFindings extends Pick<RunSummary, 'writtenAt' | 'deletedAt'> {
  runId: string
  /** @defaultValue `run` */
  kind?: EntryKind | undefined
  /** When a session ended, which has no ending. */
  endedAt?: number | undefined
  workOrderId: string
  origin: RunOrigin
  state: RunState
  usage: Usage
  progress: Progress
  /** Present while the run is not over. */
  waiting?: Waiting | undefined
  isStuck?: boolean | undefined
  /** The version of the agent, if the stream does not report it. */
  agentVersion?: string | undefined
  pulse?: string | undefined
  /** Present when the run is over. */
  ending?: RunEnding | undefined
}

/** Limits the size of messages; no view shows more of a plan. */
const MAX_PLAN_ITEMS = 100

/** Summarizes a run for lists and messages. */
export function summarizeRun(findings: RunFindings): RunSummary {
  const {runId, workOrderId, origin, state, usage, progress, waiting, ending} = findings
  const {agent, monogram, title, cwd, startedAt, host} = origin
  const figures = ending ?? countSoFar(state, usage)
  const endedAt = ending === undefined ? findings.endedAt : startedAt + ending.durationMs
  const requests = ending === undefined ? state.openRequests : []
  // Fields are named one by one: spreading them takes most of the time that a hub needs to list its runs.
  return {
    runId,
    kind: findings.kind ?? 'run',
    workOrderId,
    agent,
    monogram,
    title,
    cwd,
    startedAt,
    host,
    state: ending === undefined && endedAt === undefined ? state.status : 'over',
    waiting: endedAt === undefined ? waiting : undefined,
    isStuck: findings.isStuck ?? false,
    percentage: progress.percentage,
    phase: progress.phase,
    remainingMs: progress.remainingMs,
    agentVersion: state.agentVersion ?? findings.agentVersion,
    model: state.model,
    sessionId: state.sessionId,
    writtenAt: findings.writtenAt,
    deletedAt: findings.deletedAt,
    tokens: figures.tokens,
    costUsd: figures.costUsd,
    isEstimate: figures.isEstimate,
    turns: figures.turns,
    toolCount: figures.toolCount,
    failedToolCount: figures.failedToolCount,
    deniedCount: figures.deniedCount,
    fileCount: figures.fileCount,
    added: figures.added,
    removed: figures.removed,
    plan: state.plan.slice(0, MAX_PLAN_ITEMS),
    requests: requests.map(({requestId, name, askedAt}) => ({requestId, name, askedAt})),
    taskCount: ending === undefined ? state.openTasks.length : 0,
    malformedCount: state.malformedCount,
    unknownCount: state.unknownCount,
    pulse: findings.pulse,
    endedAt,
    durationMs: endedAt === undefined ? undefined : endedAt - startedAt,
    isWatched: ending?.isWatched,
    verdict: ending?.verdict,
    reason: ending?.reason,
    evidence: ending?.evidence,
    exitCode: ending?.exitCode,
    signal: ending?.signal,
  }
}

/** The figures of a live run, which its result replaces later. */
function countSoFar(state: RunState, {tokens, costUsd, isEstimate}: Usage) {
  return {
    tokens: tokens ?? null,
    costUsd: costUsd ?? null,
    isEstimate: isEstimate && costUsd !== undefined,
    turns: state.turns,
    toolCount: state.toolCount,
    failedToolCount: state.failedToolCount,
    deniedCount: state.deniedCount,
    ...countFiles(state),
  }
}

/** Picks the published part of a result. */
export function pickEnding(result: RunEnding): RunEnding {
  return Object.fromEntries(
    ENDING_FIELDS.map((name) => [name, result[name]]),
  ) as unknown as RunEnding
}
