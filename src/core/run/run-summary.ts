import type {PlanItem, Tokens} from '../events/events.ts'
import type {Usage} from './ledger.ts'
import type {Progress} from './progress.ts'
import type {RunResult} from './run-result.ts'
import {countFiles, type RunState} from './run-state.ts'
import type {VerdictKind} from './verdict.ts'
import type {Waiting} from './waiting.ts'

/** What is known of a run from its beginning, and stays. */
export interface RunOrigin {
  /** `null` for a command that is no known agent. */
  agent: string | null
  /** What it was asked to do, in a line. */
  title: string
  cwd: string
  /** In milliseconds since 1970. */
  startedAt: number
  /** The machine that it runs on, when that is another. */
  host?: string | undefined
}

/** How a run ended, for those who were not there. */
export interface RunEnding extends Pick<
  RunResult,
  | 'verdict'
  | 'reason'
  | 'evidence'
  | 'exitCode'
  | 'signal'
  | 'durationMs'
  | 'costUsd'
  | 'isEstimate'
  | 'tokens'
  | 'turns'
  | 'toolCount'
  | 'failedToolCount'
  | 'deniedCount'
  | 'fileCount'
  | 'isWatched'
  | 'added'
  | 'removed'
> {}

/** What holds of a run: enough for a list of runs. */
export interface RunSummary extends RunOrigin {
  runId: string
  workOrderId: string
  state: RunState['status'] | 'over'
  /** What it does or waits for, while it runs. */
  waiting?: Waiting | undefined
  /** Whether it is past a limit of silence or of a tool. */
  isStuck: boolean
  percentage: number
  phase: string
  /** Only where there is ground to say it. */
  remainingMs?: number | undefined
  agentVersion?: string | undefined
  model?: string | undefined
  /** For whoever wants to resume it; screens do not show it unasked. */
  sessionId?: string | undefined
  /** `null` when the agent reported none. */
  tokens: Tokens | null
  /** `null` when that is not known. */
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
  /** What was asked for and not answered. */
  requests: {requestId?: string | undefined; name: string; askedAt: number}[]
  taskCount: number
  malformedCount: number
  unknownCount: number
  /** What it was busy with, as {@link Pulse} tells it: in the last ten minutes, or of one that is over in all of its time. */
  pulse?: string | undefined
  /** When it ended, and how. */
  endedAt?: number | undefined
  durationMs?: number | undefined
  /** Whether all changes of files were seen: without, a `fileCount` of 0 says nothing. */
  isWatched?: boolean | undefined
  verdict?: VerdictKind | undefined
  reason?: string | undefined
  evidence?: string[] | undefined
  exitCode?: number | null | undefined
  signal?: string | null | undefined
}

/** All that a summary is made of. */
export interface RunFindings {
  runId: string
  workOrderId: string
  origin: RunOrigin
  state: RunState
  usage: Usage
  progress: Progress
  /** While it runs. */
  waiting?: Waiting | undefined
  isStuck?: boolean | undefined
  /** The version of the agent, where its stream does not report it. */
  agentVersion?: string | undefined
  pulse?: string | undefined
  /** Once it is over. */
  ending?: RunEnding | undefined
}

/** A screen shows no more of a plan, and no message should carry it. */
const MAX_PLAN_ITEMS = 100

/** What holds of a run, in one object for lists and messages. */
export function summarizeRun(findings: RunFindings): RunSummary {
  const {runId, workOrderId, origin, state, usage, progress, waiting, ending} = findings
  const {agent, title, cwd, startedAt, host} = origin
  const figures = ending ?? countSoFar(state, usage)
  const requests = ending === undefined ? state.openRequests : []
  // Field by field: to spread so many takes most of the time in which a hub lists its runs.
  return {
    runId,
    workOrderId,
    agent,
    title,
    cwd,
    startedAt,
    host,
    state: ending === undefined ? state.status : 'over',
    waiting,
    isStuck: findings.isStuck ?? false,
    percentage: progress.percentage,
    phase: progress.phase,
    remainingMs: progress.remainingMs,
    agentVersion: state.agentVersion ?? findings.agentVersion,
    model: state.model,
    sessionId: state.sessionId,
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
    endedAt: ending && startedAt + ending.durationMs,
    durationMs: ending?.durationMs,
    isWatched: ending?.isWatched,
    verdict: ending?.verdict,
    reason: ending?.reason,
    evidence: ending?.evidence,
    exitCode: ending?.exitCode,
    signal: ending?.signal,
  }
}

/** The figures of a run that goes on, which its result tells later. */
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

/** What of a result is told to others. */
export function pickEnding(result: RunEnding): RunEnding {
  const {verdict, reason, evidence, exitCode, signal, durationMs, costUsd, isEstimate} = result
  const {tokens, turns, toolCount, failedToolCount, deniedCount} = result
  const {fileCount, isWatched, added, removed} = result
  return {
    verdict,
    reason,
    evidence,
    exitCode,
    signal,
    durationMs,
    costUsd,
    isEstimate,
    tokens,
    turns,
    toolCount,
    failedToolCount,
    deniedCount,
    fileCount,
    isWatched,
    added,
    removed,
  }
}
