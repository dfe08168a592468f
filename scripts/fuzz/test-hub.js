// A hub in this process with a few recordings, for the targets that connect to it.

import assert from 'node:assert/strict'
import {once} from 'node:events'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as sleep} from 'node:timers/promises'
import {WebSocket} from 'ws'
import {startHub} from '../../dist/hub/start-hub.js'
import {createRunRecord, createRunResult} from '../../test/support/run-record.js'
import {listFixtures} from './agents-target.js'

/**
 * @typedef {object} TestHub
 * @property {string} url
 * @property {string} token
 * @property {string} folder Contains the data folder and nothing else.
 * @property {string} dataDir
 * @property {string[]} problems Warnings of the hub, and uncaught errors.
 * @property {(path: string, token?: string) => Promise<Connection>} connect
 * @property {(path: string) => Promise<any>} json
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Connection
 * @property {WebSocket} socket
 * @property {any[]} received
 * @property {(isWanted: (message: any) => boolean) => Promise<boolean>} receives Whether a message arrives before the connection ends.
 */

/** For thousands of temporary folders: in memory if possible. */
export const SCRATCH_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const REPLY_TIMEOUT_MS = 20_000

/** Fields of a record that only `vitrine run` writes. */
export const SUPERVISION = {
  isWatched: true,
  limits: {timeoutMs: 60_000, maxTurns: 5, onStuck: 'warn', killAfterMs: 5000},
}

/** @returns {Promise<TestHub>} */
export async function openTestHub() {
  const folder = mkdtempSync(join(SCRATCH_FOLDER, 'vitrine-fuzz-'))
  const dataDir = join(folder, 'data')
  writeRecording(join(dataDir, 'runs', 'over'), true)
  writeRecording(join(dataDir, 'runs', 'left'), false)
  /** @type {string[]} */
  const problems = []
  const hub = await startHub({
    dataDir,
    version: '0',
    port: 0,
    onRemark: (text) => void problems.push(text),
  })
  await hub.caughtUp
  const onError = (/** @type {unknown} */ error) => {
    problems.push(error instanceof Error ? String(error.stack) : String(error))
  }
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  return {
    url: hub.url,
    token,
    folder,
    dataDir,
    problems,
    connect: (path, mine = token) => connect(hub.url.replace('http', 'ws') + path, mine),
    async json(path) {
      const headers = {authorization: `Bearer ${token}`}
      let response = await fetch(hub.url + path, {headers})
      // The rate limit applies to the fuzzer, too.
      while (response.status === 429) {
        await sleep(200)
        response = await fetch(hub.url + path, {headers})
      }
      assert.equal(response.status, 200, `${path}: ${response.status}`)
      return response.json()
    },
    async close() {
      await hub.close()
      process.off('uncaughtException', onError)
      process.off('unhandledRejection', onError)
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

/** The output of the agent in each recording. @type {Buffer | undefined} */
let output

/**
 * @param {string} dir
 * @param {boolean} isOver
 */
export function writeRecording(dir, isOver) {
  mkdirSync(dir, {recursive: true})
  output ??= listFixtures('claude').find(({bytes}) => bytes.length < 8000)?.bytes
  const bytes = output ?? Buffer.alloc(0)
  const answer =
    '{"at":1700000001000,"requestId":"q1","name":"Bash","allow":true,"who":"you","waitedMs":5}\n'
  const file = '{"path":"a.ts","action":"modified","sizeBytes":12,"at":1700000002000}\n'
  const times = [
    [1_700_000_000_500, 'out', bytes.length >> 1],
    [1_700_000_001_000, 'answer', answer.length],
    [1_700_000_002_000, 'file', file.length],
    [1_700_000_003_000, 'err', 5],
    [1_700_000_004_000, 'out', bytes.length],
  ]
  const timing = times.map((time) => `${JSON.stringify(time)}\n`).join('')
  writeFileSync(join(dir, 'stdout'), bytes)
  writeFileSync(join(dir, 'stderr'), 'oops\n')
  writeFileSync(join(dir, 'stdin'), '')
  writeFileSync(join(dir, 'answers.ndjson'), answer)
  writeFileSync(join(dir, 'files.ndjson'), file)
  writeFileSync(join(dir, 'timing.ndjson'), timing)
  const runId = dir.slice(dir.lastIndexOf('/') + 1)
  const sizes = {stdout: bytes.length, stderr: 5, stdin: 0, timing: timing.length}
  const live = {at: 1_700_000_003_000, why: 'thinking', detail: '', since: 1_700_000_002_000}
  const state = isOver
    ? {endedAt: 1_700_000_060_000, sizes, result: createRunResult(runId)}
    : {live: {...live, isStuck: false, costUsd: null, isEstimate: false}}
  const record = createRunRecord(runId, {...SUPERVISION, ...state})
  writeFileSync(join(dir, 'run.json'), JSON.stringify(record, null, 2))
}

/**
 * @param {string} url
 * @param {string} token
 * @returns {Promise<Connection>}
 */
async function connect(url, token) {
  const socket = await open(url, token)
  /** @type {any[]} */
  const received = []
  /** @type {Set<() => void>} */
  const listeners = new Set()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)))
    notify()
  })
  socket.on('error', () => {})
  socket.on('close', notify)
  return {
    socket,
    received,
    receives: (isWanted) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no reply of the hub within ${REPLY_TIMEOUT_MS} ms`)),
          REPLY_TIMEOUT_MS,
        )
        const check = () => {
          const isReceived = received.some(isWanted)
          if (!isReceived && socket.readyState === WebSocket.OPEN) return
          clearTimeout(timer)
          listeners.delete(check)
          resolve(isReceived)
        }
        listeners.add(check)
        check()
      }),
  }
}

/**
 * @param {string} url
 * @param {string} token
 * @returns {Promise<WebSocket>}
 */
async function open(url, token) {
  for (;;) {
    const socket = new WebSocket(url, {headers: {authorization: `Bearer ${token}`}})
    try {
      await once(socket, 'open')
      return socket
    } catch (error) {
      // The rate limit applies to the fuzzer, too.
      if (!String(error).includes('429')) throw error
      await sleep(200)
    }
  }
}
