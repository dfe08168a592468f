// Clients of a hub, in their own process: they check that every message arrives once and in order, and measure the delay.

import {WebSocket} from 'ws'
import {STAMP} from './hub-lines.js'
import {readClock} from './hub-process.js'

const MAX_LOSSES = 10
const HEAD = /^\{"type":"(\w+)"(?:,"workOrderId":"[^"]*","runId":"([^"]*)","seq":(\d+))?/

/**
 * Commands from the benchmark.
 *
 * @typedef {{type: 'follow', url: string, token: string, runIds: string[], label?: string}} Follow
 * @typedef {{type: 'stall', url: string, token: string, ms: number}} Stall
 * @typedef {{type: 'report'} | {type: 'reset'}} Ask
 */

/** @type {Map<string, {lastSeq: number, hasEnded: boolean}[]>} */
const followed = new Map()
/** @type {number[]} */
let delays = []
/** @type {string[]} */
const losses = []
let received = 0
let states = 0
let bytes = 0
let endedCount = 0
let lossCount = 0
/** @type {{gaps: number, missed: number, held: boolean, before: number, after: number} | undefined} */
let stalled
/** @type {WebSocket[]} */
let sockets = []

process.on('message', (/** @type {Follow | Stall | Ask} */ message) => {
  switch (message.type) {
    case 'follow':
      follow(message)
      break
    case 'stall':
      stall(message)
      break
    case 'reset':
      for (const socket of sockets) socket.close()
      sockets = []
      followed.clear()
      delays = []
      received = 0
      states = 0
      bytes = 0
      endedCount = 0
      stalled = undefined
      process.send?.({type: 'reset'})
      break
    default:
      report()
  }
})
process.on('disconnect', () => process.exit(0))
// The benchmark paces the runs by the slowest client.
setInterval(sendProgress, 5)

let sentProgress = -1

function sendProgress() {
  if (received === sentProgress) return
  sentProgress = received
  let slowest = Infinity
  for (const list of followed.values())
    for (const {lastSeq} of list) slowest = Math.min(slowest, lastSeq)
  process.send?.({type: 'progress', received, endedCount, slowest, at: readClock()})
}

/** @param {Follow} plan */
function follow({url, token, runIds}) {
  const socket = connect(url, token)
  const runs = new Map(runIds.map((runId) => [runId, {lastSeq: 0, hasEnded: false}]))
  for (const [runId, run] of runs) followed.set(runId, [...(followed.get(runId) ?? []), run])
  let since = 0
  let subscribed = 0
  socket.on('open', () => {
    since = readClock()
    for (const runId of runIds) socket.send(JSON.stringify({type: 'subscribe', runId, since: 0}))
  })
  socket.on('message', (/** @type {Buffer} */ data) => {
    const now = readClock()
    const text = data.toString('latin1')
    const [, type = '', runId = '', number = ''] = HEAD.exec(text) ?? []
    if (type === 'subscribed') {
      if (++subscribed === runIds.length) process.send?.({type: 'following'})
      return
    }
    if (type === 'progress_update' || type === 'run_updated') {
      states++
      return
    }
    if (type === 'gap') return addLoss(`a client that reads received a gap: ${text}`)
    const run = runs.get(runId)
    if (run === undefined) return addLoss(`not subscribed: ${text.slice(0, 200)}`)
    const seq = Number(number)
    received++
    bytes += data.length
    if (seq !== run.lastSeq + 1) addLoss(`${runId}: ${seq} after ${run.lastSeq} (${type})`)
    run.lastSeq = Math.max(seq, run.lastSeq)
    if (type === 'run_ended') {
      run.hasEnded = true
      endedCount++
      return
    }
    if (type === 'run_started') return
    const [, stamp, stampedSeq] = STAMP.exec(text) ?? []
    if (Number(stampedSeq) !== seq) {
      addLoss(`${runId}: message ${seq} has the content of ${stampedSeq}`)
    }
    if (Number(stamp) > since) delays.push(now - Number(stamp))
  })
}

/** Follows all runs and stops reading for a while. @param {Stall} plan */
function stall({url, token, ms}) {
  const socket = connect(url, token)
  /** @type {Map<string, number>} */
  const last = new Map()
  const seen = {gaps: 0, missed: 0, held: true, before: 0, after: 0}
  stalled = seen
  let hasStalled = false
  socket.on('open', () => {
    socket.send(JSON.stringify({type: 'subscribe'}))
    setTimeout(() => {
      socket.pause()
      hasStalled = true
      setTimeout(() => socket.resume(), ms)
    }, 2000)
  })
  socket.on('close', () => {
    if (seen.gaps === 0 && hasStalled) addLoss('the stalled client was disconnected without a gap')
  })
  socket.on('message', (/** @type {Buffer} */ data) => {
    const text = data.toString('latin1')
    if (text.startsWith('{"type":"gap"')) {
      const {runId, from, to} = JSON.parse(text)
      seen.gaps++
      seen.missed += to - from + 1
      const before = last.get(runId)
      if (before !== undefined && from !== before + 1)
        addLoss(`stalled: gap from ${from} after ${before}`)
      last.set(runId, to)
      // All gaps have arrived, so the rest of its messages would only add load.
      if (seen.gaps === last.size) setTimeout(() => socket.terminate(), 1000)
      return
    }
    const [, type = '', runId = '', number = ''] = HEAD.exec(text) ?? []
    if (type === 'subscribed' || type === 'progress_update' || type === 'run_updated') return
    const seq = Number(number)
    const before = last.get(runId)
    if (before !== undefined && seq !== before + 1) {
      addLoss(`stalled: ${runId}: ${seq} after ${before} without a gap`)
    }
    last.set(runId, seq)
    if (seen.gaps === 0) seen.before++
    else seen.after++
  })
}

/** @param {string} url @param {string} token */
function connect(url, token) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: {authorization: `Bearer ${token}`},
    perMessageDeflate: false,
  })
  socket.on('error', (error) => addLoss(`a client: ${error.message}`))
  sockets.push(socket)
  return socket
}

/** @param {string} loss */
function addLoss(loss) {
  lossCount++
  if (losses.length < MAX_LOSSES) losses.push(loss)
}

function report() {
  const ends = Object.fromEntries(
    [...followed].map(([runId, list]) => [runId, list.map(({lastSeq}) => lastSeq)]),
  )
  process.send?.({
    type: 'report',
    delays,
    losses,
    lossCount,
    received,
    states,
    bytes,
    ends,
    stalled,
  })
}
