// Fuzzes one target: mutates inputs, and mutates those that reach new code again.

import {createRandom} from './random.js'
import {readSeeds, writeSeed} from './seeds.js'
import {shrink} from './shrink.js'

/** @typedef {import('./coverage.js').Coverage} Coverage */
/** @typedef {import('./watchdog.js').Watchdog} Watchdog */

/**
 * The input of a target. The label is the start of its file name, such as `codex-1f3a9c`.
 *
 * @typedef {object} Input
 * @property {string} label
 * @property {Buffer} bytes
 */

/**
 * Code that reads any input. Its check throws when an invariant is broken.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {number} share Its part of the time, relative to the other targets.
 * @property {number} [batch] The number of inputs between two reads of the coverage.
 * @property {boolean} [isTimed] Whether its CPU time is limited.
 * @property {() => Input[]} seeds
 * @property {(input: Input, other: Input, random: import('./random.js').Random) => Input} mutate
 * @property {(input: Input, random: import('./random.js').Random) => void | Promise<void>} check
 * @property {() => void | Promise<void>} [open]
 * @property {() => void | Promise<void>} [close]
 */

/**
 * @typedef {object} Outcome
 * @property {number} inputs
 * @property {number} cpuSeconds
 * @property {number} corpus How many inputs reached new code.
 * @property {number} reach How many characters of code they reached beyond the seeds.
 * @property {{message: string, file: string}[]} findings
 */

/**
 * @typedef {object} CampaignOptions
 * @property {Target} target
 * @property {number} cpuSeconds
 * @property {number} seed
 * @property {Coverage} coverage
 * @property {Watchdog} watchdog
 * @property {boolean} savesInputs Whether inputs that reach new code are saved as files.
 * @property {(inputs: number, cpuSeconds: number, findings: number) => void} onProgress
 */

const BATCH_SIZE = 64
/** A campaign ends after this many findings. */
const MAX_FINDINGS = 10
const MAX_SAVED_BYTES = 4096

/**
 * @param {CampaignOptions} options
 * @returns {Promise<Outcome>}
 */
export async function runCampaign(options) {
  const {target, cpuSeconds, seed, coverage, watchdog, savesInputs, onProgress} = options
  const random = createRandom(seed)
  const cpuBefore = process.cpuUsage()
  const corpus = [...target.seeds(), ...readSeeds(target.name)]
  const first = corpus.length
  /** @type {Map<string, {message: string, file: string}>} */
  const findings = new Map()
  let inputs = 0
  await target.open?.()
  for (const input of corpus.slice(0)) await tryInput(input)
  coverage.add(coverage.take())
  const baseline = coverage.size
  while (spent() < cpuSeconds && findings.size < MAX_FINDINGS) {
    const batch = Array.from({length: target.batch ?? BATCH_SIZE}, createInput)
    for (const input of batch) await tryInput(input)
    if (coverage.countNew(coverage.take()) > 0) await keepNewReach(batch)
    onProgress(inputs, spent(), findings.size)
  }
  await target.close?.()
  return {
    inputs,
    cpuSeconds: spent(),
    corpus: corpus.length - first,
    reach: coverage.size - baseline,
    findings: [...findings.values()],
  }

  function spent() {
    const {user, system} = process.cpuUsage(cpuBefore)
    return (user + system) / 1e6
  }

  function createInput() {
    // Inputs that reached new code are preferred.
    const isLate = corpus.length > first && random.chance(0.4)
    const at = isLate ? first + random.below(corpus.length - first) : random.below(corpus.length)
    const input = /** @type {Input} */ (corpus[at])
    const same = corpus[random.below(corpus.length)] ?? input
    const other = same.label === input.label || random.chance(0.2) ? same : input
    return target.mutate(input, other, random)
  }

  /** @param {Input} input */
  async function tryInput(input) {
    inputs++
    const message = await checkInput(target, input, watchdog)
    if (message === undefined) return
    const key = `${input.label} ${toFindingKey(message)}`
    if (findings.has(key)) return
    const small = await shrink(input, async (smaller) => {
      const again = await checkInput(target, smaller, watchdog)
      return again !== undefined && toFindingKey(again) === toFindingKey(message)
    })
    findings.set(key, {message, file: writeSeed(target.name, small)})
  }

  /**
   * Finds the inputs that reach new code, by bisection.
   *
   * @param {Input[]} batch
   */
  async function keepNewReach(batch) {
    const {taken, newCount} = await measure(batch)
    const [input] = batch
    if (newCount === 0 || input === undefined) return
    if (batch.length > 1) {
      const middle = batch.length >> 1
      await keepNewReach(batch.slice(0, middle))
      return keepNewReach(batch.slice(middle))
    }
    const reachesAsMuch = async (/** @type {Input} */ smaller) =>
      (await measure([smaller])).newCount >= newCount
    const small = savesInputs ? await shrink(input, reachesAsMuch) : input
    coverage.add(taken)
    corpus.push(small)
    if (savesInputs && small.bytes.length <= MAX_SAVED_BYTES) writeSeed(target.name, small)
  }

  /** @param {Input[]} batch */
  async function measure(batch) {
    coverage.take()
    for (const input of batch) await checkInput(target, input, watchdog)
    const taken = coverage.take()
    return {taken, newCount: coverage.countNew(taken)}
  }
}

/** The limit of CPU time for an input: a constant part, and a part per byte. */
const BASE_LIMIT_MS = 500
const LIMIT_MS_PER_BYTE = 0.02

/**
 * Checks an input; returns a finding, or `undefined`.
 *
 * @param {Target} target
 * @param {Input} input
 * @param {Watchdog} [watchdog]
 * @returns {Promise<string | undefined>}
 */
export async function checkInput(target, input, watchdog) {
  watchdog?.begin(target.name, input)
  try {
    // The seed depends on the input only, so that findings can be reproduced.
    const random = createRandom(input.bytes.length)
    const cpuBefore = process.cpuUsage()
    await target.check(input, random)
    const {user, system} = process.cpuUsage(cpuBefore)
    const ms = (user + system) / 1000
    const limitMs = BASE_LIMIT_MS + input.bytes.length * LIMIT_MS_PER_BYTE
    if (target.isTimed !== true || ms < limitMs) return undefined
    return `takes ${Math.round(ms)} ms of CPU for ${input.bytes.length} bytes`
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error)
  } finally {
    watchdog?.end()
  }
}

/**
 * A key that is equal for findings with the same cause.
 *
 * @param {string} message
 */
function toFindingKey(message) {
  const lines = message.split('\n')
  const place = lines.find((line) => line.includes('/dist/')) ?? ''
  return `${(lines[0] ?? '').replaceAll(/\d+/g, 'N').slice(0, 80)} ${place.trim()}`
}
