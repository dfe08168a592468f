// What Vitrine reports while an agent waits, and how a run ends that waited.

import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {BYE, saidIn} from './case.js'

/** @import {Case} from './case.js' */
/** @import {Program} from './programs.js' */
/** @import {Seen} from './try-case.js' */
/** @import {Tongue} from './tongues.js' */

/** @typedef {{why: string, detail: string, since: number, until?: number, attempt?: number}} Waiting */

const POLL_INTERVAL_MS = 250
/** No case takes longer. */
const MAX_WAIT_MS = 60_000

/** Every state that the hub reported of a run. @type {WeakMap<Seen, Waiting[]>} */
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
        BYE,
        // Should the machine be slow.
        {...BYE, isSpare: true},
      ],
    }),
    // The shortest delay that Claude accepts is a minute.
    meanwhile: async (seen) => {
      await untilState(seen, 'scheduled')
      await delay(5000)
      await observe(seen)
      seen.interrupt()
    },
    check: (seen, check) => {
      const {verdict} = seen
      const last = observed.get(seen)?.at(-1)
      check('the wake-up is waited for', last?.why === 'scheduled', last)
      check('until its time', (last?.until ?? 0) > Date.now(), last)
      const wanted = 'planned wake-up did not run: check the build'
      check('it is in the evidence', verdict.evidence.includes(wanted), verdict.evidence)
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
      check('both answers', saidIn(seen.events) === 'First answer.Third answer.')
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
    script: () => ({main: [BYE]}),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      check('what the hook did', existsSync(join(seen.cwd, 'hooked.txt')))
      checkObserved(seen, check, 'finishing')
      check('nothing was cut off', seen.verdict.evidence.length === 0, seen.verdict.evidence)
    },
  },
  {
    name: 'prompt-blocked',
    title: 'prompt blocked',
    about: 'a hook that blocks the prompt stops the run, with its reason',
    isFor: isNewClaude,
    verdict: 'stopped',
    setup: () => hooks('UserPromptSubmit', 'echo "frozen until Monday" >&2; exit 2'),
    script: () => ({main: [{...BYE, isSpare: true}]}),
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
    script: ({shell}) => ({main: [{tools: [shell('echo hi')]}, {...BYE, isSpare: true}]}),
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
      main: [{tools: [shell(`sleep 2; true ${mark}`)]}, {...BYE, isSpare: true}],
    }),
    meanwhile: async (seen) => {
      await untilState(seen, 'waiting-for-tool')
      process.kill(readPid(seen), 'SIGSTOP')
      await observeToEnd(seen)
    },
    check: (seen, check) => {
      const {reason, evidence, ended} = seen.verdict
      checkObserved(seen, check, 'suspended')
      check('the reason', reason.startsWith('suspended (SIGSTOP)'), reason)
      check('the diagnosis', evidence.join().includes('process alive'), evidence)
      check('it was not killed', ended?.wasForced === false, ended)
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
        BYE,
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
    script: ({overloaded}) => ({main: [{error: {...overloaded, message: 'Overloaded'}}, BYE]}),
    meanwhile: observeToEnd,
    check: (seen, check) => {
      const retry = checkObserved(seen, check, 'api-retry')
      check('which attempt', retry?.attempt === 1 && retry.detail === 'HTTP 503', retry)
    },
  },
]

/**
 * Older versions report none of this.
 *
 * @param {Tongue} _
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
 * Notes what the hub says that the run waits for.
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
    // It has not begun yet.
    return {}
  }
}

/** @param {Seen} seen */
async function observeToEnd(seen) {
  await untilState(seen, 'over')
}

/**
 * Waits until a run is in a state, or over.
 *
 * @param {Seen} seen
 * @param {string} why
 */
async function untilState(seen, why) {
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
  check(`the hub said ${why}`, found, [...new Set(states.map((state) => state.why))])
  return found
}

/** @param {Seen} seen */
function readPid({dataDir, runId}) {
  const record = JSON.parse(readFileSync(join(dataDir, 'runs', runId, 'run.json'), 'utf8'))
  return Number(record.process.pid)
}
