import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {Waiting} from '../../../src/core/run/waiting.ts'
import {shortenPath} from '../../../src/core/text/shorten-path.ts'
import {makeHarmless} from '../../../src/core/text/text.ts'
import {formatCost, formatElapsed, formatRemaining, formatTime, formatWhen} from './figures.ts'
import {needsAnswer} from './state.ts'

/** A piece of a sentence: words of ours, or of the agent. */
export type WhyPart = string | {code: string}

/** Why a run is as it is: what and for how long, then the evidence and what happens next (may be empty). */
export type WhyLine = readonly [first: readonly WhyPart[], second: string]

/** Says why a run is in its state. */
export function explainState(run: RunSummary, now: number): WhyLine {
  if (run.state === 'over') return explainEnd(run)
  const {waiting} = run
  if (needsAnswer(run)) return explainRequest(run, now)
  if (waiting === undefined) return [['Starting'], 'Waiting for the agent’s first line.']
  const took = formatElapsed(now - waiting.since)
  if (run.isStuck && waiting.why !== 'waiting-for-tool') return explainSilence(run, took)
  switch (waiting.why) {
    case 'starting':
      return [[`Starting, ${took}`], 'Waiting for the agent’s first line.']
    case 'writing':
      return [[`Writing, ${took}`], '']
    case 'thinking':
      return [[`Thinking, ${took}`], '']
    case 'waiting-for-tool': {
      const second = run.isStuck ? 'Past its limit for a tool.' : 'A tool is running, not stuck.'
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
      return [[`Making room in the context, ${took}`], '']
    case 'background': {
      const count = Math.max(run.taskCount, 1)
      const tasks =
        count === 1 ? '1 background task still runs' : `${count} background tasks still run`
      return [[`Turn ended; ${tasks}`], makeHarmless(waiting.detail)]
    }
    case 'hook':
      return [['Running hook ', {code: makeHarmless(waiting.detail)}, ` for ${took}`], '']
    case 'scheduled':
      return [['Turn ended; the agent wakes up by itself'], describeWakeUp(waiting, now)]
    case 'queued-input':
      return [[`Messages on stdin wait for an answer, ${took}`], makeHarmless(waiting.detail)]
    case 'finishing':
      return [['Finished; running ', {code: makeHarmless(waiting.detail)}, ` for ${took}`], '']
    case 'suspended':
      return [[`Suspended (SIGSTOP) for ${took}`], 'Send SIGCONT to the agent to continue.']
    case 'silent':
      return [[`No output for ${took}`], 'No tool, no retry, no request open.']
    case 'idle':
      return [[`Waiting for your next prompt, ${took}`], '']
    case 'lingering':
      return [['Finished, but the process is still alive'], `Its last words were ${took} ago.`]
    default:
      return waiting.why satisfies never
  }
}

/** What a state is about, in two or three words, to stand under its pill. */
export function describeAspect(run: RunSummary, now: number): string {
  const {waiting} = run
  if (waiting === undefined || run.state === 'over') return ''
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
    case 'waiting-for-tool':
      return 'waiting for tool'
    case 'background':
      return run.taskCount > 1 ? `${run.taskCount} in background` : 'in background'
    case 'api-retry':
      return waiting.attempt === undefined ? took : countTries(waiting)
    case 'rate-limited':
    case 'scheduled':
      return waiting.until === undefined ? took : `until ${formatWhen(waiting.until, now)}`
    case 'writing':
    case 'thinking':
    case 'silent':
      return waiting.why
    default:
      return waiting.why satisfies never
  }
}

/** What a tool is called with, without its name: `npm test` of `Bash: npm test`. */
export function subjectOf({waiting, cwd}: RunSummary): string {
  const {detail = ''} = waiting ?? {}
  const at = detail.indexOf(': ')
  return makeHarmless(at === -1 ? detail : shortenPath(detail.slice(at + 2), cwd)) || 'a tool'
}

/** What is done with a file is not run. */
const VERBS: Readonly<Record<string, string>> = {
  Read: 'Reading',
  Edit: 'Editing',
  Write: 'Writing',
  Grep: 'Searching',
  Glob: 'Searching',
}

function explainRequest(run: RunSummary, now: number): WhyLine {
  const [request] = run.requests
  const askedAt = request?.askedAt ?? run.waiting?.since ?? now
  const ago = `Asked ${formatElapsed(now - askedAt)} ago.`
  // Without an id nobody but the agent's own screen can answer.
  if (request !== undefined && request.requestId === undefined) {
    return [['Waiting for an answer on its own screen'], `${ago} It cannot be given here.`]
  }
  return [['Waiting for your answer'], `${ago} Nothing runs until you answer.`]
}

/** A run that says nothing for longer than it may. */
function explainSilence({waiting}: RunSummary, took: string): WhyLine {
  if (waiting?.why === 'suspended') {
    return [[`Suspended (SIGSTOP) for ${took}`], 'Send SIGCONT to the agent to continue.']
  }
  const second =
    waiting?.why === 'api-retry'
      ? describeTry(waiting)
      : waiting?.why === 'starting'
        ? 'Not a single line so far.'
        : 'No tool, no retry, no request open.'
  return [[`Silent for ${took}`], second]
}

function explainEnd(run: RunSummary): WhyLine {
  const reason = makeHarmless(run.reason ?? '')
  const took = formatTime(run.durationMs ?? 0)
  const second = makeHarmless(run.evidence?.[0] ?? '')
  switch (run.verdict) {
    case 'succeeded': {
      const cost = run.costUsd === null ? '' : ` for ${formatCost(run.costUsd, run.isEstimate)}`
      return [[`Succeeded in ${took}${cost}`], second]
    }
    case 'failed':
      return [[`Failed: ${reason || 'no reason told'}`], second]
    case 'stopped':
      return [[/^(by|from) /.test(reason) ? `Stopped ${reason}` : `Stopped: ${reason}`], second]
    case 'truncated':
      return [[describeCut(run, reason)], second]
    case 'timed-out':
      return [[`Ran past its limit: ${reason}`], second]
    case 'over-budget':
      return [[`Stopped at ${reason}`], second]
    case 'stuck':
      return [[`${capitalize(reason)}, then stopped`], second]
    case undefined:
      return [['Ended. How is yet to be told.'], '']
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
  return waiting.attempt === undefined ? what : `${what}, try ${countTries(waiting)}`
}

function countTries({attempt = 0, of}: Waiting): string {
  return of === undefined ? String(attempt) : `${attempt} of ${of}`
}

function describePause({since, until}: Waiting, now: number): string {
  const waited = `Waited ${formatElapsed(now - since)} so far.`
  return until === undefined || until <= now
    ? waited
    : `Next try in ${formatRemaining(until - now)}. ${waited}`
}

function describeWakeUp({detail, until}: Waiting, now: number): string {
  const when =
    until === undefined ? '' : `At ${formatWhen(until, now)}, in ${formatRemaining(until - now)}`
  return [when, makeHarmless(detail)].filter((text) => text !== '').join(': ')
}

function describeLimit({until}: Waiting, now: number): string {
  if (until === undefined) return 'Goes on by itself.'
  if (until <= now) return 'Should go on now.'
  return `Goes on by itself at ${formatWhen(until, now)}, in ${formatRemaining(until - now)}.`
}

function capitalize(text: string): string {
  const harmless = makeHarmless(text)
  return harmless.charAt(0).toUpperCase() + harmless.slice(1)
}
