// What clients send to a hub that runs. It goes on, serves others, and lets nothing through that was not said.

import assert from 'node:assert/strict'
import {setTimeout as sleep} from 'node:timers/promises'
import {WebSocket} from 'ws'
import {deriveToken} from '../../dist/hub/auth/tokens.js'
import {mutateFrames, packFrames, unpackFrames} from './frames.js'
import {CLIENT_MESSAGES, mutateMessage} from './messages-target.js'
import {openTestHub, recordOf} from './test-hub.js'

/** @typedef {import('./campaign.js').Target} Target */

const HUGE = 'x'.repeat(1_200_000)
const KNOWN = new Set(
  `agent_tool_call agent_tool_result agent_output file_changed progress_update run_started run_updated run_ended
  run_removed permission_request subscribed unsubscribed gap error pong run_items`.split(/\s+/),
)
/** A run that somebody looks after, who hears what reaches it. */
const SERVED = 'r1'

/** @type {import('./test-hub.js').TestHub} */
let hub
/** @type {import('./test-hub.js').Conversation} */
let runner
/** Whoever may say everything. @type {import('./test-hub.js').Conversation | undefined} */
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
    const record = recordOf(SERVED, {host: 'elsewhere'})
    runner.socket.send(JSON.stringify({type: 'offer', key: 1, record}))
    assert(await runner.hears(({type}) => type === 'have'))
    while (!(await listRuns()).includes(SERVED)) await sleep(20)
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
    const sent = unpackFrames(bytes)
    runner.heard.length = 0
    for (const one of sent) {
      if (client.socket.readyState === WebSocket.OPEN) client.socket.send(one)
    }
    const isHuge = random.chance(0.01)
    if (isHuge) client.socket.send(HUGE)
    const ref = `last-${++count}`
    client.socket.send(JSON.stringify({type: 'ping', ref}))
    const isOpen = await client.hears((message) => message.type === 'pong' && message.ref === ref)
    for (const message of client.heard) assert(KNOWN.has(message.type), `said ${message.type}`)
    assert(isOpen || isHuge, 'the connection ended')
    client.socket.close()
    await untilPassedOn(ref)
    checkCommands(sent, label)
    if (random.chance(0.05)) await checkService()
    assert.deepEqual(hub.troubles.splice(0), [])
  },
}

/**
 * Commands are passed on in their order: once ours is there, so are those that were said before it.
 *
 * @param {string} requestId
 */
async function untilPassedOn(requestId) {
  if (owner === undefined || count % 200 === 0) {
    owner?.socket.close()
    owner = await hub.connect('/ws')
  }
  const message = {type: 'answer_permission', runId: SERVED, requestId, allow: false}
  owner.socket.send(JSON.stringify(message))
  assert(await runner.hears(({command}) => command?.requestId === requestId), 'a command is lost')
}

/**
 * What reached the runner was said, in full, by somebody who may.
 *
 * @param {(string | Buffer)[]} sent
 * @param {string} label
 */
function checkCommands(sent, label) {
  const commands = runner.heard
    .filter(({type}) => type === 'command')
    .filter(({command}) => !String(command.requestId).startsWith('last-'))
  if (label === 'view') assert.equal(commands.length, 0, 'a viewer gave a command')
  const said = sent.flatMap((one) => (typeof one === 'string' ? (tryParse(one) ?? []) : []))
  for (const {command} of commands) {
    const isStop = command.type === 'stop'
    const isSaid = said.some(
      (message) =>
        message?.runId === SERVED &&
        message.type === (isStop ? 'stop_run' : 'answer_permission') &&
        (isStop || (message.requestId === command.requestId && message.allow === command.allow)),
    )
    assert(isSaid, `${JSON.stringify(command)} was never said`)
  }
}

async function checkService() {
  const names = await listRuns()
  assert(
    ['over', 'left', SERVED].every((name) => names.includes(name)),
    'a run is missing',
  )
  const client = await hub.connect('/ws')
  client.socket.send('{"type":"subscribe","runId":"over","since":0}')
  assert(await client.hears(({type}) => type === 'run_ended'), 'a good client is not served')
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
