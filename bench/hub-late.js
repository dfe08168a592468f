// One very busy run, and clients that come in the middle of it: what is past and what comes must fit together.

import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startClients} from './hub-load.js'
import {show, showTitle, sleep, spawnHub, untilUp} from './hub-process.js'
import {connectRunner} from './hub-runner.js'

const STEP = 100
const PAUSE_MS = 5

/**
 * @param {{rounds: number, messages: number, clients: number, nodeArgs: string[]}} options
 * @returns {Promise<string[]>} what was lost
 */
export async function benchLate({rounds, messages, clients, nodeArgs}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const hub = await spawnHub(dataDir, nodeArgs)
  const watchers = startClients()
  try {
    await untilUp(hub)
    const door = {url: hub.url, token: hub.token()}
    /** @type {string[]} */
    const losses = []
    showTitle(`vitrine serve: ${clients} clients come late to ${rounds} busy runs`)
    for (let round = 0; round < rounds; round++) {
      const runId = `late-${round}`
      const runner = await connectRunner(door, runId)
      const start = performance.now()
      for (let printed = 0, come = 0; printed < messages; printed += STEP) {
        runner.work(STEP)
        for (; come < (clients * printed) / messages; come++) {
          watchers.send({type: 'follow', ...door, runIds: [runId]})
        }
        await sleep(PAUSE_MS)
      }
      await runner.end()
      await watchers.untilOver(clients)
      const {ends} = await watchers.report()
      const whole = ends[runId].filter((/** @type {number} */ seq) => seq === runner.lastSeq).length
      show(`${runId}: came to its end`, `${whole} of ${clients}`)
      show('  after', `${((performance.now() - start) / 1000).toFixed(1)} s`)
      if (whole < clients) losses.push(`${runId}: ${clients - whole} clients lack its end`)
      await watchers.reset()
    }
    const report = await watchers.report()
    show('holes', `${report.lossCount}`)
    return [...losses, ...report.losses]
  } finally {
    watchers.stop()
    await hub.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}
