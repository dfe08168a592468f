// Claude's strict parser of contract v1, and its lossless decoder.

import assert from 'node:assert/strict'
import {inspect} from 'node:util'
import {
  ClaudeStreamJsonParser,
  contentBlocks,
  contentString,
  createClaudeDecoder,
  inputString,
  isTerminal,
  parseRawEvent,
  textContent,
  thinkingContent,
  toolResultBlocks,
  toolUseBlocks,
} from '../../dist/claude.js'
import {listFixtures} from './agents-target.js'
import {CANARY, mutateLines, splitLines} from './mutate.js'

/** @typedef {import('./campaign.js').Target} Target */

const CONTRACT = [
  '{"type":"result","subtype":"success","session_id":"s","is_error":false}',
  '{"type":"result","subtype":"error","sessionId":"s","is_error":true}',
  '{"type":"system","subtype":"init","session_id":"s"}',
  '{"type":"stream_event","session_id":"s","event":{"type":"ping"}}',
  '{"type":"user","session_id":"s"}',
]

/** @type {Target} */
export const claudeTarget = {
  name: 'claude',
  share: 2,
  isTimed: true,
  seeds: () => [
    ...CONTRACT.map((line) => ({label: 'stream', bytes: Buffer.from(`${line}\n`)})),
    ...listFixtures('claude').map(({bytes}) => ({label: 'stream', bytes})),
  ],
  mutate: ({label, bytes}, other, random) => ({
    label,
    bytes: mutateLines(bytes, other.bytes, random),
  }),
  check({bytes}, random) {
    const parser = new ClaudeStreamJsonParser()
    for (const line of bytes.toString().split('\n')) checkContract(parser, line)
    const records = decode([bytes])
    const joined = Buffer.concat(records.map(({raw, bytes: exact}) => exact ?? Buffer.from(raw)))
    assert(joined.equals(bytes), 'bytes were lost')
    for (const record of records) checkEvent(record)
    const at = random.below(bytes.length + 1)
    const halves = decode([bytes.subarray(0, at), bytes.subarray(at)])
    assert.equal(halves.length, records.length, 'the records depend on the chunks')
    assert.deepEqual(
      halves.map(({raw}) => raw),
      records.map(({raw}) => raw),
      'the records depend on the chunks',
    )
    for (const line of splitLines(bytes.toString())) {
      assert.equal(parseRawEvent(line).raw, line)
    }
  },
}

/** @param {Buffer[]} chunks */
function decode(chunks) {
  const decoder = createClaudeDecoder()
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]
}

/**
 * @param {ClaudeStreamJsonParser} parser
 * @param {string} line
 */
function checkContract(parser, line) {
  const outcome = parser.parseLine(line)
  if (!outcome.ok) {
    const {error} = outcome
    const shown = [error.message, error.stack, String(error), JSON.stringify(error), inspect(error)]
    assert(!shown.join().includes(CANARY), 'an error quotes the line')
    assert.equal(error.cause, undefined)
  }
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(line)
  } catch {
    const isBlank = !/\P{White_Space}/u.test(line)
    if (isBlank) assert.deepEqual(outcome, {ok: true, event: null})
    else if (!outcome.ok) assert.equal(outcome.error.code, 'json_parse')
    else assert.fail('a line that is not JSON was accepted')
    return
  }
  assert.deepEqual(summarize(parser.parseJson(value)), summarize(outcome))
}

/** @param {import('../../dist/claude.js').ParseOutcome} outcome */
function summarize(outcome) {
  if (!outcome.ok) return [outcome.error.code, outcome.error.message]
  const {event} = outcome
  return [event?.kind, event?.sessionId, event !== null && Object.keys(event.raw)]
}

/** @param {import('../../dist/claude.js').RawClaudeEvent} record */
function checkEvent({event}) {
  assert.equal(isTerminal(event), event.type === 'result')
  textContent(event)
  thinkingContent(event)
  for (const block of contentBlocks(event)) contentString(block)
  for (const block of toolUseBlocks(event)) inputString(block)
  for (const block of toolResultBlocks(event)) contentString(block)
}
