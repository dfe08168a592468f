import {createEventDecoder} from '../../dist/agents/parse.js'
import {withPendingUsage} from '../../dist/core/run/ledger.js'
import {initialRunState, reduceRunState} from '../../dist/core/run/run-state.js'
import {PRICES} from './commands.js'

/** @import {Case, Check} from './case.js' */
/** @import {Seen} from './try-case.js' */
/** @import {AgentProfile} from './profiles.js' */

/**
 * Checks the expectations for every run, in all cases.
 *
 * @param {Case} tried
 * @param {Seen} seen
 * @param {Check} check
 */
export function checkRun(tried, seen, check) {
  const {verdict, exitCode, messages, recorded, written, served, summary, profile, server} = seen
  const wanted = tried.verdict ?? 'succeeded'
  check(`the verdict is ${wanted}`, verdict.verdict === wanted, verdict)
  check('the exit code matches the verdict', exitCode === EXIT_CODES[wanted], exitCode)
  check('no line is malformed', verdict.malformed === 0, verdict.malformed)
  check('no event is unknown', verdict.unknown === 0, verdict.unknown)
  check('the hub has the bytes of the recording', served.equals(recorded), served.length)
  check(
    'the recording equals the writes of the agent',
    written === undefined || written.equals(recorded),
    `${written?.length} written, ${recorded.length} recorded`,
  )
  const numbers = messages.map(({seq}) => seq)
  check(
    'messages are numbered from 1 without gaps',
    numbers.every((seq, index) => seq === index + 1),
    numbers,
  )
  check('the first is run_started', messages[0]?.type === 'run_started', messages[0])
  const last = messages.at(-1)
  check('the last is run_ended, with the verdict', last?.verdict === wanted, last)
  check('the hub has the same verdict', summary['verdict'] === wanted, summary['verdict'])
  check('the hub has the same cost', (summary['costUsd'] ?? null) === verdict.costUsd, summary)
  check('the script was followed', server.problems.length === 0, server.problems)
  if (wanted === 'succeeded') {
    check('all turns were used', server.listUnused().length === 0, server.listUnused())
    checkCost(profile, seen, check, tried.isEstimateLow)
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
 * @param {AgentProfile} profile
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
  const expected = sum(server.spent[counts])
  const isEqual = program.sendsOwnRequests ? used > 0 : used === expected
  check('the tokens equal those that the model reported', isEqual, {used, expected})
  if (cost === null) check('no cost is reported', costUsd === null, costUsd)
  if (cost === 'estimated') {
    const dollars =
      (input + cacheWrite) * PRICES.input + cacheRead * PRICES.cacheRead + output * PRICES.output
    check('the cost', isNear(costUsd, dollars / 1e6), {costUsd, expected: dollars / 1e6})
  }
  if (cost === 'reported') {
    const results = recorded.toString('utf8').matchAll(/"total_cost_usd":([\d.e-]+)/g)
    const last = Number([...results].at(-1)?.[1])
    check('the reported cost', costUsd !== null && isNear(costUsd, last), {costUsd, last})
    const estimate = estimateCost(recorded)
    const isRight = isEstimateLow ? (estimate ?? 0) <= last : isNear(estimate, last)
    check('the estimate', program.sendsOwnRequests || isRight, {estimate, last})
  }
}

/** @param {{input: number, cacheRead: number, cacheWrite: number, output: number}} tokens */
function sum({input, cacheRead, cacheWrite, output}) {
  return input + cacheRead + cacheWrite + output
}

/**
 * The estimated cost of Claude before it reports its own.
 *
 * @param {Buffer} recorded
 */
function estimateCost(recorded) {
  const decoder = createEventDecoder('claude')
  const lines = recorded
    .toString('utf8')
    .split('\n')
    .filter((line) => !line.startsWith('{"type":"result"'))
  const events = decoder?.push(lines.join('\n')) ?? []
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
