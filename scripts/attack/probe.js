// A thread that requests /healthz repeatedly and reports the latency.

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
    const status = await requestHealth()
    if (status === 200) times.push(performance.now() - startedAt)
    else failed++
  } catch {
    failed++
  }
  await sleep(INTERVAL_MS)
}
const sorted = times.toSorted((one, other) => one - other)
const p50 = sorted[sorted.length >> 1] ?? 0
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is a thread, not a window.
parentPort?.postMessage({p50, max: sorted.at(-1) ?? 0, failed})

/** Opens a new connection for each request. @returns {Promise<number | undefined>} The status. */
function requestHealth() {
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`}
    const health = request(`${url}/healthz`, {headers, agent: false, timeout: TIMEOUT_MS})
    health.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    health.on('timeout', () => health.destroy(new Error('timeout')))
    health.on('error', reject)
    health.end()
  })
}
