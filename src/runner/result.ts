import {
  judgeRun,
  listFiles,
  type Adapter,
  type Ending,
  type RunResult,
  type RunState,
  type Spent,
  type StopCause,
} from '../core/index.ts'
import type {RunRecord} from '../recording/index.ts'
import type {ProcessEnd} from './supervise.ts'

/** All that was found out about a run that is over. */
interface Findings {
  record: RunRecord
  dir: string
  agent: Adapter | null
  state: RunState
  end: ProcessEnd
  stop: {cause: StopCause; reason: string} | undefined
  ending: Ending | undefined
  endedAt: number
  spent: Spent
  estimateUsd: number | undefined
  lines: number
  lastTool: string
  lastError: string
  evidence: string[]
  /** Whether all changes of files in the folder were seen. */
  isWatched: boolean
}

/** The result of a run, from what was found out about it. */
export function makeResult(findings: Findings): RunResult {
  const {record, dir, agent, state, end, stop, ending, endedAt, lastError, spent} = findings
  const {verdict, reason} = judgeRun(state, {
    ...end,
    stop,
    exitCodes: agent?.exitCodes,
    harmlessExitCodes: agent?.harmlessExitCodes,
    lastError,
    isOpaque: agent === null,
  })
  const files = Object.values(listFiles(state))
  const evidence = [
    ...(verdict === 'succeeded' && end.exitCode === 0 ? [] : describeEnd(end, ending)),
    ...(stop?.cause === 'linger' ? ['lingered after its last turn and was ended'] : []),
    ...(stop?.cause === 'silence' && lastError !== '' ? [`last on stderr: ${lastError}`] : []),
    ...describeCut(state),
    ...findings.evidence,
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
    costUsd: spent.costUsd ?? null,
    isEstimate: spent.isEstimate && spent.costUsd !== undefined,
    estimateUsd: findings.estimateUsd ?? null,
    tokens: spent.tokens ?? null,
    turns: state.turns,
    toolCount: state.toolCount,
    failedToolCount: state.failedToolCount,
    deniedCount: state.deniedCount,
    fileCount: files.length,
    isWatched: findings.isWatched,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    lines: findings.lines,
    malformed: state.malformedCount,
    unknown: state.unknownCount,
    lastSeen: findings.lastTool,
    text: state.lastTurn?.text ?? '',
  }
}

function describeEnd({exitCode, signal}: ProcessEnd, ending: Ending | undefined): string[] {
  if (exitCode !== null) return [`exit code ${exitCode}`]
  if (signal === null) return ['nobody saw its exit code']
  return ending?.signal === signal ? [] : [`ended by ${signal}`]
}

function describeCut({cutLine, lastLine}: RunState): string[] {
  return cutLine === lastLine ? [`output stops in the middle of line ${lastLine}`] : []
}
