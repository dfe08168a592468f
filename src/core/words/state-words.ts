import type {VerdictKind} from '../run/verdict.ts'
import type {Waiting, WaitingKind} from '../run/waiting.ts'

/** The word for each state of a run that has no verdict. */
export const STATE_WORDS = {
  starting: 'Starting',
  working: 'Working',
  'needs-you': 'Needs you',
  stuck: 'Stuck',
  retrying: 'Retrying',
  'rate-limited': 'Rate-limited',
  compacting: 'Compacting',
  scheduled: 'Scheduled',
  idle: 'Idle',
  suspended: 'Suspended',
  lingering: 'Lingering',
  ended: 'Ended',
} as const

/** The state of a run that has no verdict, as lists and headers show it. */
export type StateKind = keyof typeof STATE_WORDS

/** The word for each verdict. */
export const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  stopped: 'Stopped',
  truncated: 'Truncated',
  'timed-out': 'Timed out',
  'over-budget': 'Over budget',
  stuck: 'Stuck',
}

/** Returns the state of a run that does or waits for something. */
export function toStateKind(why: WaitingKind): StateKind {
  return STATES[why]
}

const STATES: Readonly<Record<WaitingKind, StateKind>> = {
  starting: 'starting',
  writing: 'working',
  thinking: 'working',
  'waiting-for-tool': 'working',
  'waiting-for-permission': 'needs-you',
  'api-retry': 'retrying',
  'rate-limited': 'rate-limited',
  compacting: 'compacting',
  hook: 'working',
  background: 'working',
  scheduled: 'scheduled',
  'queued-input': 'working',
  finishing: 'working',
  silent: 'working',
  idle: 'idle',
  suspended: 'suspended',
  lingering: 'lingering',
}

/** Describes a verdict with its reason: `Failed: API error 529`, `Stopped by you`, `Succeeded`. */
export function describeVerdict(verdict: VerdictKind, reason: string): string {
  const word = VERDICT_WORDS[verdict]
  if (verdict === 'succeeded' || reason === '') return word
  return /^(?:by|from) /.test(reason) ? `${word} ${reason}` : `${word}: ${reason}`
}

/** The words for the work or wait of a run, as a part of a sentence. */
export const WAITING_WORDS: Readonly<Record<WaitingKind, string>> = {
  starting: 'starting',
  writing: 'writing',
  thinking: 'thinking',
  'waiting-for-tool': 'waiting for tool',
  'waiting-for-permission': 'waiting for permission',
  'api-retry': 'API retry',
  'rate-limited': 'rate-limited',
  compacting: 'compacting',
  hook: 'hook',
  background: 'background',
  scheduled: 'waiting for a wake-up',
  'queued-input': 'waiting for answers to stdin',
  finishing: 'finishing',
  silent: 'silent',
  idle: 'idle',
  suspended: 'suspended (SIGSTOP)',
  lingering: 'finished, process still alive',
}

/** Describes the work or wait of a run: `waiting for tool: Bash: npm test`. */
export function describeWaiting({why, detail}: Pick<Waiting, 'why' | 'detail'>): string {
  return detail === '' ? WAITING_WORDS[why] : `${WAITING_WORDS[why]}: ${detail}`
}

/** Formats the number of an attempt: `3/10` or `3 of 10`, `3` without a limit, nothing when it is unknown. */
export function formatAttempt(
  {attempt, of}: Pick<Waiting, 'attempt' | 'of'>,
  separator: '/' | ' of ',
): string {
  if (attempt === undefined) return ''
  return of === undefined ? String(attempt) : `${attempt}${separator}${of}`
}
