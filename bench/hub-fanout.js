// One busy run to many clients: how many messages the hub gives out, against a bare loop over the same messages and the
// same clients, in turn. Both are given the next hundred lines when the slowest client is close enough, so that nobody
// drowns. The hub parses, masks and indexes each line besides.

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startClients} from './hub-load.js'
import {clock, readWork, requestJson, sleep, spawnHub, untilUp} from './hub-process.js'
import {connectRunner} from './hub-runner.js'
import {median} from './turns.js'

/** @import {Row} from './table.js' */

const STEP = 100
/** So far the slowest client may be behind. */
const WINDOW = 1000

/**
 * Microseconds for a delivery, by the clock and of the processor: of the thread with the sockets, and of all.
 *
 * @typedef {{spent: number, main: number, all: number}} Turn
 */

/** @type {{name: string, unit: string, read: (turn: Turn) => number}[]} */
const FIGURES = [
  {name: 'serve: time for a delivery', unit: 'µs', read: ({spent}) => spent},
  {name: 'serve: processor, its thread', unit: 'µs', read: ({main}) => main},
  {name: 'serve: processor, all threads', unit: 'µs', read: ({all}) => all},
]

/**
 * @param {{rounds: number, messages: number, clients: number, progress: (what: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchFanout({rounds, messages, clients, progress}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const hub = await spawnHub(dataDir)
  const watchers = startClients()
  /** @type {Awaited<ReturnType<typeof startBroadcast>> | undefined} */
  let bare
  try {
    await untilUp(hub)
    const door = {url: hub.url, token: hub.token()}
    /** @type {Turn[]} */
    const byHub = []
    /** @type {Turn[]} */
    const byLoop = []
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'practice' : `round ${round} of ${rounds}`)
      const runId = `fan-${round}`
      const runner = await connectRunner(door, runId)
      const ours = await turn({...door, runId, pid: hub.pid}, (count) => runner.work(count))
      await runner.end()
      await watchers.reset()
      bare ??= await startBroadcast(await listTexts(hub, runId), join(dataDir, 'texts.json'))
      const {url, pid, send} = bare
      send(0)
      let upTo = 1
      const theirs = await turn({url, token: '', runId: 'fan-0', pid}, (count) => {
        upTo += count
        send(upTo)
      })
      await watchers.reset()
      // The first time everything is compiled.
      if (round === 0) continue
      byHub.push(ours)
      byLoop.push(theirs)
    }
    const {losses} = await watchers.report()
    if (losses.length > 0) throw new Error(`lost: ${losses.join('; ')}`)
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
   * Lets all clients follow a run, and prints it.
   *
   * @param {{url: string, token: string, runId: string, pid: number}} where
   * @param {(count: number) => void} print
   * @returns {Promise<Turn>}
   */
  async function turn({url, token, runId, pid}, print) {
    for (let at = 0; at < clients; at++) {
      watchers.send({type: 'follow', url, token, runIds: [runId]})
    }
    while (watchers.progress.following < clients) await sleep(10)
    await sleep(200)
    const before = readWork(pid)
    const start = clock()
    let printed = 0
    await new Promise((resolve) => {
      const goOn = () => {
        const {slowest} = watchers.progress
        while (printed < messages && printed - slowest < WINDOW) {
          print(STEP)
          printed += STEP
        }
        if (slowest > messages) resolve(undefined)
      }
      watchers.onProgress(goOn)
      watchers.progress.slowest = 0
      goOn()
    })
    watchers.onProgress(() => {})
    const after = readWork(pid)
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
 * The messages of a run as texts, without the last, which is not printed by all.
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
