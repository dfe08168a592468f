// The parser of every agent, and everything built from its events: records, messages, run state, terminal output.

import {readFileSync} from 'node:fs'
import assert from 'node:assert/strict'
import {detectAgent} from '../../dist/agents/detect-agent.js'
import {agents} from '../../dist/agents/list.js'
import {createEventDecoder} from '../../dist/agents/parse.js'
import {createStreamParser} from '../../dist/agents/stream-parser.js'
import {withPendingUsage} from '../../dist/core/run/ledger.js'
import {initialRunState, reduceRunState} from '../../dist/core/run/run-state.js'
import {judgeRun} from '../../dist/core/run/verdict.js'
import {explainWaiting} from '../../dist/core/run/waiting.js'
import {encodeJson} from '../../dist/core/wire/json.js'
import {createRecordDecoder} from '../../dist/core/wire/records.js'
import {maskSecretsIn} from '../../dist/secrets/mask-secrets.js'
import {colored, plain} from '../../dist/terminal/colors.js'
import {createFormatter} from '../../dist/terminal/format.js'
import {createActionsFormatter} from '../../dist/terminal/github.js'
import {formatStatus} from '../../dist/terminal/status-line.js'
import {unicode} from '../../dist/terminal/symbols.js'
import {listFixtureFiles} from '../../test/support/fixture-files.js'
import {mutateLines, splitLines} from './mutate.js'
import {findBrokenInvariant} from './invariants.js'

/** @typedef {import('./campaign.js').Input} Input */
/** @typedef {import('./campaign.js').Target} Target */
/** @typedef {import('../../dist/core/index.js').AgentEvent} AgentEvent */

const MAX_FIXTURE_BYTES = 300_000

/** @type {Target} */
export const agentsTarget = {
  name: 'agents',
  share: 5,
  isTimed: true,
  seeds: () => agents.flatMap(({id}) => listFixtures(id)),
  mutate(input, other, random) {
    // Sometimes the output of one agent is parsed as that of another.
    const label = random.chance(0.03) ? random.pick(agents).id : input.label
    return {label, bytes: mutateLines(input.bytes, other.bytes, random)}
  },
  check({label, bytes}, random) {
    const now = createClock()
    const decoder = createEventDecoder(label, {now})
    assert(decoder !== null, `unknown agent ${label}`)
    const events = [...decoder.push(bytes), ...decoder.end()]
    assert.equal(findBrokenInvariant(events, label, {isJoined: true}), undefined)
    for (const event of events) checkEvent(event)
    checkRecords(bytes)
    checkState(events, decoder.pendingUsage)
    checkLines(events)
    checkMessages(label, bytes)
    decoder.drift()
    detectAgent(splitLines(bytes.toString()).slice(0, 10))
    if (random.chance(0.3)) checkChunks(label, bytes, events, random)
  },
}

/**
 * @param {string} agent
 * @returns {Input[]}
 */
export function listFixtures(agent) {
  return listFixtureFiles(agent)
    .map(({path}) => ({label: agent, bytes: readFileSync(path)}))
    .filter(({bytes}) => bytes.length > 0 && bytes.length < MAX_FIXTURE_BYTES)
}

/** A clock that advances with each call. */
function createClock() {
  let time = 1_700_000_000_000
  return () => (time += 7)
}

/** @param {AgentEvent} event */
function checkEvent(event) {
  assert(
    event.type !== 'unknown' || event.reason !== 'could not be read',
    `the translator of ${event.agent} failed on line ${event.line}`,
  )
  // The input of a tool is passed on unchanged, so its numbers are not checked.
  const {input: _input, ...own} = /** @type {Record<string, unknown>} */ (
    /** @type {unknown} */ (event)
  )
  checkNumbers(own, event.type)
  encodeJson(event)
}

/**
 * @param {unknown} value
 * @param {string} where
 */
function checkNumbers(value, where) {
  if (typeof value === 'number') assert(Number.isFinite(value), `${where} is ${value}`)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      if (name !== 'input') checkNumbers(field, `${where}.${name}`)
    }
  }
}

/** @param {Buffer} bytes */
function checkRecords(bytes) {
  const decoder = createRecordDecoder()
  const records = [...decoder.push(bytes), ...decoder.end()]
  const joined = Buffer.concat(records.map(({raw, bytes: exact}) => exact ?? Buffer.from(raw)))
  assert(joined.equals(bytes), 'bytes were lost')
}

/**
 * @param {AgentEvent[]} events
 * @param {import('../../dist/adapter.js').PendingUsage | undefined} pendingUsage
 */
function checkState(events, pendingUsage) {
  let state = initialRunState
  for (const event of events) state = reduceRunState(state, event)
  const at = 1_700_000_100_000
  const waiting = explainWaiting(state, at, at - 1000)
  const {costUsd, isEstimate, tokens} = withPendingUsage(state.ledger, pendingUsage)
  checkNumbers({tokens, costUsd, waiting}, 'state')
  const status = {state, waiting, startedAt: at - 60_000, costUsd, isEstimate, now: at}
  for (const row of formatStatus(status, {
    colors: plain,
    hasColor: false,
    symbols: unicode,
    width: 60,
  })) {
    assert.doesNotMatch(row, UNSAFE)
  }
  const {verdict, reason} = judgeRun(state, {exitCode: 0, signal: null})
  assert(verdict !== undefined && typeof reason === 'string')
}

const UNSAFE = /[\p{Cc}\p{Surrogate}\u2028-\u202e\u2066-\u2069]/u
// oxlint-disable-next-line no-control-regex -- It matches the colours of the formatter.
const COLOR = /\u001b\[[\d;]*m/g
const FORMATS = [{}, {verbose: 2}, {width: 40}, {width: 100, verbose: 1, colors: colored}]

/** @param {AgentEvent[]} events */
function checkLines(events) {
  for (const options of FORMATS) {
    const formatter = createFormatter(options)
    const text = events.map(formatter.format).join('') + formatter.end()
    assert(text === '' || text.endsWith('\n'), 'the last line is incomplete')
    for (const line of text.replaceAll(COLOR, '').split('\n')) assert.doesNotMatch(line, UNSAFE)
  }
  const log = createActionsFormatter({verbose: 1})
  for (const line of events.map(log.format).join('').split('\n')) {
    assert.doesNotMatch(line, UNSAFE)
    assert.doesNotMatch(line, /^\s*::(?!group::Result \d+$|endgroup::$)|^\s*##\[/)
  }
}

/**
 * @param {string} agent
 * @param {Buffer} bytes
 */
function checkMessages(agent, bytes) {
  const parser = createStreamParser({agent, now: createClock()})
  let seq = 0
  for (const line of splitLines(bytes.toString())) {
    for (const message of parser.parseLine(line, 'order', 'run')) {
      checkNumbers(message, message.type)
      assert(message.seq >= seq, 'seq decreases')
      seq = message.seq
      encodeJson(maskSecretsIn(message))
    }
  }
}

/**
 * @param {string} agent
 * @param {Buffer} bytes
 * @param {AgentEvent[]} expected
 * @param {import('./random.js').Random} random
 */
function checkChunks(agent, bytes, expected, random) {
  const decoder = createEventDecoder(agent, {now: createClock()})
  assert(decoder !== null)
  const maxBytes = random.pick([1, 3, 50, 4000])
  /** @type {AgentEvent[]} */
  const events = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(maxBytes)
    events.push(...decoder.push(bytes.subarray(at, end)))
    at = end
  }
  events.push(...decoder.end())
  assert.equal(events.length, expected.length, 'the events depend on the chunks')
  for (const [at, event] of events.entries()) {
    assert.equal(
      encodeJson(event),
      encodeJson(expected[at] ?? {}),
      'the events depend on the chunks',
    )
  }
}
