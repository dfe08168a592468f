// A hub in a process of its own, and what the system tells of it.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, readdirSync} from 'node:fs'
import {get} from 'node:http'
import {createServer} from 'node:net'
import {availableParallelism, loadavg} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'

export {sleep}

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
/** What the system counts time of processes in, a second. */
const TICKS = 100

/**
 * @typedef {object} HubProcess
 * @property {number} pid
 * @property {number} port
 * @property {string} url
 * @property {() => string} token
 * @property {number} startedAt by performance.now()
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a hub, and does not wait for it.
 *
 * @param {string} dataDir
 * @param {string[]} [nodeArgs]
 * @returns {Promise<HubProcess>}
 */
export async function spawnHub(dataDir, nodeArgs = []) {
  const port = await findPort()
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

/**
 * Waits until a hub answers.
 *
 * @param {HubProcess} hub
 */
export async function untilUp({url}) {
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
 * An answer of the hub, whole.
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

/** @returns {Promise<number>} a port that was free a moment ago */
function findPort() {
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
 * @param {number} [everyMs]
 */
export function watchMemory(pid, everyMs = 1000) {
  /** @type {number[]} */
  const samples = []
  const timer = setInterval(() => samples.push(readMemory(pid)), everyMs)
  return {
    samples,
    stop: () => clearInterval(timer),
    /** @param {number} from @param {number} to parts of the whole time */
    medianOf(from, to) {
      const {length} = samples
      return quantile(samples.slice(Math.floor(from * length), Math.ceil(to * length)), 0.5)
    },
    most: () => Math.max(0, ...samples),
  }
}

/**
 * @param {number} pid
 * @param {'VmRSS' | 'VmHWM'} figure
 */
export function readMemory(pid, figure = 'VmRSS') {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/**
 * How many seconds each thread of a process has worked: the first is the one that runs the program.
 *
 * @param {number} pid
 * @returns {{main: number, others: number}}
 */
export function readWork(pid) {
  let main = 0
  let others = 0
  try {
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS
      if (id === String(pid)) main += seconds
      else others += seconds
    }
  } catch {
    // It is gone.
  }
  return {main, others}
}

/** @param {number[]} numbers @param {number} part */
export function quantile(numbers, part) {
  const sorted = Float64Array.from(numbers).toSorted()
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** The time by a clock that all processes of the machine share, in microseconds. */
export function clock() {
  return Number(process.hrtime.bigint() / 1000n)
}

/** @param {string} title */
export function showTitle(title) {
  const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  console.log(`\n${`${title} (${load})`.padEnd(60)}${'goal'.padStart(24)}`)
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [goal]
 * @param {boolean} [isReached]
 */
export function show(name, value, goal = '', isReached = true) {
  const mark = goal === '' ? '' : `  ${goal.padStart(12)}${isReached ? '' : '  MISSED'}`
  console.log(`${name.padEnd(48)}${value.padStart(22)}${mark}`)
}
