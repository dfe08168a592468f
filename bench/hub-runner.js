// A runner on another machine, as far as the hub can tell: one connection, one run, no files.

import {randomBytes} from 'node:crypto'
import {WebSocket} from 'ws'
import {encodeFrames} from '../dist/hub/ingest/protocol.js'
import {firstLine, isCall, lastLine, lineOf} from './hub-lines.js'

const KEY = 1
/** As a reporter: so much is on its way before the hub has to say that it has it. */
const MOST_UNDERWAY = 4 * 1024 * 1024
/** As a runner: what is printed is told of soon, but no more often than this. */
const SOON_MS = 10
const APART_MS = 100

/** @typedef {Awaited<ReturnType<typeof connectRunner>>} Runner */

/**
 * Offers a run to a hub; settles when it is wanted.
 *
 * @param {{url: string, token: string}} hub
 * @param {string} runId
 */
export async function connectRunner({url, token}, runId) {
  const startedAt = Date.now()
  const record = {
    version: 1,
    runId,
    argv: ['claude', '-p', 'Keep the store small and its tests green.'],
    ranArgv: ['claude', '-p', 'Keep the store small and its tests green.', '--verbose'],
    cwd: '/home/dev/project',
    agent: 'claude',
    agentVersion: '2.1.325',
    prompt: 'Keep the store small and its tests green.',
    startedAt,
    marker: `${runId}-${randomBytes(6).toString('hex')}`,
    process: {pid: 4242, startTime: '1000'},
    supervisor: {pid: 4241, startTime: '999'},
    host: 'bench',
    isWatched: true,
    limits: {onStuck: 'warn'},
  }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ingest`, {
    headers: {authorization: `Bearer ${token}`},
    perMessageDeflate: false,
  })
  /** What was printed and not sent. @type {(() => number)[]} */
  let queue = []
  const size = {out: 0, timing: 0}
  /** What was printed since it was last told of, and when. @type {Buffer[]} */
  let pending = []
  let pendingSize = 0
  /** @type {string[]} */
  let times = []
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let flushedAt = 0
  let sent = 0
  let have = 0
  let version = 0
  let acked = -1
  let lastSeq = 1
  /** @type {Buffer[] | undefined} */
  let kept
  /** @type {(() => void) | undefined} */
  let onHave
  let waitedFor = 0
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type !== 'have') throw new Error(`${runId}: ${String(data)}`)
    have = message.offsets.out + message.offsets.timing
    acked = message.version
    pump()
    onHave?.()
  })
  socket.on('close', () => {
    if (!isDone()) throw new Error(`${runId}: the hub left`)
  })
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => {
      onHave = () => resolve(undefined)
      socket.send(JSON.stringify({type: 'offer', key: KEY, record}))
    })
  })
  print(firstLine)

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
    get waitedFor() {
      return waitedFor
    },
    /** Keeps what is printed from here on, with the first line. */
    keep() {
      kept = [firstLine]
    },
    kept: () => Buffer.concat(kept ?? []),
    /** Prints lines, all in one piece. @param {number} [count] */
    work(count = 1) {
      const lines = []
      for (let done = 0; done < count; done++) lines.push(lineOf(++lastSeq))
      print(lines.length === 1 && lines[0] !== undefined ? lines[0] : Buffer.concat(lines))
    },
    /** Says how far it is, as runners do every two seconds. */
    tell() {
      const at = Date.now()
      const live = {why: 'model', detail: '', since: at, isStuck: false, costUsd: 0.1}
      sayRecord({...record, live: {at, ...live, isEstimate: false}})
    },
    /** Ends the run; settles when the hub has it all. */
    async end() {
      if (isCall(lastSeq)) print(lineOf(++lastSeq))
      print(lastLine)
      flush()
      const endedAt = Date.now()
      const {process: _process, ...rest} = record
      const sizes = {stdout: size.out, stderr: 0}
      sayRecord({...rest, endedAt, sizes, result: resultOf(runId, startedAt, endedAt, lastSeq)})
      lastSeq++
      await new Promise((resolve) => {
        onHave = () => isDone() && resolve(undefined)
      })
      socket.close()
    },
  }

  /** @param {Buffer} bytes */
  function print(bytes) {
    kept?.push(bytes)
    pending.push(bytes)
    pendingSize += bytes.length
    times.push(`[${Date.now()},"out",${size.out + pendingSize}]\n`)
    timer ??= setTimeout(flush, Math.max(SOON_MS, flushedAt + APART_MS - Date.now()))
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
    pump()
  }

  /** @param {object} next */
  function sayRecord(next) {
    const number = ++version
    queue.push(() => {
      socket.send(JSON.stringify({type: 'record', key: KEY, version: number, record: next}))
      return 0
    })
    pump()
  }

  function pump() {
    let count = 0
    for (const send of queue) {
      if (sent - have >= MOST_UNDERWAY) {
        waitedFor++
        break
      }
      sent += send()
      count++
    }
    queue = count === queue.length ? [] : queue.slice(count)
  }

  function isDone() {
    return queue.length === 0 && have === sent && acked === version
  }
}

/**
 * @param {string} runId
 * @param {number} startedAt
 * @param {number} endedAt
 * @param {number} [toolCount]
 */
export function resultOf(runId, startedAt, endedAt, toolCount = 1) {
  return {
    runId,
    agent: 'claude',
    verdict: 'succeeded',
    reason: 'Last turn completed without errors',
    evidence: [],
    exitCode: 0,
    signal: null,
    startedAt,
    durationMs: endedAt - startedAt,
    costUsd: 0.0125,
    isEstimate: false,
    estimateUsd: null,
    tokens: {input: 12, output: 5, cacheRead: 100, cacheWrite: 0},
    turns: 1,
    toolCount,
    failedToolCount: 0,
    deniedCount: 0,
    fileCount: 0,
    added: 0,
    removed: 0,
    lines: 6,
    malformed: 0,
    unknown: 0,
    lastSeen: '',
  }
}
