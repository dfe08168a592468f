// Cases about waiting states and about runs that end after waiting.

import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {DONE, joinText} from './case.js'

/** @import {Case} from './case.js' */
/** @import {Program} from './programs.js' */
/** @import {Seen} from './try-case.js' */
/** @import {AgentProfile} from './profiles.js' */

/** @typedef {{why: string, detail: string, since: number, until?: number, attempt?: number}} Waiting */

const POLL_INTERVAL_MS = 250
const MAX_WAIT_MS = 60_000

/** All waiting states of a run that the hub reported. @type {WeakMap<Seen, Waiting[]>} */
const observed = new WeakMap()

/** @type {Case[]} */
export const waitingCases = [
  {
    name: 'wake-up',
    title: 'scheduled wake-up',
    about: 'Vitrine waits for a scheduled wake-up, with its time, and does not cut it off',
    isFor: isNewClaude,
    isUntraced: true,
    options: ['--linger', '2s'],
    verdict: 'stopped',
    script: () => ({
      main: [
        {
          tools: [
            {
              name: 'ScheduleWakeup',
              input: {delaySeconds: 60, reason: 'check the build', prompt: 'Check it'},
            },
          ],
        },
        DONE,
        // On a slow machine the wake-up may run.
        {...DONE, isSpare: true},
      ],
    }),
    // The shortest delay that Claude accepts is a minute.
    meanwhile: async (seen) => {
      await waitForState(seen, 'scheduled')
      await delay(5000)
      await observe(seen)
      seen.interrupt()
    },
    check: (seen, check) => {
      const {verdict} = seen
      const last = observed.get(seen)?.at(-1)
      check('the run waits for the wake-up', last?.why === 'scheduled', last)
      check('the time of the wake-up', (last?.until ?? 0) > Date.now(), last)
      const wanted = 'planned wake-up did not run: check the build'
      check('the wake-up is in the evidence', verdict.evidence.includes(wanted), verdict.evidence)
    },
  },
  {
    name: 'compaction',
    title: 'compaction after a turn',
    about: '`/compact` between two messages on stdin takes longer than `--linger`',
    isFor: isNewClaude,
    options: ['--stdin', '--linger', '2s'],
    setup: () => ({prompt: null, stdin: ['one', '/compact', 'three'].map(toMessage).join('')}),
    speed: 1,
    script: () => ({
      main: [
        {pauseMs: 0, text: 'First answer.'},
        {pauseMs: 0, text: 'Third answer.'},
      ],
      others: {
        'Your task is to create a detailed summary': [
          {pauseMs: 6000, text: '<summary>One was answered.</summary>'},
        ],
      },
    }),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      check('both answers', joinText(seen.events) === 'First answer.Third answer.')
      checkObserved(seen, check, 'compacting')
    },
  },
  {
    name: 'exit-hook',
    title: 'hook at the end',
    about: 'a SessionEnd hook that takes longer than `--linger` runs to its end',
    isFor: isNewClaude,
    options: ['--linger', '2s'],
    setup: () => hooks('SessionEnd', 'sleep 6; touch hooked.txt'),
    script: () => ({main: [DONE]}),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      check('the file that the hook writes', existsSync(join(seen.cwd, 'hooked.txt')))
      checkObserved(seen, check, 'finishing')
      check(
        'no evidence of an early end',
        seen.verdict.evidence.length === 0,
        seen.verdict.evidence,
      )
    },
  },
  {
    name: 'prompt-blocked',
    title: 'prompt blocked',
    about: 'a hook that blocks the prompt stops the run, with its reason',
    isFor: isNewClaude,
    verdict: 'stopped',
    setup: () => hooks('UserPromptSubmit', 'echo "frozen until Monday" >&2; exit 2'),
    script: () => ({main: [{...DONE, isSpare: true}]}),
    check: ({verdict}, check) => {
      const wanted = 'prompt blocked by a hook: frozen until Monday'
      check('the reason', verdict.reason === wanted, verdict.reason)
      check('no request to the model', verdict.turns === 0, verdict.turns)
    },
  },
  {
    name: 'hook-stops',
    title: 'stopped by a hook',
    about: 'a hook that ends the turn after a tool stops the run, with its reason',
    isFor: isNewClaude,
    verdict: 'stopped',
    setup: () => ({
      ...hooks('PostToolUse', `echo '{"continue":false,"stopReason":"no more tools"}'`),
      args: ['--include-hook-events'],
    }),
    script: ({shell}) => ({main: [{tools: [shell('echo hi')]}, {...DONE, isSpare: true}]}),
    check: ({verdict}, check) => {
      check('the reason', verdict.reason === 'by a hook: no more tools', verdict.reason)
    },
  },
  {
    name: 'suspended',
    title: 'SIGSTOP',
    about:
      'a suspended agent is reported as such, counts as stuck and is terminated without SIGKILL',
    isUntraced: true,
    isFor: isNewClaude,
    options: ['--silence', '4s', '--on-stuck', 'stop'],
    verdict: 'stuck',
    script: ({shell}, {mark}) => ({
      main: [{tools: [shell(`sleep 2; true ${mark}`)]}, {...DONE, isSpare: true}],
    }),
    meanwhile: async (seen) => {
      await waitForState(seen, 'waiting-for-tool')
      process.kill(readPid(seen), 'SIGSTOP')
      await observeToEnd(seen)
    },
    check: (seen, check) => {
      const {reason, evidence, ended} = seen.verdict
      checkObserved(seen, check, 'suspended')
      check('the reason', reason.startsWith('suspended (SIGSTOP)'), reason)
      check('the diagnosis', evidence.join().includes('process alive'), evidence)
      check('SIGKILL was not needed', ended?.wasForced === false, ended)
    },
  },
  {
    name: 'retry-after',
    title: 'retry-after',
    about: 'an announced wait does not count as silence, and the hub has its end time',
    isFor: isNewClaude,
    options: ['--silence', '4s', '--on-stuck', 'stop'],
    script: () => ({
      main: [
        {error: {status: 429, kind: 'rate_limit_error', message: 'Busy', retryAfterS: 12}},
        DONE,
      ],
    }),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      const retry = checkObserved(seen, check, 'api-retry')
      const waitMs = (retry?.until ?? 0) - (retry?.since ?? 0)
      check('until the next attempt', waitMs > 10_000 && waitMs < 20_000, retry)
    },
  },
  {
    name: 'retry-on-stderr',
    title: 'retry on stderr',
    about: 'a retry that it reports only on stderr is a waiting state of the run',
    isFor: (_, {agent}) => agent === 'gemini',
    script: ({overloaded}) => ({main: [{error: {...overloaded, message: 'Overloaded'}}, DONE]}),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      const retry = checkObserved(seen, check, 'api-retry')
      check('which attempt', retry?.attempt === 1 && retry.detail === 'HTTP 503', retry)
    },
  },
]

/**
 * Whether the program is Claude 2.1: older versions do not report waiting states.
 *
 * @param {AgentProfile} _
 * @param {Program} program
 */
function isNewClaude(_, {id}) {
  return id === 'claude'
}

/** @param {string} content */
function toMessage(content) {
  const message = {role: 'user', content}
  return `${JSON.stringify({type: 'user', message, parent_tool_use_id: null, session_id: ''})}\n`
}

/**
 * @param {string} event
 * @param {string} command
 */
function hooks(event, command) {
  const hook = {type: 'command', command, timeout: 60}
  const settings = {hooks: {[event]: [{hooks: [hook]}]}}
  return {files: {'.claude/settings.json': JSON.stringify(settings)}}
}

/**
 * Adds the current waiting state of a run to `observed`.
 *
 * @param {Seen} seen
 * @returns {Promise<{waiting?: Waiting, state?: string}>}
 */
async function observe(seen) {
  try {
    const {run} = JSON.parse(String(await seen.hub.get(`/api/runs/${seen.runId}`)))
    if (run.waiting !== undefined) {
      observed.set(seen, [...(observed.get(seen) ?? []), run.waiting])
    }
    return run
  } catch {
    // The run has not started yet.
    return {}
  }
}

/** @param {Seen} seen */
async function observeToEnd(seen) {
  await waitForState(seen, 'over')
}

/**
 * Waits until a run is in a state or has ended.
 *
 * @param {Seen} seen
 * @param {string} why
 */
async function waitForState(seen, why) {
  const endAt = Date.now() + MAX_WAIT_MS
  while (Date.now() < endAt) {
    const {state, waiting} = await observe(seen)
    if (state === 'over' || waiting?.why === why) return
    await delay(POLL_INTERVAL_MS)
  }
}

/**
 * @param {Seen} seen
 * @param {import('./case.js').Check} check
 * @param {string} why
 */
function checkObserved(seen, check, why) {
  const states = observed.get(seen) ?? []
  const found = states.find((state) => state.why === why)
  check(`the hub reported ${why}`, found, [...new Set(states.map((state) => state.why))])
  return found
}

/** @param {Seen} seen */
function readPid({dataDir, runId}) {
  const record = JSON.parse(readFileSync(join(dataDir, 'runs', runId, 'run.json'), 'utf8'))
  return Number(record.process.pid)
}
