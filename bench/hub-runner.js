// A runner that reports one run over /ingest, like a runner on another machine. It records nothing.

import {randomBytes} from 'node:crypto'
import {WebSocket} from 'ws'
import {encodeFrames} from '../dist/hub/ingest/protocol.js'
import {createRunRecord, createRunResult} from '../test/support/run-record.js'
import {firstLine, isToolCall, lastLine, createLine} from './hub-lines.js'

const KEY = 1
/** Bytes that may be sent before the hub acknowledges them, as in the reporter of a real runner. */
const MAX_UNACKNOWLEDGED = 4 * 1024 * 1024
/** Output is sent after a debounce, at most once per interval, as by a real runner. */
const DEBOUNCE_MS = 10
const SEND_INTERVAL_MS = 100

/** @typedef {Awaited<ReturnType<typeof connectRunner>>} Runner */

/**
 * Offers a run to a hub; resolves when the hub accepts it.
 *
 * @param {{url: string, token: string}} hub
 * @param {string} runId
 */
export async function connectRunner({url, token}, runId) {
  const startedAt = Date.now()
  const record = createRunRecord(runId, {
    agentVersion: '2.1.325',
    startedAt,
    marker: `${runId}-${randomBytes(6).toString('hex')}`,
    host: 'bench',
    isWatched: true,
    limits: {onStuck: 'warn'},
  })
  const running = {...record, process: {pid: 4242, startTime: '1000'}}
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ingest`, {
    headers: {authorization: `Bearer ${token}`},
    perMessageDeflate: false,
  })
  /** Frames and records that are not sent yet; each function sends one and returns its size. @type {(() => number)[]} */
  let queue = []
  const size = {out: 0, timing: 0}
  /** Output that is not queued yet, and its times. @type {Buffer[]} */
  let pending = []
  let pendingSize = 0
  /** @type {string[]} */
  let times = []
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let flushedAt = 0
  let sentBytes = 0
  let acknowledgedBytes = 0
  let version = 0
  let acknowledgedVersion = -1
  let lastSeq = 1
  /** @type {Buffer[] | undefined} */
  let output
  /** @type {(() => void) | undefined} */
  let onAcknowledged
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type !== 'have') throw new Error(`${runId}: ${String(data)}`)
    acknowledgedBytes = message.offsets.out + message.offsets.timing
    acknowledgedVersion = message.version
    sendQueued()
    onAcknowledged?.()
  })
  socket.on('close', () => {
    if (!isComplete()) throw new Error(`${runId}: the hub closed the connection`)
  })
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => {
      onAcknowledged = () => resolve(undefined)
      socket.send(JSON.stringify({type: 'offer', key: KEY, record: running}))
    })
  })
  write(firstLine)

  return {
    runId,
    /** The number of the last message that was printed. */
    get lastSeq() {
      return lastSeq
    },
    /** How many bytes were printed. */
    get bytes() {
      return size.out + pendingSize
    },
    /** Keeps all output for `readOutput`. Call it before the first `print`. */
    keepOutput() {
      output = [firstLine]
    },
    readOutput: () => Buffer.concat(output ?? []),
    /** Prints lines as one chunk. @param {number} [count] */
    print(count = 1) {
      const lines = []
      for (let done = 0; done < count; done++) lines.push(createLine(++lastSeq))
      write(lines.length === 1 && lines[0] !== undefined ? lines[0] : Buffer.concat(lines))
    },
    /** Sends the state of the run, which real runners do every two seconds. */
    sendProgress() {
      const at = Date.now()
      const live = {why: 'model', detail: '', since: at, isStuck: false, costUsd: 0.1}
      queueRecord({...running, live: {at, ...live, isEstimate: false}})
    },
    /** Ends the run; resolves when the hub has acknowledged everything. */
    async end() {
      if (isToolCall(lastSeq)) write(createLine(++lastSeq))
      write(lastLine)
      flush()
      const endedAt = Date.now()
      const durationMs = endedAt - startedAt
      const sizes = {stdout: size.out, stderr: 0}
      const result = createRunResult(runId, {startedAt, durationMs, toolCount: lastSeq})
      queueRecord({...record, endedAt, sizes, result})
      lastSeq++
      await new Promise((resolve) => {
        onAcknowledged = () => isComplete() && resolve(undefined)
      })
      socket.close()
    },
  }

  /** @param {Buffer} bytes */
  function write(bytes) {
    output?.push(bytes)
    pending.push(bytes)
    pendingSize += bytes.length
    times.push(`[${Date.now()},"out",${size.out + pendingSize}]\n`)
    timer ??= setTimeout(flush, Math.max(DEBOUNCE_MS, flushedAt + SEND_INTERVAL_MS - Date.now()))
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    flushedAt = Date.now()
    if (pending.length === 0) return
    const bytes = Buffer.concat(pending)
    const time = Buffer.from(times.join(''))
    const offset = size.out
    const timeOffset = size.timing
    size.out += bytes.length
    size.timing += time.length
    pending = []
    pendingSize = 0
    times = []
    queue.push(() => {
      const frames = [
        {key: KEY, file: /** @type {const} */ ('out'), offset, bytes},
        {key: KEY, file: /** @type {const} */ ('timing'), offset: timeOffset, bytes: time},
      ]
      socket.send(encodeFrames(frames))
      return bytes.length + time.length
    })
    sendQueued()
  }

  /** @param {object} next */
  function queueRecord(next) {
    const number = ++version
    queue.push(() => {
      socket.send(JSON.stringify({type: 'record', key: KEY, version: number, record: next}))
      return 0
    })
    sendQueued()
  }

  function sendQueued() {
    let count = 0
    for (const send of queue) {
      if (sentBytes - acknowledgedBytes >= MAX_UNACKNOWLEDGED) break
      sentBytes += send()
      count++
    }
    queue = count === queue.length ? [] : queue.slice(count)
  }

  function isComplete() {
    return queue.length === 0 && acknowledgedBytes === sentBytes && acknowledgedVersion === version
  }
}
