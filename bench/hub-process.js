// A hub in its own process, requests to it, and the rows that benchmarks print.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {get} from 'node:http'
import {createServer} from 'node:net'
import {availableParallelism, loadavg} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {readMemory} from '../test/support/process-stats.js'

export {sleep}

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
/**
 * @typedef {object} HubProcess
 * @property {number} pid
 * @property {number} port
 * @property {string} url
 * @property {() => string} token
 * @property {number} startedAt A time of `performance.now()`.
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a hub without waiting until it is up.
 *
 * @param {string} dataDir
 * @param {string[]} [nodeArgs]
 * @returns {Promise<HubProcess>}
 */
export async function spawnHub(dataDir, nodeArgs = []) {
  const port = await findFreePort()
  const args = [...nodeArgs, bin, 'serve', '--port', String(port), '--json', '--data-dir', dataDir]
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'ignore', 'inherit']})
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    port,
    url: `http://127.0.0.1:${port}`,
    token: () => readFileSync(join(dataDir, 'token'), 'utf8').trim(),
    startedAt,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** @param {HubProcess} hub */
export async function waitUntilUp({url}) {
  while (!(await isUp(url))) await sleep(5)
}

/** @param {string} url */
async function isUp(url) {
  try {
    const {status} = await request(`${url}/healthz`)
    return status === 200
  } catch {
    return false
  }
}

/**
 * Sends a GET request and reads the complete response.
 *
 * @param {string} url
 * @param {string} [token]
 * @returns {Promise<{status: number, body: Buffer}>}
 */
export function request(url, token) {
  const headers = token === undefined ? {} : {authorization: `Bearer ${token}`}
  return new Promise((resolve, reject) => {
    get(url, {headers, agent: false}, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({status: response.statusCode ?? 0, body: Buffer.concat(chunks)}),
      )
    }).on('error', reject)
  })
}

/**
 * @param {HubProcess} hub
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function requestJson(hub, path) {
  const {status, body} = await request(`${hub.url}${path}`, hub.token())
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  return JSON.parse(body.toString())
}

/** @returns {Promise<number>} */
function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/**
 * Samples the resident memory of a process, in MiB.
 *
 * @param {number} pid
 * @param {number} [intervalMs]
 */
export function sampleMemory(pid, intervalMs = 1000) {
  /** @type {number[]} */
  const samples = []
  const timer = setInterval(() => samples.push(readMemory(pid)), intervalMs)
  return {
    samples,
    stop: () => clearInterval(timer),
    /** The median of a part of the time. @param {number} from From 0 to 1. @param {number} to From 0 to 1. */
    medianOf(from, to) {
      const {length} = samples
      return quantile(samples.slice(Math.floor(from * length), Math.ceil(to * length)), 0.5)
    },
    peak: () => Math.max(0, ...samples),
  }
}

/** @param {number[]} numbers @param {number} part From 0 to 1. */
export function quantile(numbers, part) {
  const sorted = Float64Array.from(numbers).toSorted()
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** The time of the monotonic clock, which all processes share, in microseconds. */
export function readClock() {
  return Number(process.hrtime.bigint() / 1000n)
}

/** @param {string} title */
export function printTitle(title) {
  const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  console.log(`\n${`${title} (${load})`.padEnd(60)}${'goal'.padStart(24)}`)
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [goal]
 * @param {boolean} [isReached]
 */
export function printFigure(name, value, goal = '', isReached = true) {
  const mark = goal === '' ? '' : `  ${goal.padStart(12)}${isReached ? '' : '  MISSED'}`
  console.log(`${name.padEnd(48)}${value.padStart(22)}${mark}`)
}
