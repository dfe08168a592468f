import {availableParallelism, loadavg} from 'node:os'
import {startHub} from './hub.js'

/** @typedef {import('./cases.js').Case} Case */
/** @typedef {{name: string, tried: string, measured: string[], problems: string[]}} Outcome */

const TIMEOUT_MS = 90_000
const MAX_STALL_MS = 2000

/**
 * Runs one case on its own hub.
 *
 * @param {Case} chosen
 * @param {string} bin
 * @returns {Promise<Outcome>}
 */
export async function runCase(chosen, bin) {
  const {name, tried, prepare, maxFiles, maxGrowthMb, maxStallMs = MAX_STALL_MS, run} = chosen
  /** @type {string[]} */
  const notes = []
  const hub = await startHub({bin, prepare, maxFiles})
  try {
    const attack = {hub, bin, note: (/** @type {string} */ figure) => void notes.push(figure)}
    const problems = await withTimeout(run(attack))
    const {idleMb, maxMb, p50, max, failed} = await hub.measure()
    if (!hub.isRunning()) problems.push(`the hub exited: ${hub.errors().slice(-300)}`)
    if (maxGrowthMb !== undefined && maxMb - idleMb > maxGrowthMb) {
      problems.push(`memory grew by ${maxMb - idleMb} MB, expected at most ${maxGrowthMb} MB`)
    }
    const load = readLoad()
    if (load > 1) notes.push(`load ${load.toFixed(1)} per core`)
    if (max > maxStallMs * load) problems.push(`a request took ${Math.round(max)} ms`)
    if (failed > 0) problems.push(`${failed} requests of the owner failed`)
    const latency = `p50 ${p50.toFixed(1)} ms, max ${Math.round(max)} ms`
    return {name, tried, measured: [`${idleMb} → ${maxMb} MB`, latency, ...notes], problems}
  } catch (error) {
    return {name, tried, measured: notes, problems: [String(error)]}
  } finally {
    await hub.close()
  }
}

/** The load per core, at least 1: other programs on the machine slow the hub down. */
function readLoad() {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

/** @param {Promise<string[]>} running */
function withTimeout(running) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  return Promise.race([running, /** @type {Promise<never>} */ (late)]).finally(() =>
    clearTimeout(timer),
  )
}
