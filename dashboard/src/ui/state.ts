import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {VerdictKind} from '../../../src/core/run/verdict.ts'
import type {WaitingKind} from '../../../src/core/run/waiting.ts'
import type {IconName} from './icon.tsx'

/** The colour of a state. `you` and `stuck` are solid: a person is needed. */
export type Tone = 'run' | 'wait' | 'ok' | 'bad' | 'idle' | 'you' | 'stuck'

/** A state in a word, with its colour and its drawing. */
export interface StateWord {
  tone: Tone
  /** `live` is the dot that breathes. */
  icon: IconName | 'live'
  word: string
}

/** The state of a run, in a word. */
export function describeState(run: RunSummary): StateWord {
  if (run.verdict !== undefined) return describeVerdict(run.verdict)
  // It is over, and how is yet to be told.
  if (run.state === 'over') return {tone: 'idle', icon: 'stop', word: 'Ended'}
  if (needsAnswer(run)) return NEEDS_YOU
  if (run.isStuck) return STUCK
  if (run.waiting === undefined) return run.state === 'starting' ? STARTING : WORKING
  return WAITS[run.waiting.why]
}

/** How a run ended, in a word. */
export function describeVerdict(verdict: VerdictKind): StateWord {
  return VERDICTS[verdict]
}

/** Whether a run waits for somebody to allow something. */
export function needsAnswer(run: RunSummary): boolean {
  if (run.state === 'over') return false
  return run.requests.length > 0 || run.waiting?.why === 'waiting-for-permission'
}

/** Whether a person is needed: to answer, or to see why nothing happens. */
export function needsPerson(run: RunSummary): boolean {
  return run.state !== 'over' && (needsAnswer(run) || run.isStuck)
}

/** Whether a run ended, and not well. */
export function endedBadly(run: RunSummary): boolean {
  return run.verdict !== undefined && VERDICTS[run.verdict].tone === 'bad'
}

const WORKING: StateWord = {tone: 'run', icon: 'live', word: 'Working'}
const STARTING: StateWord = {tone: 'run', icon: 'live', word: 'Starting'}
const NEEDS_YOU: StateWord = {tone: 'you', icon: 'hand', word: 'Needs you'}
const IDLE: StateWord = {tone: 'idle', icon: 'hourglass', word: 'Idle'}
const STUCK: StateWord = {tone: 'stuck', icon: 'stuck', word: 'Stuck'}

const WAITS: Readonly<Record<WaitingKind, StateWord>> = {
  starting: STARTING,
  writing: WORKING,
  thinking: WORKING,
  'waiting-for-tool': WORKING,
  'waiting-for-permission': NEEDS_YOU,
  'api-retry': {tone: 'wait', icon: 'retry', word: 'Retrying'},
  'rate-limited': {tone: 'wait', icon: 'gauge', word: 'Rate-limited'},
  compacting: {tone: 'wait', icon: 'compact', word: 'Compacting'},
  hook: WORKING,
  background: WORKING,
  scheduled: {tone: 'wait', icon: 'hourglass', word: 'Scheduled'},
  'queued-input': WORKING,
  finishing: WORKING,
  silent: WORKING,
  idle: IDLE,
  suspended: {tone: 'wait', icon: 'hourglass', word: 'Suspended'},
  lingering: {tone: 'wait', icon: 'hourglass', word: 'Lingering'},
}

const VERDICTS: Readonly<Record<VerdictKind, StateWord>> = {
  succeeded: {tone: 'ok', icon: 'ok', word: 'Succeeded'},
  failed: {tone: 'bad', icon: 'fail', word: 'Failed'},
  stopped: {tone: 'idle', icon: 'stop', word: 'Stopped'},
  truncated: {tone: 'bad', icon: 'cutoff', word: 'Truncated'},
  'timed-out': {tone: 'bad', icon: 'timeout', word: 'Timed out'},
  'over-budget': {tone: 'bad', icon: 'budget', word: 'Over budget'},
  // Solid only while somebody can still do something about it.
  stuck: {tone: 'bad', icon: 'stuck', word: 'Stuck'},
}
