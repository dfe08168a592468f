// A hub in this process, with a few recordings, for targets that talk to it.

import assert from 'node:assert/strict'
import {once} from 'node:events'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as sleep} from 'node:timers/promises'
import {WebSocket} from 'ws'
import {startHub} from '../../dist/hub/start-hub.js'
import {listFixtures} from './agents-target.js'

/**
 * @typedef {object} TestHub
 * @property {string} url
 * @property {string} token
 * @property {string} folder what must not change around the data folder
 * @property {string} dataDir
 * @property {string[]} troubles what the hub said to its owner, and what was not caught
 * @property {(path: string, token?: string) => Promise<Conversation>} connect
 * @property {(path: string) => Promise<any>} json
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Conversation
 * @property {WebSocket} socket
 * @property {any[]} heard
 * @property {(isWanted: (message: any) => boolean) => Promise<boolean>} hears whether it was heard before the end
 */

/** Where folders come and go by the thousand: in memory, where that is possible. */
export const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** How long a hub may take for an answer: it may be busy, but not so busy. */
const PATIENCE_MS = 20_000

/** @returns {Promise<TestHub>} */
export async function openTestHub() {
  const folder = mkdtempSync(join(scratch, 'vitrine-fuzz-'))
  const dataDir = join(folder, 'data')
  writeRecording(join(dataDir, 'runs', 'over'), true)
  writeRecording(join(dataDir, 'runs', 'left'), false)
  /** @type {string[]} */
  const troubles = []
  const hub = await startHub({
    dataDir,
    version: '0',
    port: 0,
    onRemark: (text) => void troubles.push(text),
  })
  await hub.caughtUp
  const onTrouble = (/** @type {unknown} */ error) => {
    troubles.push(error instanceof Error ? String(error.stack) : String(error))
  }
  process.on('uncaughtException', onTrouble)
  process.on('unhandledRejection', onTrouble)
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  return {
    url: hub.url,
    token,
    folder,
    dataDir,
    troubles,
    connect: (path, mine = token) => connect(hub.url.replace('http', 'ws') + path, mine),
    async json(path) {
      const headers = {authorization: `Bearer ${token}`}
      let response = await fetch(hub.url + path, {headers})
      // Whoever asks too often is told so.
      while (response.status === 429) {
        await sleep(200)
        response = await fetch(hub.url + path, {headers})
      }
      assert.equal(response.status, 200, `${path}: ${response.status}`)
      return response.json()
    },
    async close() {
      await hub.close()
      process.off('uncaughtException', onTrouble)
      process.off('unhandledRejection', onTrouble)
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

/**
 * A run as it is written down; its processes are of numbers that no process has.
 *
 * @param {string} runId
 * @param {object} [more]
 */
export function recordOf(runId, more = {}) {
  return {
    version: 1,
    runId,
    argv: ['claude', '-p', 'x'],
    ranArgv: ['claude', '-p', 'x'],
    cwd: '/home/dev',
    agent: 'claude',
    prompt: 'Fix the tests',
    startedAt: 1_700_000_000_000,
    marker: `${runId}-0`,
    supervisor: {pid: 2 ** 30, startTime: '1'},
    isWatched: true,
    limits: {timeoutMs: 60_000, maxTurns: 5, onStuck: 'warn', killAfterMs: 5000},
    ...more,
  }
}

export const RESULT = {
  verdict: 'succeeded',
  reason: 'done',
  evidence: ['exit code 0'],
  exitCode: 0,
  signal: null,
  startedAt: 1_700_000_000_000,
  durationMs: 60_000,
  costUsd: 0.5,
  isEstimate: false,
  estimateUsd: null,
  tokens: {input: 1, output: 2, cacheRead: 3, cacheWrite: 4},
  turns: 1,
  toolCount: 2,
  failedToolCount: 0,
  deniedCount: 0,
  fileCount: 1,
  added: 1,
  removed: 1,
  lines: 3,
  malformed: 0,
  unknown: 0,
  lastSeen: 'Bash',
}

/** What the agent printed. @type {Buffer | undefined} */
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
  const more = isOver
    ? {endedAt: 1_700_000_060_000, sizes, result: RESULT}
    : {live: {...live, isStuck: false, costUsd: null, isEstimate: false}}
  writeFileSync(join(dir, 'run.json'), JSON.stringify(recordOf(runId, more), null, 2))
}

/**
 * @param {string} url
 * @param {string} token
 * @returns {Promise<Conversation>}
 */
async function connect(url, token) {
  const socket = await open(url, token)
  /** @type {any[]} */
  const heard = []
  /** @type {Set<() => void>} */
  const listeners = new Set()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)))
    tell()
  })
  socket.on('error', () => {})
  socket.on('close', tell)
  return {
    socket,
    heard,
    hears: (isWanted) =>
      new Promise((done, fail) => {
        const patience = setTimeout(() => fail(new Error('the hub does not answer')), PATIENCE_MS)
        const look = () => {
          const isHeard = heard.some(isWanted)
          if (!isHeard && socket.readyState === WebSocket.OPEN) return
          clearTimeout(patience)
          listeners.delete(look)
          done(isHeard)
        }
        listeners.add(look)
        look()
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
      // Whoever comes too often is told so.
      if (!String(error).includes('429')) throw error
      await sleep(200)
    }
  }
}
