// A thread that asks a hub for /healthz again and again, and reports how long that took.

import {request} from 'node:http'
import {setTimeout as sleep} from 'node:timers/promises'
import {parentPort, workerData} from 'node:worker_threads'

const INTERVAL_MS = 20
const TIMEOUT_MS = 30_000

/** @type {{url: string, token: string}} */
const {url, token} = workerData
/** @type {number[]} */
const times = []
let failed = 0
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())

while (!stopping.signal.aborted) {
  const startedAt = performance.now()
  try {
    const status = await ask()
    if (status === 200) times.push(performance.now() - startedAt)
    else failed++
  } catch {
    failed++
  }
  await sleep(INTERVAL_MS)
}
const sorted = times.toSorted((one, other) => one - other)
const p50 = sorted[sorted.length >> 1] ?? 0
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
parentPort?.postMessage({p50, max: sorted.at(-1) ?? 0, failed})

/** @returns {Promise<number | undefined>} the status; each request is a connection of its own */
function ask() {
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`}
    const asked = request(`${url}/healthz`, {headers, agent: false, timeout: TIMEOUT_MS})
    asked.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    asked.on('timeout', () => asked.destroy(new Error('timeout')))
    asked.on('error', reject)
    asked.end()
  })
}
