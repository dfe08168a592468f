// Clients that subscribe in the middle of a busy run: history and live messages must join without a gap.

import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startClients} from './hub-load.js'
import {printFigure, printTitle, sleep, spawnHub, waitUntilUp} from './hub-process.js'
import {connectRunner} from './hub-runner.js'

const STEP = 100
const PAUSE_MS = 5

/**
 * @param {{rounds: number, messages: number, clients: number, nodeArgs: string[]}} options
 * @returns {Promise<string[]>} The losses.
 */
export async function benchLate({rounds, messages, clients, nodeArgs}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const hub = await spawnHub(dataDir, nodeArgs)
  const watchers = startClients()
  try {
    await waitUntilUp(hub)
    const access = {url: hub.url, token: hub.token()}
    /** @type {string[]} */
    const losses = []
    printTitle(`vitrine serve: ${clients} clients join ${rounds} busy runs late`)
    for (let round = 0; round < rounds; round++) {
      const runId = `late-${round}`
      const runner = await connectRunner(access, runId)
      const start = performance.now()
      for (let printed = 0, joined = 0; printed < messages; printed += STEP) {
        runner.print(STEP)
        for (; joined < (clients * printed) / messages; joined++) {
          watchers.send({type: 'follow', ...access, runIds: [runId]})
        }
        await sleep(PAUSE_MS)
      }
      await runner.end()
      await watchers.waitForEnds(clients)
      const {ends} = await watchers.report()
      const complete = ends[runId].filter(
        (/** @type {number} */ seq) => seq === runner.lastSeq,
      ).length
      printFigure(`${runId}: clients with all messages`, `${complete} of ${clients}`)
      printFigure('  after', `${((performance.now() - start) / 1000).toFixed(1)} s`)
      if (complete < clients) losses.push(`${runId}: ${clients - complete} clients lack its end`)
      await watchers.reset()
    }
    const report = await watchers.report()
    printFigure('gaps and duplicates', `${report.lossCount}`)
    return [...losses, ...report.losses]
  } finally {
    watchers.stop()
    await hub.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}
