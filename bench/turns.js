// A measurement alternates with its baseline (floor), so that a busy machine slows down both. The result is the median
// over the rounds of the ratio of the two.

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'

/** Returns a duration in milliseconds. @typedef {() => number | Promise<number>} Measure */

/**
 * Medians over all rounds.
 *
 * @typedef {{own: number, floor: number, ratio: number, ratios: number[]}} Turns
 */

/**
 * Alternates two measurements. The first round is a warm-up and does not count.
 *
 * @param {number} rounds
 * @param {Measure} floor
 * @param {Measure} own
 * @returns {Promise<Turns>}
 */
export async function takeTurns(rounds, floor, own) {
  /** @type {[own: number, floor: number][]} */
  const times = []
  for (let round = -1; round < rounds; round++) {
    const floorTime = await floor()
    const ownTime = await own()
    if (round >= 0) times.push([ownTime, floorTime])
  }
  const ratios = times.map(([ownTime, floorTime]) => ownTime / floorTime)
  return {
    own: median(times.map(([time]) => time)),
    floor: median(times.map(([, time]) => time)),
    ratio: median(ratios),
    ratios,
  }
}

/**
 * Runs a benchmark in its own process, which replies with {@link sendResult}: the garbage of one benchmark does not slow
 * down the next.
 *
 * @param {string} url The address of the module.
 * @param {string[]} args
 * @param {string[]} [flags] Options of Node.
 * @returns {Promise<any>}
 */
export async function runInOwnProcess(url, args, flags = []) {
  const child = fork(fileURLToPath(url), args, {execArgv: flags})
  /** @type {unknown} */
  let result
  child.on('message', (message) => (result = message))
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) throw new Error(`${args.join(', ')}: exit code ${exitCode}`)
  return result
}

/**
 * The arguments of this process, if it runs this module as its program: for {@link runInOwnProcess} or by hand.
 *
 * @param {string} url The address of the module.
 */
export function readJob(url) {
  const [, script, ...args] = process.argv
  return script === fileURLToPath(url) && args.length > 0 ? args : undefined
}

/** @param {unknown} result */
export function sendResult(result) {
  if (process.send === undefined) console.log(result)
  else process.send(result)
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
