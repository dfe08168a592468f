import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {Waiting, WaitingKind} from '../../../src/core/run/waiting.ts'
import {shortenPath} from '../../../src/core/text/shorten-path.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {describeVerdict, formatAttempt, WAITING_WORDS} from '../../../src/core/words/state-words.ts'
import {
  formatCost,
  formatElapsed,
  formatMinutes,
  formatRemaining,
  formatTime,
  formatWhen,
} from './figures.ts'
import {describeDeletion} from './deletion.ts'
import {isIdle, isRun, needsAnswer} from './state.ts'

/** A part of a sentence: our own text, or text of the agent. */
export type WhyPart = string | {code: string}

/** Why a run is in its state: what and for how long, then the evidence and what happens next (may be empty). */
export type WhyLine = readonly [first: readonly WhyPart[], second: string]

/** Explains why a run is in its state. */
export function explainState(run: RunSummary, now: number): WhyLine {
  const {waiting} = run
  if (!isRun(run)) {
    const line = explainSession(run, now)
    if (line !== undefined) return line
  }
  if (run.state === 'over') return explainEnd(run)
  if (needsAnswer(run)) return explainRequest(run, now)
  if (waiting === undefined) return [['Starting'], 'Waiting for the agent’s first line.']
  const took = formatElapsed(now - waiting.since)
  if (run.isStuck && waiting.why !== 'waiting-for-tool') return explainSilence(run, took)
  switch (waiting.why) {
    case 'starting':
      return [[`${nameWaiting(waiting)}, ${took}`], 'Waiting for the agent’s first line.']
    case 'writing':
    case 'thinking':
      return [[`${nameWaiting(waiting)}, ${took}`], '']
    case 'waiting-for-tool': {
      const second = run.isStuck ? 'Over the limit for one tool.' : 'Tool running'
      const verb = VERBS[waiting.detail.split(': ', 1)[0] ?? ''] ?? 'Running'
      return [[`${verb} `, {code: subjectOf(run)}, ` for ${took}`], second]
    }
    case 'waiting-for-permission':
      return explainRequest(run, now)
    case 'api-retry':
      return [[describeTry(waiting)], describePause(waiting, now)]
    case 'rate-limited':
      return [[capitalize(waiting.detail) || 'Limit reached'], describeLimit(waiting, now)]
    case 'compacting':
      return [[`Compacting the context, ${took}`], '']
    case 'background': {
      const count = Math.max(run.taskCount, 1)
      const tasks =
        count === 1 ? '1 background task still runs' : `${count} background tasks still run`
      return [[`Turn ended; ${tasks}`], escapeControls(waiting.detail)]
    }
    case 'hook':
      return [['Running hook ', {code: escapeControls(waiting.detail)}, ` for ${took}`], '']
    case 'scheduled':
      return [['Turn ended; the agent resumes automatically'], describeWakeUp(waiting, now)]
    case 'queued-input':
      return [[`${nameWaiting(waiting)}, ${took}`], escapeControls(waiting.detail)]
    case 'finishing':
      return [['Finished; running ', {code: escapeControls(waiting.detail)}, ` for ${took}`], '']
    case 'suspended':
      return explainSuspension(waiting, took)
    case 'silent':
      return [[`No output for ${took}`], 'No tool, no retry, no request open.']
    case 'idle':
      return [[`Waiting for your next prompt, ${took}`], '']
    case 'lingering':
      return [['Finished, but the process is still alive'], `Last output ${took} ago.`]
    default:
      return waiting.why satisfies never
  }
}

/** Describes the detail of a state in two or three words, to be shown under its pill. */
export function describeAspect(run: RunSummary, now: number): string {
  const {waiting} = run
  if (run.state === 'over') return ''
  if (!isRun(run) && !needsAnswer(run)) {
    if (isIdle(run)) return formatMinutes(now - idleSince(run, now))
    return run.writtenAt === undefined ? '' : describeWritten(run.writtenAt, now)
  }
  if (waiting === undefined) return ''
  const took = formatElapsed(now - waiting.since)
  if (needsAnswer(run)) return formatElapsed(now - (run.requests[0]?.askedAt ?? waiting.since))
  if (run.isStuck) return took
  switch (waiting.why) {
    case 'starting':
    case 'waiting-for-permission':
    case 'compacting':
    case 'idle':
    case 'hook':
    case 'queued-input':
    case 'finishing':
    case 'suspended':
    case 'lingering':
      return took
    case 'background':
      return run.taskCount > 1 ? `${run.taskCount} in background` : 'in background'
    case 'api-retry':
      if (waiting.attempt === undefined) return took
      // A number alone is unclear.
      return `${waiting.of === undefined ? 'try ' : ''}${formatAttempt(waiting, ' of ')}`
    case 'rate-limited':
    case 'scheduled':
      return waiting.until === undefined ? took : `until ${formatWhen(waiting.until, now)}`
    case 'writing':
    case 'thinking':
    case 'waiting-for-tool':
    case 'silent':
      return WAITING_WORDS[waiting.why]
    default:
      return waiting.why satisfies never
  }
}

/** The input of the running tool without its name: `npm test` of `Bash: npm test`. */
export function subjectOf({waiting, cwd}: RunSummary): string {
  const {detail = ''} = waiting ?? {}
  const at = detail.indexOf(': ')
  return escapeControls(at === -1 ? detail : shortenPath(detail.slice(at + 2), cwd)) || 'a tool'
}

/** Verbs for tools that do not run anything. */
const VERBS: Readonly<Record<string, string>> = {
  Read: 'Reading',
  Edit: 'Editing',
  Write: 'Writing',
  Grep: 'Searching',
  Glob: 'Searching',
}

/** Explains what is different for a session: Vitrine only reads its files. */
function explainSession(run: RunSummary, now: number): WhyLine | undefined {
  const {state, writtenAt, endedAt} = run
  if (state === 'over') {
    const at = endedAt ?? writtenAt
    const first = at === undefined ? 'Ended' : `Ended at ${formatWhen(at)}`
    return [[first], describeDeletion(run, Date.now()) ?? '']
  }
  if (needsAnswer(run)) return undefined
  if (isIdle(run)) {
    const ended = `The turn ended at ${formatWhen(idleSince(run, now), now)}`
    return [[ended], 'The agent waits for a prompt in its terminal.']
  }
  if (activityOf(run) !== undefined) return undefined
  const words = writtenAt === undefined ? '' : describeWritten(writtenAt, now)
  return [[capitalize(words) || 'Live'], '']
}

/** The work or wait of a run; of a session only if its files show one: a silent one may just not be written. */
export function activityOf(run: RunSummary): Waiting | undefined {
  const {waiting} = run
  return waiting !== undefined && !isRun(run) && UNSEEN.has(waiting.why) ? undefined : waiting
}

const UNSEEN: ReadonlySet<WaitingKind> = new Set(['starting', 'silent', 'lingering', 'finishing'])

function idleSince({waiting, writtenAt}: RunSummary, now: number): number {
  return waiting?.since ?? writtenAt ?? now
}

function describeWritten(writtenAt: number, now: number): string {
  return `written ${formatElapsed(now - writtenAt)} ago`
}

function explainRequest(run: RunSummary, now: number): WhyLine {
  const [request] = run.requests
  const askedAt = request?.askedAt ?? run.waiting?.since ?? now
  const ago = `Asked ${formatElapsed(now - askedAt)} ago.`
  // Such a request can be answered on the agent's own screen only.
  if (!isRun(run) || (request !== undefined && request.requestId === undefined)) {
    return [['Waiting for an answer on its own screen'], `${ago} It cannot be answered here.`]
  }
  return [['Waiting for your answer'], `${ago} Nothing runs until you answer.`]
}

function explainSuspension(waiting: Waiting, took: string): WhyLine {
  return [[`${nameWaiting(waiting)} for ${took}`], 'Send SIGCONT to the agent to continue.']
}

/** Explains a run that was silent for longer than its limit. */
function explainSilence({waiting}: RunSummary, took: string): WhyLine {
  if (waiting?.why === 'suspended') return explainSuspension(waiting, took)
  const second =
    waiting?.why === 'api-retry'
      ? describeTry(waiting)
      : waiting?.why === 'starting'
        ? 'No output so far.'
        : 'No tool, no retry, no request open.'
  return [[`Silent for ${took}`], second]
}

function explainEnd(run: RunSummary): WhyLine {
  const reason = escapeControls(run.reason ?? '')
  const took = formatTime(run.durationMs ?? 0)
  const second = escapeControls(run.evidence?.[0] ?? '')
  switch (run.verdict) {
    case 'succeeded': {
      const cost = run.costUsd === null ? '' : ` for ${formatCost(run.costUsd, run.isEstimate)}`
      return [[`Succeeded in ${took}${cost}`], second]
    }
    case 'failed':
    case 'stopped':
      return [[describeVerdict(run.verdict, reason || 'no reason given')], second]
    case 'truncated':
      return [[describeCut(run, reason)], second]
    case 'timed-out':
      return [[`Ran past its limit: ${reason}`], second]
    case 'over-budget':
      return [[`Stopped at ${reason}`], second]
    case 'stuck':
      return [[`${capitalize(reason)}, then stopped`], second]
    case undefined:
      return [['Ended, verdict pending'], '']
    default:
      return run.verdict satisfies never
  }
}

function describeCut({exitCode}: RunSummary, reason: string): string {
  if (exitCode === undefined || exitCode === null) return capitalize(reason)
  return exitCode === 0 ? `Exit 0, but ${reason}` : `Exit ${exitCode}: ${reason}`
}

function describeTry(waiting: Waiting): string {
  const what = capitalize(waiting.detail) || 'The request failed'
  const attempt = formatAttempt(waiting, ' of ')
  return attempt === '' ? what : `${what}, try ${attempt}`
}

function describePause({since, until}: Waiting, now: number): string {
  const waited = `Waited ${formatElapsed(now - since)} so far.`
  return until === undefined || until <= now
    ? waited
    : `Next retry in ${formatRemaining(until - now)}. ${waited}`
}

function describeWakeUp({detail, until}: Waiting, now: number): string {
  const when =
    until === undefined ? '' : `At ${formatWhen(until, now)}, in ${formatRemaining(until - now)}`
  return [when, escapeControls(detail)].filter((text) => text !== '').join(': ')
}

function describeLimit({until}: Waiting, now: number): string {
  if (until === undefined) return 'Resumes automatically.'
  if (until <= now) return 'Should resume now.'
  return `Resumes automatically at ${formatWhen(until, now)}, in ${formatRemaining(until - now)}.`
}

function capitalize(text: string): string {
  const escaped = escapeControls(text)
  return escaped.charAt(0).toUpperCase() + escaped.slice(1)
}

function nameWaiting({why}: Waiting): string {
  return capitalize(WAITING_WORDS[why])
}
