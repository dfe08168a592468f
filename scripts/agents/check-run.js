// What must hold of every run, whatever the case.

import {createEventDecoder} from '../../dist/agents/parse.js'
import {withPendingUsage} from '../../dist/core/run/ledger.js'
import {initialRunState, reduceRunState} from '../../dist/core/run/run-state.js'
import {PRICES} from './commands.js'

/** @import {Case, Check} from './case.js' */
/** @import {Seen} from './try-case.js' */
/** @import {Tongue} from './tongues.js' */

/**
 * What must hold of every run.
 *
 * @param {Case} tried
 * @param {Seen} seen
 * @param {Check} check
 */
export function checkRun(tried, seen, check) {
  const {verdict, exitCode, messages, recorded, written, served, summary, tongue, server} = seen
  const wanted = tried.verdict ?? 'succeeded'
  check(`the verdict is ${wanted}`, verdict.verdict === wanted, verdict)
  check('the exit code says so', exitCode === EXIT_CODES[wanted], exitCode)
  check('no line is malformed', verdict.malformed === 0, verdict.malformed)
  check('no event is unknown', verdict.unknown === 0, verdict.unknown)
  check('the hub has the bytes of the recording', served.equals(recorded), served.length)
  check(
    'the recording is what was written',
    written === undefined || written.equals(recorded),
    `${written?.length} written, ${recorded.length} recorded`,
  )
  const numbers = messages.map(({seq}) => seq)
  check(
    'messages are numbered from 1 without a hole',
    numbers.every((seq, index) => seq === index + 1),
    numbers,
  )
  check('the first is run_started', messages[0]?.type === 'run_started', messages[0])
  const last = messages.at(-1)
  check('the last is run_ended, with the verdict', last?.verdict === wanted, last)
  check('the hub says the same', summary['verdict'] === wanted, summary['verdict'])
  check('and has the same cost', (summary['costUsd'] ?? null) === verdict.costUsd, summary)
  check('the script was followed', server.problems.length === 0, server.problems)
  if (wanted === 'succeeded') {
    check('no turn is left', server.leftOver().length === 0, server.leftOver())
    checkCost(tongue, seen, check, tried.isEstimateLow)
  }
}

/** @type {Record<string, number>} */
const EXIT_CODES = {
  succeeded: 0,
  failed: 1,
  truncated: 1,
  'timed-out': 124,
  'over-budget': 125,
  stuck: 125,
  stopped: 130,
}

/**
 * @param {Tongue} tongue
 * @param {Seen} seen
 * @param {Check} check
 * @param {boolean} [isEstimateLow]
 */
function checkCost({cost, counts}, {verdict, server, recorded, program}, check, isEstimateLow) {
  const {costUsd, tokens} = verdict
  if (counts === null) {
    const isUnknown = tokens === null && costUsd === null
    check('no tokens and no cost are reported', isUnknown, {tokens, costUsd})
    return
  }
  const {input, cacheRead, cacheWrite, output} = server.spent[counts]
  const used = tokens === null ? 0 : sum(tokens)
  const told = sum(server.spent[counts])
  const isTold = program.warmsUp ? used > 0 : used === told
  check('the tokens are those that the model told', isTold, {used, told})
  if (cost === null) check('no cost is told', costUsd === null, costUsd)
  if (cost === 'reckoned') {
    const dollars =
      (input + cacheWrite) * PRICES.input + cacheRead * PRICES.cacheRead + output * PRICES.output
    check('the cost is right', isNear(costUsd, dollars / 1e6), {costUsd, right: dollars / 1e6})
  }
  if (cost === 'told') {
    const results = recorded.toString('utf8').matchAll(/"total_cost_usd":([\d.e-]+)/g)
    const last = Number([...results].at(-1)?.[1])
    check('the cost is what it says', costUsd !== null && isNear(costUsd, last), {costUsd, last})
    const estimate = estimateCost(recorded)
    const isRight = isEstimateLow ? (estimate ?? 0) <= last : isNear(estimate, last)
    check('our estimate is right', program.warmsUp || isRight, {estimate, last})
  }
}

/** @param {{input: number, cacheRead: number, cacheWrite: number, output: number}} tokens */
function sum({input, cacheRead, cacheWrite, output}) {
  return input + cacheRead + cacheWrite + output
}

/**
 * What Claude is thought to have cost before it says so itself.
 *
 * @param {Buffer} recorded
 */
function estimateCost(recorded) {
  const decoder = createEventDecoder('claude')
  const untold = recorded
    .toString('utf8')
    .split('\n')
    .filter((line) => !line.startsWith('{"type":"result"'))
  const events = decoder?.push(untold.join('\n')) ?? []
  const {ledger} = events.reduce(reduceRunState, initialRunState)
  return withPendingUsage(ledger, decoder?.pendingUsage).costUsd ?? null
}

/**
 * @param {number | null} one
 * @param {number} other
 */
function isNear(one, other) {
  return one !== null && one > 0 && Math.abs(one - other) < 1e-9
}
