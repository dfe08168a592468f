import type {RunState} from './run-state.ts'
import {cutText, toCleanLine} from '../text/text.ts'

/** All ways in which a run can end. */
export const VERDICTS = [
  'succeeded',
  'failed',
  'stopped',
  'truncated',
  'timed-out',
  'over-budget',
  'stuck',
] as const

/** How a run ended. */
export type VerdictKind = (typeof VERDICTS)[number]

/** How a run ended, with the reason. */
export interface Verdict {
  verdict: VerdictKind
  /** Text with control characters escaped. */
  reason: string
}

/** Why Vitrine ended a run. */
export type StopCause = 'user' | 'timeout' | 'cost' | 'turns' | 'silence' | 'tool' | 'linger'

/** Facts about the process of a run. */
export interface ProcessFacts {
  /** `null` when a signal ended the process, or its exit was not observed. */
  exitCode: number | null
  /** Such as `SIGKILL`. */
  signal: string | null
  /** Why Vitrine ended the process, if it did. */
  stop?: {cause: StopCause; reason: string} | undefined
  /** The meaning of the exit codes of the agent. */
  exitCodes?: Readonly<Record<number, string>> | undefined
  /** Exit codes that do not make a run fail after a turn without errors. */
  ignoredExitCodes?: readonly number[] | undefined
  /** The last line on stderr. */
  lastError?: string | undefined
  /** Whether there is no parser for the stream; then the exit code alone decides. */
  isUnknownAgent?: boolean | undefined
}

/**
 * Judges how a run ended by its stream alone. A last turn without errors is not enough: a background task or the last
 * line may be incomplete.
 */
export function judgeStream(state: RunState): Verdict {
  const {lastTurn, openTasks, status} = state
  if (isCut(state)) return {verdict: 'truncated', reason: 'the last line is incomplete'}
  const isOver = lastTurn !== undefined && status === 'idle'
  // An interactive session is idle after an interruption, and its last turn is the one before.
  if (state.isInterrupted && (state.isInteractive || !(isOver && lastTurn.ok))) {
    return {verdict: 'stopped', reason: 'interrupted'}
  }
  if (lastTurn === undefined) return {verdict: 'truncated', reason: 'no turn end'}
  if (!isOver) return {verdict: 'truncated', reason: 'output stops in the middle of a turn'}
  if (!lastTurn.ok) {
    return {verdict: 'failed', reason: toBrief(lastTurn.errors?.[0]) || 'the turn failed'}
  }
  if (lastTurn.stopped !== undefined) return {verdict: 'stopped', reason: toBrief(lastTurn.stopped)}
  if (state.activity.type === 'compacting') {
    return {verdict: 'truncated', reason: 'output stops during a compaction'}
  }
  const [task] = openTasks
  if (task !== undefined) {
    const reason = `background task still running: ${toBrief(task.description)}`
    return {verdict: 'truncated', reason}
  }
  return {verdict: 'succeeded', reason: 'Last turn completed without errors'}
}

/**
 * Judges how a run ended by its stream and its process together. Agents exit with 0 after errors, and with 1 after
 * errors that they recovered from; a stream may end without errors although the process was stopped.
 */
export function judgeRun(state: RunState, facts: ProcessFacts): Verdict {
  const {exitCode, isUnknownAgent = false} = facts
  const byUs = judgeStop(facts)
  if (byUs !== undefined) return byUs
  const judged: Verdict = isUnknownAgent ? judgeExitCode(exitCode) : judgeStream(state)
  if (judged.verdict === 'failed' || isCut(state)) return judged
  // A lingering agent has completed its work, so that the signal we sent does not count.
  if (facts.stop?.cause === 'linger') return judged
  const bySignal = judgeSignal(facts, judged)
  if (bySignal !== undefined) return bySignal
  if (exitCode === null || exitCode === 0 || judged.verdict === 'stopped') return judged
  const code = `exit code ${exitCode}`
  if (judged.verdict === 'succeeded' && !isUnknownAgent) {
    if (facts.ignoredExitCodes?.includes(exitCode) === true) return judged
    return {verdict: 'failed', reason: `${code} after a turn without errors`}
  }
  return {verdict: 'failed', reason: describeExit(facts) || code}
}

/** The exit code of `vitrine run` for a verdict. */
export function exitCodeOf(verdict: VerdictKind): number {
  return EXIT_CODES[verdict]
}

const EXIT_CODES: Readonly<Record<VerdictKind, number>> = {
  succeeded: 0,
  failed: 1,
  truncated: 1,
  'timed-out': 124,
  'over-budget': 125,
  stuck: 125,
  stopped: 130,
}

/** The verdict on a run that Vitrine stopped; a run stopped only for lingering is judged normally. */
function judgeStop({stop}: ProcessFacts): Verdict | undefined {
  if (stop === undefined || stop.cause === 'linger') return undefined
  return {verdict: STOP_VERDICTS[stop.cause], reason: stop.reason}
}

const STOP_VERDICTS: Readonly<Record<Exclude<StopCause, 'linger'>, VerdictKind>> = {
  user: 'stopped',
  timeout: 'timed-out',
  cost: 'over-budget',
  turns: 'over-budget',
  silence: 'stuck',
  tool: 'stuck',
}

/** Signals that a program raises itself by a fault. */
const CRASH_SIGNALS = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
  'SIGSYS',
])

/** Exit codes of shells and programs that a signal ended: 128 plus its number. */
const SIGNAL_CODES: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  137: 'SIGKILL',
  143: 'SIGTERM',
}

function judgeSignal({signal, exitCode}: ProcessFacts, judged: Verdict): Verdict | undefined {
  const name = signal ?? SIGNAL_CODES[exitCode ?? 0]
  if (name === undefined) return undefined
  if (CRASH_SIGNALS.has(name)) return {verdict: 'failed', reason: `crashed (${name})`}
  const how = name === 'SIGINT' ? 'interrupted' : name === 'SIGKILL' ? 'killed' : 'ended'
  const after = judged.verdict === 'succeeded' ? ', after a turn without errors' : ''
  return {verdict: 'stopped', reason: `${how} (${name})${after}`}
}

function judgeExitCode(exitCode: number | null): Verdict {
  if (exitCode === 0) return {verdict: 'succeeded', reason: 'exit code 0'}
  if (exitCode === null) return {verdict: 'truncated', reason: 'exit status unknown'}
  return {verdict: 'truncated', reason: `exit code ${exitCode}`}
}

/** The meaning of the exit code and the last line on stderr. */
function describeExit({exitCode, exitCodes = {}, lastError}: ProcessFacts): string {
  const meaning = exitCode === null ? undefined : exitCodes[exitCode]
  return [meaning, toBrief(lastError)].filter(Boolean).join(': ')
}

function isCut({cutLine, lastLine}: RunState): boolean {
  return cutLine === lastLine
}

const MAX_REASON_LENGTH = 300

/** The first line of a text of the agent, cut and escaped. */
function toBrief(text: string | undefined): string {
  return cutText(toCleanLine(text ?? '', 10_000), MAX_REASON_LENGTH)
}
