import type {Adapter} from '../events/adapter.ts'
import {countFiles} from './file-table.ts'
import type {Usage} from './ledger.ts'
import type {Ending, ProcessEnd, RunResult} from './run-result.ts'
import type {RunState} from './run-state.ts'
import {judgeRun, type StopCause, type VerdictKind} from './verdict.ts'
import type {Waiting} from './waiting.ts'
import {formatCount} from '../text/figures.ts'

/** The facts that the result of a run is made from. */
interface Findings {
  record: Pick<RunResult, 'runId' | 'agent' | 'startedAt'>
  dir: string
  agent: Adapter | null
  state: RunState
  end: ProcessEnd
  stop: {cause: StopCause; reason: string} | undefined
  ending: Ending | undefined
  endedAt: number
  usage: Usage
  estimateUsd: number | undefined
  lines: number
  lastTool: string
  lastError: string
  /** The waiting state at the time of the stop. */
  waitingAtStop?: Waiting | undefined
  evidence: string[]
  /** Whether the working directory was watched for file changes. */
  isWatched: boolean
}

/** Creates the result of a run: verdict, evidence and figures. */
export function makeResult(findings: Findings): RunResult {
  const {record, dir, agent, state, end, stop, ending, endedAt, lastError, usage} = findings
  const {verdict, reason} = judgeRun(state, {
    ...end,
    stop,
    exitCodes: agent?.exitCodes,
    ignoredExitCodes: agent?.ignoredExitCodes,
    lastError,
    isUnknownAgent: agent === null,
  })
  // A hook that stops a turn does not make the agent fail.
  const isExpected = verdict === 'succeeded' || verdict === 'stopped'
  const evidence = [
    ...(isExpected && end.exitCode === 0 ? [] : describeEnd(end, ending)),
    ...(stop?.cause === 'linger'
      ? ['process stayed alive after its last turn and was terminated']
      : []),
    ...(stop?.cause === 'silence' && lastError !== '' ? [`last line on stderr: ${lastError}`] : []),
    ...describeCut(state),
    ...describeGaps(state, verdict),
    ...findings.evidence,
    ...describePending(state, findings.waitingAtStop),
  ].filter((text) => text !== reason)
  return {
    runId: record.runId,
    dir,
    agent: record.agent,
    verdict,
    reason,
    evidence,
    ...end,
    ended: ending,
    startedAt: record.startedAt,
    durationMs: endedAt - record.startedAt,
    costUsd: usage.costUsd ?? null,
    isEstimate: usage.isEstimate && usage.costUsd !== undefined,
    estimateUsd: findings.estimateUsd ?? null,
    tokens: usage.tokens ?? null,
    turns: state.turns,
    toolCount: state.toolCount,
    failedToolCount: state.failedToolCount,
    deniedCount: state.deniedCount,
    ...countFiles(state),
    isWatched: findings.isWatched,
    lines: findings.lines,
    malformed: state.malformedCount,
    unknown: state.unknownCount,
    lastSeen: findings.lastTool,
    text: state.lastTurn?.text ?? '',
  }
}

function describeEnd({exitCode, signal}: ProcessEnd, ending: Ending | undefined): string[] {
  if (exitCode !== null) return [`exit code ${exitCode}`]
  if (signal === null) return ['process ended while not supervised, exit code unknown']
  return ending?.signal === signal ? [] : [`ended by ${signal}`]
}

/** Describes gaps in a stream: malformed lines, and tool calls and results without their counterpart. */
function describeGaps(state: RunState, verdict: VerdictKind): string[] {
  const {malformedCount, firstMalformedLine, cutLine, lastLine} = state
  const {unfinishedToolCount, firstUnfinishedTool = '', orphanResultCount} = state
  const gaps: string[] = []
  const damagedCount = malformedCount - (cutLine === lastLine ? 1 : 0)
  if (damagedCount > 0) {
    gaps.push(`${formatCount(damagedCount, 'malformed line')}, first at line ${firstMalformedLine}`)
  }
  // Open tools are expected in an interrupted run, but not after a success.
  if (verdict === 'succeeded' && unfinishedToolCount > 0) {
    gaps.push(
      `${formatCount(unfinishedToolCount, 'tool call')} without a result: ${firstUnfinishedTool}`,
    )
  }
  if (orphanResultCount > 0)
    gaps.push(`${formatCount(orphanResultCount, 'tool result')} without a call`)
  return gaps
}

/** Describes work that was pending when the run ended. */
function describePending({wakeUps, openHooks}: RunState, waiting: Waiting | undefined): string[] {
  const isCut = waiting?.why === 'finishing' || waiting?.why === 'queued-input'
  return [
    ...(isCut ? [`unfinished: ${waiting.detail}`] : []),
    ...openHooks.map(({detail}) => `hook did not finish: ${detail}`),
    ...wakeUps.map(
      ({detail}) => `planned wake-up did not run${detail === '' ? '' : `: ${detail}`}`,
    ),
  ].slice(0, MAX_PENDING)
}

const MAX_PENDING = 3

function describeCut({cutLine, lastLine}: RunState): string[] {
  return cutLine === lastLine ? [`output stops in the middle of line ${lastLine}`] : []
}
