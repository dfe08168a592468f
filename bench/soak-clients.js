// The clients of a soak test, in their own process: each follows all runs and checks that every message arrives once and
// in order. It keeps a digest per run, to compare with the messages in the hub.

import {createHash} from 'node:crypto'
import {WebSocket} from 'ws'

/** @typedef {{seq: number, digest: string, verdict: string | undefined}} Seen */
/** @typedef {{runs: Record<string, Seen>, messages: number, states: number, bytes: number, isOpen: boolean}} ClientReport */

const MAX_LOSSES = 20

/** @type {string[]} */
const losses = []
/** @type {ReturnType<typeof follow>[]} */
let clients = []
let following = 0

process.on(
  'message',
  (/** @type {{type: string, url: string, token: string, count: number}} */ command) => {
    if (command.type === 'follow') {
      clients = Array.from({length: command.count}, (_, at) => follow(command, `client ${at + 1}`))
      return
    }
    process.send?.({type: 'report', clients: clients.map((client) => client.report()), losses})
  },
)
process.on('disconnect', () => process.exit(0))

function onFollowing() {
  if (++following === clients.length) process.send?.({type: 'following'})
}

/** @param {{url: string, token: string}} hub @param {string} name */
function follow({url, token}, name) {
  /** @type {Map<string, {seq: number, hash: import('node:crypto').Hash, verdict: string | undefined}>} */
  const runs = new Map()
  let messages = 0
  let states = 0
  let bytes = 0
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: {authorization: `Bearer ${token}`},
    perMessageDeflate: false,
  })
  socket.on('open', () => socket.send(JSON.stringify({type: 'subscribe'})))
  socket.on('error', (error) => addLoss(`${name}: ${error.message}`))
  socket.on('message', (/** @type {Buffer} */ data) => {
    bytes += data.length
    const message = JSON.parse(data.toString())
    const {type, runId, seq} = message
    if (type === 'subscribed') return onFollowing()
    if (type === 'progress_update' || type === 'run_updated') return void states++
    if (type === 'gap' || type === 'error')
      return addLoss(`${name}: ${data.toString().slice(0, 200)}`)
    messages++
    const run = runs.get(runId) ?? {seq: 0, hash: createHash('sha256'), verdict: undefined}
    runs.set(runId, run)
    if (seq !== run.seq + 1) addLoss(`${name}: ${runId}: ${seq} after ${run.seq} (${type})`)
    if (run.verdict !== undefined) addLoss(`${name}: ${runId}: ${type} after its end`)
    run.seq = seq
    run.hash.update(JSON.stringify(message))
    if (type === 'run_ended') run.verdict = message.verdict
  })
  return {
    /** @returns {ClientReport} */
    report: () => ({
      runs: Object.fromEntries(
        [...runs].map(([runId, {seq, hash, verdict}]) => [
          runId,
          {seq, digest: hash.copy().digest('hex'), verdict},
        ]),
      ),
      messages,
      states,
      bytes,
      isOpen: socket.readyState === WebSocket.OPEN,
    }),
  }
}

/** @param {string} loss */
function addLoss(loss) {
  if (losses.length < MAX_LOSSES) losses.push(loss)
}
