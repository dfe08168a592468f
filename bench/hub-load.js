// Many runs and many clients at once, and one client that stops reading. The runs are simulated in this process, the
// clients in another one, so that neither blocks the other. Both warm up on another hub: the measured hub is new, and
// its first second counts.

import {fork} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {readThreadCpuSeconds} from '../test/support/process-stats.js'
import {
  quantile,
  request,
  requestJson,
  printFigure,
  printTitle,
  sleep,
  spawnHub,
  waitUntilUp,
  sampleMemory,
} from './hub-process.js'
import {connectRunner} from './hub-runner.js'

const TICK_MS = 5
/** How often each runner sends its record. */
const RECORD_INTERVAL_MS = 2000
/** Messages count as lost when none has arrived for this time. */
const IDLE_TIMEOUT_MS = 30_000
const PAGE_SIZE = 5000
const WARM_UP_SECONDS = 3

/**
 * @typedef {{seconds: number, ramp: number, runs: number, rate: number, clients: number, follow: number}} Load
 * @typedef {ReturnType<typeof startClients>} Watchers
 */

/**
 * @param {Load & {nodeArgs: string[]}} options
 * @returns {Promise<string[]>} The losses.
 */
export async function benchLoad({nodeArgs, ...load}) {
  const watchers = startClients()
  try {
    await withHub(nodeArgs, (hub) =>
      runLoad(hub, watchers, {...load, seconds: WARM_UP_SECONDS, stallMs: 0}),
    )
    await watchers.reset()
    return await withHub(nodeArgs, (hub) => measure(hub, watchers, load))
  } finally {
    watchers.stop()
  }
}

/**
 * @template T
 * @param {string[]} nodeArgs
 * @param {(hub: import('./hub-process.js').HubProcess) => Promise<T>} use
 */
async function withHub(nodeArgs, use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const hub = await spawnHub(dataDir, nodeArgs)
  try {
    await waitUntilUp(hub)
    return await use(hub)
  } finally {
    await hub.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}

/**
 * Runs the load until the clients have received everything.
 *
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {Watchers} watchers
 * @param {Load & {stallMs: number}} load
 */
async function runLoad(
  hub,
  watchers,
  {seconds, ramp, runs: count, rate, clients, follow, stallMs},
) {
  const access = {url: hub.url, token: hub.token()}
  const runIds = Array.from({length: count}, (_, at) => `load-${at}`)
  const runners = await Promise.all(runIds.map((runId) => connectRunner(access, runId)))
  for (const runner of runners.slice(0, 3)) runner.keepOutput()
  // All clients subscribe before the load; `hub.js late` tests those that subscribe later.
  const plans = Array.from({length: clients}, (_, at) =>
    Array.from({length: follow}, (__, nth) => runIds[(at * follow + nth) % count] ?? ''),
  )
  const expected = plans.reduce((sum, plan) => sum + new Set(plan).size, 0)
  for (const plan of plans) {
    watchers.send({type: 'follow', ...access, runIds: [...new Set(plan)]})
  }
  while (watchers.progress.following < clients) await sleep(10)
  const stall = () => watchers.send({type: 'stall', ...access, ms: stallMs})
  if (stallMs > 0) setTimeout(stall, (ramp + seconds / 10) * 1000)
  const memory = sampleMemory(hub.pid)
  const probe = startProbe(hub.url)
  const before = readThreadCpuSeconds(hub.pid)
  const printed = await printLines(runners, {seconds, ramp, rate})
  const spent = readThreadCpuSeconds(hub.pid)
  probe.stop()
  memory.stop()
  await Promise.all(runners.map((runner) => runner.end()))
  const sentAt = performance.now()
  await watchers.waitForEnds(expected)
  const drained = performance.now() - sentAt
  const total = readThreadCpuSeconds(hub.pid)
  return {runners, printed, memory, probe, before, spent, total, drained}
}

/**
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {Watchers} watchers
 * @param {Load} load
 */
async function measure(hub, watchers, load) {
  const {seconds, ramp, runs: count, rate, clients} = load
  const stallMs = Math.min(20, seconds / 3) * 1000
  const done = await runLoad(hub, watchers, {...load, stallMs})
  const {runners, printed, memory, probe, before, spent, total, drained} = done
  const report = await watchers.report()

  const mib = (/** @type {number} */ value) => `${value.toFixed(0)} MiB`
  const ms = (/** @type {number} */ micros) => `${(micros / 1000).toFixed(1)} ms`
  printTitle(`vitrine serve: ${count} runs, ${clients} clients`)
  printFigure('lines printed', `${(printed.lines / printed.seconds).toFixed(0)}/s`)
  const planned = count * rate * (seconds + ramp / 2)
  printFigure('  of the planned lines', `${((100 * printed.lines) / planned).toFixed(0)} %`)
  printFigure('  max delay of a runner', `${printed.late.toFixed(0)} ms`)
  printFigure('messages received', `${report.received}`)
  printFigure('  state messages received', `${report.states}`)
  const p99 = quantile(report.delays, 0.99)
  printFigure('line to client, p50', ms(quantile(report.delays, 0.5)))
  printFigure('line to client, p99', ms(p99), '< 250 ms', p99 < 250_000)
  printFigure('line to client, max', ms(quantile(report.delays, 1)))
  const lateCount = report.delays.filter((/** @type {number} */ micros) => micros > 250_000).length
  printFigure('  later than 250 ms', `${lateCount}`)
  printFigure('/healthz, p50', `${quantile(probe.delays, 0.5).toFixed(1)} ms`)
  printFigure('/healthz, p99', `${quantile(probe.delays, 0.99).toFixed(1)} ms`)
  printFigure('all received after the last line', `${drained.toFixed(0)} ms`)
  const tenths = Array.from({length: 10}, (_, at) => memory.medianOf(at / 10, (at + 1) / 10))
  printFigure('memory of the hub, each tenth of the time', mib(tenths[0] ?? 0))
  for (const tenth of tenths.slice(1)) printFigure('', mib(tenth))
  printFigure('peak memory of the hub', mib(memory.peak()))
  const part = (/** @type {number} */ value) => `${((100 * value) / printed.seconds).toFixed(0)} %`
  printFigure('CPU time, main thread', part(spent.main - before.main))
  printFigure('CPU time, index and other threads', part(spent.others - before.others))
  const cost = (/** @type {number} */ value) => `${((1e6 * value) / printed.lines).toFixed(0)} µs`
  printFigure(
    '  per line, all threads',
    cost(total.main + total.others - before.main - before.others),
  )
  printFigure('  per line, main thread', cost(total.main - before.main))
  const {stalled} = report
  printFigure('stalled client: gaps', `${stalled?.gaps}, ${stalled?.missed} messages`)
  printFigure('  messages before and after', `${stalled?.before}, ${stalled?.after}`)

  const losses = [...report.losses]
  if (report.lossCount > losses.length) losses.push(`... ${report.lossCount} in total`)
  const exceedsBuffer = (stallMs / 1000) * count * rate * 700 > 40e6
  if (exceedsBuffer && !(stalled?.gaps > 0)) losses.push('the stalled client received no gap')
  for (const runner of runners) {
    for (const lastSeq of report.ends[runner.runId] ?? []) {
      if (lastSeq !== runner.lastSeq) {
        losses.push(`${runner.runId}: a client has ${lastSeq} of ${runner.lastSeq}`)
      }
    }
  }
  losses.push(...(await checkStored(hub, runners)))
  return losses
}

/**
 * Prints the lines of all runs, spread over time. During the ramp the rate grows to its full value; these lines count too.
 *
 * @param {import('./hub-runner.js').Runner[]} runners
 * @param {{seconds: number, ramp: number, rate: number}} pace
 */
async function printLines(runners, {seconds, ramp, rate}) {
  const start = performance.now()
  const counts = runners.map(() => 0)
  let late = 0
  let lines = 0
  let next = 0
  const timer = setInterval(
    () => runners[next++ % runners.length]?.sendProgress(),
    RECORD_INTERVAL_MS / runners.length,
  )
  const end = start + (ramp + seconds) * 1000
  for (let now = start, last = start; now < end; last = now, now = performance.now()) {
    late = Math.max(late, now - last - TICK_MS)
    const elapsed = (now - start) / 1000
    const printed = rate * (elapsed < ramp ? elapsed ** 2 / (2 * ramp) : elapsed - ramp / 2)
    for (const [at, runner] of runners.entries()) {
      const due = Math.floor(printed + 1 - at / runners.length)
      for (; (counts[at] ?? 0) < due; lines++) {
        runner.print()
        counts[at] = (counts[at] ?? 0) + 1
      }
    }
    await sleep(TICK_MS)
  }
  clearInterval(timer)
  return {lines, late, seconds: (performance.now() - start) / 1000}
}

/** Measures the latency of the hub. @param {string} url */
function startProbe(url) {
  /** @type {number[]} */
  const delays = []
  const timer = setInterval(async () => {
    const start = performance.now()
    await request(`${url}/healthz`)
    delays.push(performance.now() - start)
  }, 200)
  return {delays, stop: () => clearInterval(timer)}
}

/**
 * Compares the messages and bytes of the hub with the printed ones.
 *
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {import('./hub-runner.js').Runner[]} runners
 */
async function checkStored(hub, runners) {
  const losses = []
  let count = 0
  for (const {runId, lastSeq} of runners) {
    let seq = 0
    for (let isEnd = false; !isEnd;) {
      const page = await requestJson(
        hub,
        `/api/runs/${runId}/events?since=${seq}&limit=${PAGE_SIZE}`,
      )
      for (const event of page.events) {
        if (event.seq !== seq + 1) losses.push(`${runId}: stored ${event.seq} after ${seq}`)
        seq = event.seq
      }
      count += page.events.length
      isEnd = page.isEnd || page.events.length === 0
    }
    if (seq !== lastSeq) losses.push(`${runId}: ${seq} of ${lastSeq} are stored`)
  }
  for (const runner of runners.slice(0, 3)) {
    const {body} = await request(`${hub.url}/api/runs/${runner.runId}/raw`, hub.token())
    if (!body.equals(runner.readOutput())) {
      losses.push(`${runner.runId}: the ${body.length} raw bytes differ from ${runner.bytes}`)
    }
  }
  printFigure('stored messages', `${count}`)
  return losses
}

/** Starts the process of the clients. */
export function startClients() {
  const child = fork(fileURLToPath(new URL('hub-clients.js', import.meta.url)))
  const progress = {received: 0, endedCount: 0, slowest: 0, at: 0, following: 0}
  /** @type {Map<string, (message: any) => void>} */
  const waiting = new Map()
  /** @type {() => void} */
  let onProgress = () => {}
  child.on('message', (/** @type {any} */ message) => {
    if (message.type === 'following') progress.following++
    else if (message.type === 'progress') {
      Object.assign(progress, message)
      onProgress()
    } else waiting.get(message.type)?.(message)
  })
  return {
    progress,
    pid: child.pid ?? 0,
    /** @param {import('./hub-clients.js').Follow | import('./hub-clients.js').Stall} message */
    send: (message) => void child.send(message),
    /** @param {() => void} listener */
    onProgress: (listener) => void (onProgress = listener),
    /** Resolves after this number of `run_ended` messages, or when no message arrives any more. @param {number} count */
    async waitForEnds(count) {
      let received = -1
      let receivedAt = performance.now()
      while (progress.endedCount < count && performance.now() - receivedAt < IDLE_TIMEOUT_MS) {
        if (progress.received !== received) receivedAt = performance.now()
        ;({received} = progress)
        await sleep(20)
      }
    },
    report: () => callProcess('report'),
    reset: () => {
      progress.following = 0
      progress.received = 0
      return callProcess('reset')
    },
    stop: () => void child.kill(),
  }

  /** @param {'report' | 'reset'} type @returns {Promise<any>} */
  function callProcess(type) {
    return new Promise((resolve) => {
      waiting.set(type, resolve)
      child.send({type})
    })
  }
}
