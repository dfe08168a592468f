// Many runs at once, many who watch, and one who does not read. The runs are simulated in this process, the clients
// are in another, so that neither waits for the other. They practise on another hub first: it is the hub that is
// measured from its first second on, not they.

import {fork} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {
  quantile,
  readWork,
  request,
  requestJson,
  show,
  showTitle,
  sleep,
  spawnHub,
  untilUp,
  watchMemory,
} from './hub-process.js'
import {connectRunner} from './hub-runner.js'

const TICK_MS = 5
const RECORD_MS = 2000
/** What has not come is lost when nothing has come for so long. */
const PATIENCE_MS = 30_000
const PAGE = 5000

const PRACTICE_S = 3

/**
 * @typedef {{seconds: number, ramp: number, runs: number, rate: number, clients: number, follow: number}} Load
 * @typedef {ReturnType<typeof startClients>} Watchers
 */

/**
 * @param {Load & {nodeArgs: string[]}} options
 * @returns {Promise<string[]>} what was lost
 */
export async function benchLoad({nodeArgs, ...load}) {
  const watchers = startClients()
  try {
    await withHub(nodeArgs, (hub) =>
      work(hub, watchers, {...load, seconds: PRACTICE_S, stallMs: 0}),
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
    await untilUp(hub)
    return await use(hub)
  } finally {
    await hub.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}

/**
 * Lets all runs print to a hub while the clients watch, until all is there.
 *
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {Watchers} watchers
 * @param {Load & {stallMs: number}} load
 */
async function work(hub, watchers, {seconds, ramp, runs: count, rate, clients, follow, stallMs}) {
  const door = {url: hub.url, token: hub.token()}
  const runIds = Array.from({length: count}, (_, at) => `load-${at}`)
  const runners = await Promise.all(runIds.map((runId) => connectRunner(door, runId)))
  for (const runner of runners.slice(0, 3)) runner.keep()
  // All of them are there from the beginning; `late` is about those who come later.
  const plans = Array.from({length: clients}, (_, at) =>
    Array.from({length: follow}, (__, nth) => runIds[(at * follow + nth) % count] ?? ''),
  )
  const expected = plans.reduce((sum, plan) => sum + new Set(plan).size, 0)
  for (const plan of plans) {
    watchers.send({type: 'follow', ...door, runIds: [...new Set(plan)]})
  }
  while (watchers.progress.following < clients) await sleep(10)
  const stall = () => watchers.send({type: 'stall', ...door, ms: stallMs})
  if (stallMs > 0) setTimeout(stall, (ramp + seconds / 10) * 1000)
  const memory = watchMemory(hub.pid)
  const pulse = startPulse(hub.url)
  const before = readWork(hub.pid)
  const printed = await drive(runners, {seconds, ramp, rate})
  const spent = readWork(hub.pid)
  pulse.stop()
  memory.stop()
  await Promise.all(runners.map((runner) => runner.end()))
  const sentAt = performance.now()
  await watchers.untilOver(expected)
  const drained = performance.now() - sentAt
  const total = readWork(hub.pid)
  return {runners, printed, memory, pulse, before, spent, total, drained}
}

/**
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {Watchers} watchers
 * @param {Load} load
 */
async function measure(hub, watchers, load) {
  const {seconds, ramp, runs: count, rate, clients} = load
  const stallMs = Math.min(20, seconds / 3) * 1000
  const done = await work(hub, watchers, {...load, stallMs})
  const {runners, printed, memory, pulse, before, spent, total, drained} = done
  const report = await watchers.report()

  const mib = (/** @type {number} */ value) => `${value.toFixed(0)} MiB`
  const ms = (/** @type {number} */ micros) => `${(micros / 1000).toFixed(1)} ms`
  showTitle(`vitrine serve: ${count} runs, ${clients} clients`)
  show('lines printed', `${(printed.lines / printed.seconds).toFixed(0)}/s`)
  const meant = count * rate * (seconds + ramp / 2)
  show('  of which were meant', `${((100 * printed.lines) / meant).toFixed(0)} %`)
  show('  most a runner was late', `${printed.late.toFixed(0)} ms`)
  show('messages received', `${report.received}`)
  show('  and messages on what holds', `${report.states}`)
  const p99 = quantile(report.delays, 0.99)
  show('line to client, p50', ms(quantile(report.delays, 0.5)))
  show('line to client, p99', ms(p99), '< 250 ms', p99 < 250_000)
  show('line to client, most', ms(quantile(report.delays, 1)))
  const lateCount = report.delays.filter((/** @type {number} */ micros) => micros > 250_000).length
  show('  later than 250 ms', `${lateCount}`)
  show('/healthz, p50', `${quantile(pulse.delays, 0.5).toFixed(1)} ms`)
  show('/healthz, p99', `${quantile(pulse.delays, 0.99).toFixed(1)} ms`)
  show('all received after the last line', `${drained.toFixed(0)} ms`)
  const tenths = Array.from({length: 10}, (_, at) => memory.medianOf(at / 10, (at + 1) / 10))
  show('memory of the hub, each tenth of the time', mib(tenths[0] ?? 0))
  for (const tenth of tenths.slice(1)) show('', mib(tenth))
  show('memory of the hub, most', mib(memory.most()))
  const part = (/** @type {number} */ value) => `${((100 * value) / printed.seconds).toFixed(0)} %`
  show('processor, thread of the hub', part(spent.main - before.main))
  show('processor, index and other threads', part(spent.others - before.others))
  const cost = (/** @type {number} */ value) => `${((1e6 * value) / printed.lines).toFixed(0)} µs`
  show('  for a line, all in all', cost(total.main + total.others - before.main - before.others))
  show('  for a line, thread of the hub', cost(total.main - before.main))
  const {stalled} = report
  show('client that stalled: gaps', `${stalled?.gaps}, ${stalled?.missed} messages`)
  show('  messages before and after', `${stalled?.before}, ${stalled?.after}`)

  const losses = [...report.losses]
  if (report.lossCount > losses.length) losses.push(`... ${report.lossCount} in all`)
  const isMuch = (stallMs / 1000) * count * rate * 700 > 40e6
  if (isMuch && !(stalled?.gaps > 0)) losses.push('the client that stalled was told of no gap')
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
 * Lets all runs print, each at its own moments: first slowly and ever faster, then at the full rate. All of it counts.
 *
 * @param {import('./hub-runner.js').Runner[]} runners
 * @param {{seconds: number, ramp: number, rate: number}} pace
 */
async function drive(runners, {seconds, ramp, rate}) {
  const start = performance.now()
  const counts = runners.map(() => 0)
  let late = 0
  let lines = 0
  let told = 0
  const tellers = setInterval(
    () => runners[told++ % runners.length]?.tell(),
    RECORD_MS / runners.length,
  )
  const end = start + (ramp + seconds) * 1000
  for (let now = start, last = start; now < end; last = now, now = performance.now()) {
    late = Math.max(late, now - last - TICK_MS)
    const elapsed = (now - start) / 1000
    const printed = rate * (elapsed < ramp ? elapsed ** 2 / (2 * ramp) : elapsed - ramp / 2)
    for (const [at, runner] of runners.entries()) {
      const due = Math.floor(printed + 1 - at / runners.length)
      for (; (counts[at] ?? 0) < due; lines++) {
        runner.work()
        counts[at] = (counts[at] ?? 0) + 1
      }
    }
    await sleep(TICK_MS)
  }
  clearInterval(tellers)
  return {lines, late, seconds: (performance.now() - start) / 1000}
}

/** Asks the hub now and then whether it is there. @param {string} url */
function startPulse(url) {
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
 * Compares what the hub has with what was printed.
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
      const page = await requestJson(hub, `/api/runs/${runId}/events?since=${seq}&limit=${PAGE}`)
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
    if (!body.equals(runner.kept())) {
      losses.push(`${runner.runId}: ${body.length} raw bytes of ${runner.bytes}, or others`)
    }
  }
  show('stored messages', `${count}`)
  return losses
}

/** Starts the process with the clients. */
export function startClients() {
  const child = fork(fileURLToPath(new URL('hub-clients.js', import.meta.url)))
  const progress = {received: 0, overCount: 0, slowest: 0, at: 0, following: 0}
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
    /** Settles when so many runs are over, or nothing comes any more. @param {number} count */
    async untilOver(count) {
      let received = -1
      let cameAt = performance.now()
      while (progress.overCount < count && performance.now() - cameAt < PATIENCE_MS) {
        if (progress.received !== received) cameAt = performance.now()
        ;({received} = progress)
        await sleep(20)
      }
    },
    report: () => ask('report'),
    reset: () => {
      progress.following = 0
      progress.received = 0
      return ask('reset')
    },
    stop: () => void child.kill(),
  }

  /** @param {'report' | 'reset'} type @returns {Promise<any>} */
  function ask(type) {
    return new Promise((resolve) => {
      waiting.set(type, resolve)
      child.send({type})
    })
  }
}
