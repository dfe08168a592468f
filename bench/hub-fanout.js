// Fan-out of one busy run to many clients, compared in alternation with a loop that sends the same messages to the same
// clients. Both receive the next hundred lines when the slowest client has caught up. The hub also parses, masks and
// indexes each line.

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startClients} from './hub-load.js'
import {readThreadCpuSeconds} from '../test/support/process-stats.js'
import {readClock, requestJson, sleep, spawnHub, waitUntilUp} from './hub-process.js'
import {connectRunner} from './hub-runner.js'
import {median} from './turns.js'

/** @import {Row} from './table.js' */

const STEP = 100
/** How many messages the slowest client may be behind. */
const MAX_BEHIND = 1000

/**
 * Microseconds per delivery: wall-clock time, CPU time of the main thread, which has the sockets, and of all threads.
 *
 * @typedef {{spent: number, main: number, all: number}} Turn
 */

/** @type {{name: string, unit: string, read: (turn: Turn) => number}[]} */
const FIGURES = [
  {name: 'serve: time per delivery', unit: 'µs', read: ({spent}) => spent},
  {name: 'serve: CPU time, main thread', unit: 'µs', read: ({main}) => main},
  {name: 'serve: CPU time, all threads', unit: 'µs', read: ({all}) => all},
]

/**
 * @param {{rounds: number, messages: number, clients: number, onProgress: (step: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchFanout({rounds, messages, clients, onProgress}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const hub = await spawnHub(dataDir)
  const watchers = startClients()
  /** @type {Awaited<ReturnType<typeof startBroadcast>> | undefined} */
  let bare
  try {
    await waitUntilUp(hub)
    const access = {url: hub.url, token: hub.token()}
    /** @type {Turn[]} */
    const byHub = []
    /** @type {Turn[]} */
    const byLoop = []
    for (let round = 0; round <= rounds; round++) {
      onProgress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`)
      const runId = `fan-${round}`
      const runner = await connectRunner(access, runId)
      const ours = await measureTurn({...access, runId, pid: hub.pid}, (count) =>
        runner.print(count),
      )
      await runner.end()
      await watchers.reset()
      bare ??= await startBroadcast(await listTexts(hub, runId), join(dataDir, 'texts.json'))
      const {url, pid, send} = bare
      send(0)
      let upTo = 1
      const theirs = await measureTurn({url, token: '', runId: 'fan-0', pid}, (count) => {
        upTo += count
        send(upTo)
      })
      await watchers.reset()
      if (round === 0) continue
      byHub.push(ours)
      byLoop.push(theirs)
    }
    const {losses} = await watchers.report()
    if (losses.length > 0) throw new Error(`Messages were lost: ${losses.join('; ')}`)
    return toRows(byHub, byLoop)
  } finally {
    watchers.stop()
    bare?.stop()
    await hub.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }

  /**
   * @param {Turn[]} byHub
   * @param {Turn[]} byLoop
   * @returns {Row[]}
   */
  function toRows(byHub, byLoop) {
    return FIGURES.map(({name, unit, read}) => {
      const owns = byHub.map(read)
      const floors = byLoop.map(read)
      const ratios = owns.map((own, at) => own / (floors[at] ?? 0))
      return {
        group: `hub: one run to ${clients} clients, ${messages} messages; floor: a loop over send of ws`,
        kind: 'vitrine',
        name,
        own: median(owns),
        floor: median(floors),
        unit,
        ratio: median(ratios),
        ratios,
      }
    })
  }

  /**
   * Subscribes all clients to a run and prints its lines.
   *
   * @param {{url: string, token: string, runId: string, pid: number}} server
   * @param {(count: number) => void} print
   * @returns {Promise<Turn>}
   */
  async function measureTurn({url, token, runId, pid}, print) {
    for (let at = 0; at < clients; at++) {
      watchers.send({type: 'follow', url, token, runIds: [runId]})
    }
    while (watchers.progress.following < clients) await sleep(10)
    await sleep(200)
    const before = readThreadCpuSeconds(pid)
    const start = readClock()
    let printed = 0
    await new Promise((resolve) => {
      const printMore = () => {
        const {slowest} = watchers.progress
        while (printed < messages && printed - slowest < MAX_BEHIND) {
          print(STEP)
          printed += STEP
        }
        if (slowest > messages) resolve(undefined)
      }
      watchers.onProgress(printMore)
      watchers.progress.slowest = 0
      printMore()
    })
    watchers.onProgress(() => {})
    const after = readThreadCpuSeconds(pid)
    const count = messages * clients
    const main = ((after.main - before.main) * 1e6) / count
    return {
      spent: (watchers.progress.at - start) / count,
      main,
      all: main + ((after.others - before.others) * 1e6) / count,
    }
  }
}

/**
 * The messages of a run as JSON texts.
 *
 * @param {import('./hub-process.js').HubProcess} hub
 * @param {string} runId
 */
async function listTexts(hub, runId) {
  /** @type {string[]} */
  const texts = []
  for (;;) {
    const page = await requestJson(
      hub,
      `/api/runs/${runId}/events?since=${texts.length}&limit=5000`,
    )
    for (const event of page.events) texts.push(JSON.stringify(event))
    if (page.isEnd || page.events.length === 0) return texts
  }
}

/**
 * @param {string[]} texts
 * @param {string} path
 */
async function startBroadcast(texts, path) {
  writeFileSync(path, JSON.stringify(texts))
  const child = fork(fileURLToPath(new URL('hub-broadcast.js', import.meta.url)), [path])
  const [{port}] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    /** @param {number} upTo */
    send: (upTo) => void child.send({upTo}),
    stop: () => void child.kill(),
  }
}
