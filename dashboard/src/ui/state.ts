import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {VerdictKind} from '../../../src/core/run/verdict.ts'
import {
  STATE_WORDS,
  toStateKind,
  VERDICT_WORDS,
  type StateKind,
} from '../../../src/core/words/state-words.ts'
import type {IconName} from './icon.tsx'

/** The colour of a state. `you` and `stuck` are solid: a person is needed. */
export type Tone = 'run' | 'wait' | 'ok' | 'bad' | 'idle' | 'you' | 'stuck'

/** The word for a state, with its colour and its icon. */
export interface StateWord extends StateStyle {
  word: string
}

interface StateStyle {
  tone: Tone
  /** `live` is the pulsing dot. */
  icon: IconName | 'live'
}

/** Describes the state of a run or session in a word. */
export function describeState(run: RunSummary): StateWord {
  if (!isRun(run)) return describeSession(run)
  if (run.verdict !== undefined) return describeVerdict(run.verdict)
  const state = stateOf(run)
  return {...STATE_STYLES[state], word: STATE_WORDS[state]}
}

/** Whether Vitrine supervises it; a session is only observed: it has no verdict, and takes no commands. */
export function isRun({kind}: Pick<RunSummary, 'kind'>): boolean {
  return kind === 'run'
}

/** Whether a session waits for a prompt. */
export function isIdle({state, waiting}: RunSummary): boolean {
  return state === 'idle' || (state !== 'over' && waiting?.why === 'idle')
}

/** Describes a verdict in a word. */
export function describeVerdict(verdict: VerdictKind): StateWord {
  return {...VERDICT_STYLES[verdict], word: VERDICT_WORDS[verdict]}
}

/** Whether a run waits for an answer to a permission request. */
export function needsAnswer(run: RunSummary): boolean {
  if (run.state === 'over') return false
  return run.requests.length > 0 || run.waiting?.why === 'waiting-for-permission'
}

/** Whether a person is needed: to answer a request, or because the run is stuck. */
export function needsAttention(run: RunSummary): boolean {
  return run.state !== 'over' && (needsAnswer(run) || (isRun(run) && run.isStuck))
}

/** Whether a run ended with an error. */
export function endedBadly(run: RunSummary): boolean {
  return isRun(run) && run.verdict !== undefined && VERDICT_STYLES[run.verdict].tone === 'bad'
}

function describeSession(run: RunSummary): StateWord {
  if (run.state === 'over') return {tone: 'idle', icon: 'text', word: STATE_WORDS.ended}
  if (needsAnswer(run)) return {...STATE_STYLES['needs-you'], word: STATE_WORDS['needs-you']}
  if (isIdle(run)) return {tone: 'idle', icon: 'clock', word: STATE_WORDS.idle}
  return {tone: 'run', icon: 'live', word: 'Live'}
}

function stateOf(run: RunSummary): StateKind {
  if (run.state === 'over') return 'ended'
  if (needsAnswer(run)) return 'needs-you'
  if (run.isStuck) return 'stuck'
  if (run.waiting !== undefined) return toStateKind(run.waiting.why)
  return run.state === 'starting' ? 'starting' : 'working'
}

const STATE_STYLES: Readonly<Record<StateKind, StateStyle>> = {
  starting: {tone: 'run', icon: 'live'},
  working: {tone: 'run', icon: 'live'},
  'needs-you': {tone: 'you', icon: 'hand'},
  stuck: {tone: 'stuck', icon: 'stuck'},
  retrying: {tone: 'wait', icon: 'retry'},
  'rate-limited': {tone: 'wait', icon: 'gauge'},
  compacting: {tone: 'wait', icon: 'compact'},
  scheduled: {tone: 'wait', icon: 'hourglass'},
  idle: {tone: 'idle', icon: 'hourglass'},
  suspended: {tone: 'wait', icon: 'hourglass'},
  lingering: {tone: 'wait', icon: 'hourglass'},
  ended: {tone: 'idle', icon: 'stop'},
}

const VERDICT_STYLES: Readonly<Record<VerdictKind, StateStyle>> = {
  succeeded: {tone: 'ok', icon: 'ok'},
  failed: {tone: 'bad', icon: 'fail'},
  stopped: {tone: 'idle', icon: 'stop'},
  truncated: {tone: 'bad', icon: 'cutoff'},
  'timed-out': {tone: 'bad', icon: 'timeout'},
  'over-budget': {tone: 'bad', icon: 'budget'},
  // Not solid: the run has ended, and no action is possible.
  stuck: {tone: 'bad', icon: 'stuck'},
}
