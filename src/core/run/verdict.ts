import type {RunState} from './run-state.ts'
import {cutText, firstLine, escapeControls} from '../text/text.ts'

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

/** How a run ended, in a word. */
export type VerdictKind = (typeof VERDICTS)[number]

/** How a run ended, and why that is said. */
export interface Verdict {
  verdict: VerdictKind
  /** In words, harmless to print. */
  reason: string
}

/** Why a run was ended from outside. */
export type StopCause = 'user' | 'timeout' | 'cost' | 'turns' | 'silence' | 'tool' | 'linger'

/** What is known of a run besides its stream. */
export interface ProcessFacts {
  /** `null` when a signal ended it, and when nobody was there to see. */
  exitCode: number | null
  /** Such as `SIGKILL`. */
  signal: string | null
  /** Why we ended it, if we did. */
  stop?: {cause: StopCause; reason: string} | undefined
  /** What the agent means by its exit codes. */
  exitCodes?: Readonly<Record<number, string>> | undefined
  /** Exit codes that say nothing against a turn that ended well. */
  ignoredExitCodes?: readonly number[] | undefined
  /** The last it said on stderr. */
  lastError?: string | undefined
  /** Whether its stream is of a kind that nobody reads: then the exit code is all there is. */
  isUnknownAgent?: boolean | undefined
}

/**
 * How a run ended, as far as its stream alone can tell. A turn that ended well is not enough: work in the
 * background may be cut off, and so may the last line.
 */
export function judgeStream(state: RunState): Verdict {
  const {lastTurn, openTasks, status} = state
  if (isCut(state)) return {verdict: 'truncated', reason: 'the last line is incomplete'}
  const isOver = lastTurn !== undefined && status === 'idle'
  // An interactive session is idle after an interruption: its last turn is the one before.
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
 * How a run ended: by its stream and by its process. Neither is believed alone. Agents exit with 0 after errors and
 * with 1 after errors that they got over, and a stream may end well while the process was told to stop.
 */
export function judgeRun(state: RunState, facts: ProcessFacts): Verdict {
  const {exitCode, isUnknownAgent = false} = facts
  const byUs = judgeStop(facts)
  if (byUs !== undefined) return byUs
  const judged: Verdict = isUnknownAgent ? judgeExitCode(exitCode) : judgeStream(state)
  if (judged.verdict === 'failed' || isCut(state)) return judged
  // Who lingers has done its work, and what we did to it says nothing.
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

/** The exit code of a supervisor for a verdict. */
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

/** The verdict on a run that we ended; one that had only to be helped out of the door is judged as any other. */
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

/** Signals that a program brings upon itself. */
const CRASH_SIGNALS = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
  'SIGSYS',
])

/** What shells and programs make of a signal that ended them: 128 and its number. */
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

/** What an exit code means, and what was said before it. */
function describeExit({exitCode, exitCodes = {}, lastError}: ProcessFacts): string {
  const meaning = exitCode === null ? undefined : exitCodes[exitCode]
  return [meaning, toBrief(lastError)].filter(Boolean).join(': ')
}

function isCut({cutLine, lastLine}: RunState): boolean {
  return cutLine === lastLine
}

const MAX_REASON_LENGTH = 300

/** The first line of what an agent says, short and harmless. */
function toBrief(text: string | undefined): string {
  return cutText(escapeControls(firstLine((text ?? '').slice(0, 10_000))), MAX_REASON_LENGTH)
}
