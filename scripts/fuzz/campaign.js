// One target for some time: inputs are changed, those that reach new code are changed further.

import {createRandom} from './random.js'
import {readSeeds, writeSeed} from './seeds.js'
import {shrink} from './shrink.js'

/** @typedef {import('./coverage.js').Coverage} Coverage */
/** @typedef {import('./watchdog.js').Watchdog} Watchdog */

/**
 * What is fed to a target. The label is in the name of its file, such as `codex-1f3a9c`.
 *
 * @typedef {object} Input
 * @property {string} label
 * @property {Buffer} bytes
 */

/**
 * Something that takes any input. Its check throws when what must hold does not.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {number} share how much of the time it gets, against the others
 * @property {number} [batch] after how many inputs to look at what was reached
 * @property {boolean} [isTimed] whether it may not take long
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
 * @property {number} corpus how many inputs were kept for their reach, beyond the first
 * @property {number} reach how many characters of code were reached beyond what the first inputs reach
 * @property {{message: string, file: string}[]} findings
 */

/**
 * @typedef {object} CampaignOptions
 * @property {Target} target
 * @property {number} cpuSeconds
 * @property {number} seed
 * @property {Coverage} coverage
 * @property {Watchdog} watchdog
 * @property {boolean} isKeeping whether inputs of new reach become files
 * @property {(inputs: number, cpuSeconds: number, findings: number) => void} onProgress
 */

const BATCH = 64
/** So many are enough to begin with. */
const MOST_FINDINGS = 10
const LARGEST_KEPT = 4096

/**
 * @param {CampaignOptions} options
 * @returns {Promise<Outcome>}
 */
export async function runCampaign(options) {
  const {target, cpuSeconds, seed, coverage, watchdog, isKeeping, onProgress} = options
  const random = createRandom(seed)
  const begun = process.cpuUsage()
  const corpus = [...target.seeds(), ...readSeeds(target.name)]
  const first = corpus.length
  /** @type {Map<string, {message: string, file: string}>} */
  const findings = new Map()
  let inputs = 0
  await target.open?.()
  for (const input of corpus.slice(0)) await tryInput(input)
  coverage.add(coverage.take())
  const baseline = coverage.size
  while (spent() < cpuSeconds && findings.size < MOST_FINDINGS) {
    const batch = Array.from({length: target.batch ?? BATCH}, makeInput)
    for (const input of batch) await tryInput(input)
    if (coverage.countNew(coverage.take()) > 0) await keepNovel(batch)
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
    const {user, system} = process.cpuUsage(begun)
    return (user + system) / 1e6
  }

  function makeInput() {
    // What was found last is the most promising.
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
    const kind = `${input.label} ${kindOf(message)}`
    if (findings.has(kind)) return
    const small = await shrink(input, async (smaller) => {
      const again = await checkInput(target, smaller, watchdog)
      return again !== undefined && kindOf(again) === kindOf(message)
    })
    findings.set(kind, {message, file: writeSeed(target.name, small)})
  }

  /**
   * Finds those of some inputs that reach new code, by halves.
   *
   * @param {Input[]} some
   */
  async function keepNovel(some) {
    const {taken, fresh} = await measure(some)
    const [input] = some
    if (fresh === 0 || input === undefined) return
    if (some.length > 1) {
      const middle = some.length >> 1
      await keepNovel(some.slice(0, middle))
      return keepNovel(some.slice(middle))
    }
    const isAsFar = async (/** @type {Input} */ smaller) =>
      (await measure([smaller])).fresh >= fresh
    const small = isKeeping ? await shrink(input, isAsFar) : input
    coverage.add(taken)
    corpus.push(small)
    if (isKeeping && small.bytes.length <= LARGEST_KEPT) writeSeed(target.name, small)
  }

  /** @param {Input[]} some */
  async function measure(some) {
    coverage.take()
    for (const input of some) await checkInput(target, input, watchdog)
    const taken = coverage.take()
    return {taken, fresh: coverage.countNew(taken)}
  }
}

/** How long an input may take, in milliseconds and for each byte of it. */
const LEAST_MS = 500
const MS_PER_BYTE = 0.02

/**
 * What is wrong with what a target makes of an input; nothing when all is well.
 *
 * @param {Target} target
 * @param {Input} input
 * @param {Watchdog} [watchdog]
 * @returns {Promise<string | undefined>}
 */
export async function checkInput(target, input, watchdog) {
  watchdog?.begin(target.name, input)
  try {
    // The same for the same input, so that what is found is found again.
    const random = createRandom(input.bytes.length)
    const begun = process.cpuUsage()
    await target.check(input, random)
    const {user, system} = process.cpuUsage(begun)
    const ms = (user + system) / 1000
    if (target.isTimed !== true || ms < LEAST_MS + input.bytes.length * MS_PER_BYTE)
      return undefined
    return `takes ${Math.round(ms)} ms of CPU for ${input.bytes.length} bytes`
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error)
  } finally {
    watchdog?.end()
  }
}

/**
 * By which two findings are one.
 *
 * @param {string} message
 */
function kindOf(message) {
  const lines = message.split('\n')
  const place = lines.find((line) => line.includes('/dist/')) ?? ''
  return `${(lines[0] ?? '').replaceAll(/\d+/g, 'N').slice(0, 80)} ${place.trim()}`
}
