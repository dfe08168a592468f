// The parser of client messages.

import assert from 'node:assert/strict'
import {parseClientMessage} from '../../dist/hub/protocol/client-messages.js'
import {encodeJson} from '../../dist/core/wire/json.js'
import {CANARY, mutateBytes, mutateJson} from './mutate.js'

/** @typedef {import('./campaign.js').Target} Target */

/** One message of each type with all of its fields. */
export const CLIENT_MESSAGES = [
  {
    type: 'subscribe',
    runId: 'r1',
    workOrderId: 'w1',
    since: 0,
    includeToolCalls: true,
    includeToolResults: false,
    includeOutput: true,
    includeFileChanges: true,
    includeProgress: false,
    includeThinking: true,
    ref: 'a',
  },
  {type: 'unsubscribe', runId: 'r1', workOrderId: 'w1', ref: 'b'},
  {type: 'ping', ref: 'c'},
  {
    type: 'answer_permission',
    runId: 'r1',
    requestId: 'q1',
    allow: true,
    message: 'yes',
    rule: 'Bash(npm test:*)',
    input: {command: 'npm test'},
    ref: 'd',
  },
  {type: 'answer_permission', runId: 'r1', requestId: 'q1', allow: false, message: 'no'},
  {type: 'stop_run', runId: 'r1', ref: 'e'},
  {type: 'watch_run', runId: 'r1', since: 3, ref: 'f'},
  {type: 'unwatch_run', runId: 'r1', ref: 'g'},
].map((message) => JSON.stringify(message))

const TEXTS = new Set(['type', 'runId', 'workOrderId', 'requestId', 'message', 'rule', 'ref'])

/** @type {Target} */
export const messagesTarget = {
  name: 'messages',
  share: 1,
  isTimed: true,
  seeds: () => CLIENT_MESSAGES.map((text) => ({label: 'message', bytes: Buffer.from(text)})),
  mutate: ({label, bytes}, other, random) => ({
    label,
    bytes: mutateMessage(bytes, other.bytes, random),
  }),
  check({bytes}) {
    const outcome = parseClientMessage(bytes.toString())
    if (!outcome.ok) {
      const {code, message, field, ref} = outcome.error
      assert(typeof code === 'string' && message !== '' && !message.includes(CANARY))
      assert(field === undefined || !field.includes(CANARY))
      assert(ref === undefined || (ref !== '' && ref.length <= 10_000))
      return
    }
    /** @type {Record<string, unknown>} */
    const sent = JSON.parse(bytes.toString())
    assert.equal(Object.getPrototypeOf(outcome.message), Object.prototype)
    for (const [name, value] of Object.entries(outcome.message)) {
      assert.equal(encodeJson({value}), encodeJson({value: sent[name]}), `${name} was modified`)
      if (TEXTS.has(name)) assert(typeof value === 'string' && value !== '')
      else if (name === 'since') assert(Number.isSafeInteger(value) && Number(value) >= 0)
      else if (name === 'input') assert(typeof value === 'object' && value !== null)
      else assert.equal(typeof value, 'boolean', name)
    }
  },
}

/**
 * @param {Buffer} bytes
 * @param {Buffer} other
 * @param {import('./random.js').Random} random
 */
export function mutateMessage(bytes, other, random) {
  if (random.chance(0.2)) return mutateBytes(bytes, other, random)
  return Buffer.from(mutateJson(bytes.toString(), other.toString(), random))
}
