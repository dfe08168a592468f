// A hub in a child process on loopback with a temporary data folder, and measurements of its memory and latency.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as sleep} from 'node:timers/promises'
import {Worker} from 'node:worker_threads'
import {deriveToken} from '../../dist/hub/auth/tokens.js'
import {readMemory} from '../../test/support/process-stats.js'

export {sleep}

/**
 * @typedef {object} AttackedHub
 * @property {string} url
 * @property {number} port
 * @property {number} pid
 * @property {string} dataDir
 * @property {{main: string, view: string, answer: string, ingest: string}} tokens
 * @property {() => string} errors The stderr of the hub.
 * @property {() => boolean} isRunning
 * @property {() => Promise<Measures>} measure Stops measuring and returns the figures since the start.
 * @property {() => Promise<void>} kill Ends it with SIGKILL.
 * @property {() => Promise<void>} close Ends it, and removes the data folder.
 */

/** @typedef {{idleMb: number, maxMb: number, p50: number, max: number, failed: number}} Measures */

/**
 * @typedef {object} HubSetup
 * @property {string} bin The CLI to run.
 * @property {((dataDir: string) => void) | undefined} [prepare] Fills the data folder.
 * @property {number | undefined} [maxFiles] Runs the hub under this `ulimit -n`.
 * @property {string} [dataDir] The data folder of an earlier hub.
 */

const START_TIMEOUT_MS = 60_000
const SAMPLE_INTERVAL_MS = 50

/**
 * @param {HubSetup} setup
 * @returns {Promise<AttackedHub>}
 */
export async function startHub({bin, prepare, maxFiles, dataDir: kept}) {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'vitrine-attack-'))
  prepare?.(dataDir)
  const serve = [bin, 'serve', '--port', '0', '--json', '--data-dir', dataDir]
  const command = [process.execPath, ...serve]
  const child =
    maxFiles === undefined
      ? spawn(process.execPath, serve, {stdio: ['ignore', 'pipe', 'pipe']})
      : spawn('sh', ['-c', `ulimit -n ${maxFiles}; exec "$@"`, 'sh', ...command], {
          stdio: ['ignore', 'pipe', 'pipe'],
        })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-100_000)))
  const exited = once(child, 'exit')
  const {pid = 0} = child
  const {url, port} = await readAddress(child.stdout, exited)
  const tokens = readTokens(dataDir)
  const probe = startProbe(url, tokens.main)
  const idleMb = readMb(pid)
  let maxMb = idleMb
  const sampler = setInterval(() => (maxMb = Math.max(maxMb, readMb(pid))), SAMPLE_INTERVAL_MS)
  return {
    url,
    port,
    pid,
    dataDir,
    tokens,
    errors: () => errors,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async measure() {
      clearInterval(sampler)
      return {idleMb, maxMb: Math.max(maxMb, readMb(pid)), ...(await probe.stop())}
    },
    async kill() {
      child.kill('SIGKILL')
      clearInterval(sampler)
      await exited
      await probe.stop()
    },
    async close() {
      clearInterval(sampler)
      await probe.stop()
      child.kill('SIGTERM')
      await Promise.race([exited, sleep(5000).then(() => child.kill('SIGKILL'))])
      await exited
      rmSync(dataDir, {recursive: true, force: true})
    },
  }
}

/**
 * @param {import('node:stream').Readable} stdout
 * @param {Promise<unknown>} exited
 * @returns {Promise<{url: string, port: number}>}
 */
async function readAddress(stdout, exited) {
  let text = ''
  const printed = new Promise((resolve, reject) => {
    stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(undefined)
    })
    exited.then(() => reject(new Error('The hub exited before it was ready.')), reject)
    setTimeout(() => reject(new Error('The hub did not start in time.')), START_TIMEOUT_MS).unref()
  })
  await printed
  return JSON.parse(text)
}

/** @param {string} dataDir */
function readTokens(dataDir) {
  const main = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  return {
    main,
    view: deriveToken(main, 'view'),
    answer: deriveToken(main, 'answer'),
    ingest: deriveToken(main, 'ingest'),
  }
}

/**
 * Sends a GET request with the token of the owner.
 *
 * @param {AttackedHub} hub
 * @param {string} path
 * @param {string} [token]
 */
export function get(hub, path, token = hub.tokens.main) {
  return fetch(hub.url + path, {headers: {authorization: `Bearer ${token}`}})
}

/** Waits until the index has every recording. @param {AttackedHub} hub */
export async function waitUntilIndexed(hub) {
  for (;;) {
    const response = await get(hub, '/api/runs?limit=1')
    const {indexing} = /** @type {{indexing: number}} */ (await response.json())
    if (indexing === 0) return
    await sleep(200)
  }
}

/** The resident memory of a process in whole MB. @param {number} pid */
function readMb(pid) {
  return Math.round(readMemory(pid))
}

/**
 * Requests /healthz from its own thread, so that a busy attack does not count as latency of the hub.
 *
 * @param {string} url
 * @param {string} token
 */
function startProbe(url, token) {
  const worker = new Worker(new URL('probe.js', import.meta.url), {workerData: {url, token}})
  const exited = once(worker, 'exit')
  /** @type {Promise<{p50: number, max: number, failed: number}>} */
  const figures = new Promise((resolve) => worker.once('message', resolve))
  let isStopped = false
  return {
    async stop() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is a thread, not a window.
      if (!isStopped) worker.postMessage('stop')
      isStopped = true
      await exited
      return figures
    },
  }
}
