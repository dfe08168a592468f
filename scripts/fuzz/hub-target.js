// Messages of clients to a running hub. It keeps running, serves other clients and forwards only commands that were sent.

import assert from 'node:assert/strict'
import {setTimeout as sleep} from 'node:timers/promises'
import {WebSocket} from 'ws'
import {deriveToken} from '../../dist/hub/auth/tokens.js'
import {mutateFrames, packFrames, unpackFrames} from './frames.js'
import {CLIENT_MESSAGES, mutateMessage} from './messages-target.js'
import {createRunRecord} from '../../test/support/run-record.js'
import {openTestHub, SUPERVISION} from './test-hub.js'

/** @typedef {import('./campaign.js').Target} Target */

const HUGE = 'x'.repeat(1_200_000)
const KNOWN_TYPES = new Set(
  `agent_tool_call agent_tool_result agent_output file_changed progress_update run_started run_updated run_ended
  run_removed permission_request subscribed unsubscribed gap error pong run_items`.split(/\s+/),
)
/** A live run, whose runner receives the commands of clients. */
const LIVE_RUN = 'r1'

/** @type {import('./test-hub.js').TestHub} */
let hub
/** @type {import('./test-hub.js').Connection} */
let runner
/** A client with all permissions. @type {import('./test-hub.js').Connection | undefined} */
let owner
let count = 0

/** @type {Target} */
export const hubTarget = {
  name: 'hub',
  share: 2,
  batch: 4,
  async open() {
    hub = await openTestHub()
    runner = await hub.connect('/ingest')
    const record = createRunRecord(LIVE_RUN, {host: 'elsewhere', ...SUPERVISION})
    runner.socket.send(JSON.stringify({type: 'offer', key: 1, record}))
    assert(await runner.receives(({type}) => type === 'have'))
    while (!(await listRuns()).includes(LIVE_RUN)) await sleep(20)
    runner.socket.on('message', (data) => {
      const {id, type} = JSON.parse(String(data))
      if (type !== 'command') return
      runner.socket.send(JSON.stringify({type: 'outcome', id, outcome: {ok: true}}))
    })
  },
  async close() {
    owner = undefined
    await hub.close()
  },
  seeds: () => [
    {label: 'all', bytes: packFrames(CLIENT_MESSAGES)},
    {label: 'view', bytes: packFrames(CLIENT_MESSAGES)},
    {
      label: 'all',
      bytes: packFrames([Buffer.from([0, 1, 2, 255]), '', '[]', 'null', '{"type":1}']),
    },
    {label: 'all', bytes: packFrames(CLIENT_MESSAGES.map((text) => text.replaceAll('r1', 'over')))},
    {
      label: 'view',
      bytes: packFrames(CLIENT_MESSAGES.map((text) => text.replaceAll('r1', 'left'))),
    },
  ],
  mutate: ({label, bytes}, other, random) => ({
    label,
    bytes: mutateFrames(bytes, other.bytes, random, mutateMessage),
  }),
  async check({label, bytes}, random) {
    const token = label === 'view' ? deriveToken(hub.token, 'view') : hub.token
    const client = await hub.connect('/ws', token)
    const frames = unpackFrames(bytes)
    runner.received.length = 0
    for (const frame of frames) {
      if (client.socket.readyState === WebSocket.OPEN) client.socket.send(frame)
    }
    const isHuge = random.chance(0.01)
    if (isHuge) client.socket.send(HUGE)
    const ref = `last-${++count}`
    client.socket.send(JSON.stringify({type: 'ping', ref}))
    const isOpen = await client.receives(
      (message) => message.type === 'pong' && message.ref === ref,
    )
    for (const {type} of client.received) assert(KNOWN_TYPES.has(type), `unknown message ${type}`)
    assert(isOpen || isHuge, 'the connection ended')
    client.socket.close()
    await waitForCommands(ref)
    checkCommands(frames, label)
    if (random.chance(0.05)) await checkService()
    assert.deepEqual(hub.problems.splice(0), [])
  },
}

/**
 * Commands are forwarded in order: once this one has arrived, so have all commands before it.
 *
 * @param {string} requestId
 */
async function waitForCommands(requestId) {
  if (owner === undefined || count % 200 === 0) {
    owner?.socket.close()
    owner = await hub.connect('/ws')
  }
  const message = {type: 'answer_permission', runId: LIVE_RUN, requestId, allow: false}
  owner.socket.send(JSON.stringify(message))
  const isForwarded = await runner.receives(({command}) => command?.requestId === requestId)
  assert(isForwarded, 'a command is lost')
}

/**
 * Checks that the runner received only commands that an authorized client sent.
 *
 * @param {(string | Buffer)[]} frames
 * @param {string} label
 */
function checkCommands(frames, label) {
  const commands = runner.received
    .filter(({type}) => type === 'command')
    .filter(({command}) => !String(command.requestId).startsWith('last-'))
  if (label === 'view') assert.equal(commands.length, 0, 'a command of a viewer was forwarded')
  const messages = frames.flatMap((frame) =>
    typeof frame === 'string' ? (tryParse(frame) ?? []) : [],
  )
  for (const {command} of commands) {
    const isStop = command.type === 'stop'
    const isSent = messages.some(
      (message) =>
        message?.runId === LIVE_RUN &&
        message.type === (isStop ? 'stop_run' : 'answer_permission') &&
        (isStop || (message.requestId === command.requestId && message.allow === command.allow)),
    )
    assert(isSent, `${JSON.stringify(command)} was never sent`)
  }
}

async function checkService() {
  const names = await listRuns()
  assert(
    ['over', 'left', LIVE_RUN].every((name) => names.includes(name)),
    'a run is missing',
  )
  const client = await hub.connect('/ws')
  client.socket.send('{"type":"subscribe","runId":"over","since":0}')
  assert(await client.receives(({type}) => type === 'run_ended'), 'another client is not served')
  client.socket.close()
}

/** @returns {Promise<string[]>} */
async function listRuns() {
  const {runs} = await hub.json('/api/runs')
  return runs.map((/** @type {{runId: string}} */ run) => run.runId)
}

/** @param {string} text */
function tryParse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
