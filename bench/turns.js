// Taking turns: whatever is measured alternates with the least work that could do the same, so that a busy machine slows
// both. What counts is the ratio of the two in each round, and of these the median.

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'

/** How long something took, in milliseconds. @typedef {() => number | Promise<number>} Measure */

/**
 * Medians over all rounds.
 *
 * @typedef {{own: number, floor: number, ratio: number, ratios: number[]}} Turns
 */

/**
 * Lets two take turns. The first round, in which everything is compiled, does not count.
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
 * Runs a bench in a process of its own, which answers with {@link answer}: what one leaves to the engine is not another's to
 * pay for.
 *
 * @param {string} url of the module
 * @param {string[]} args
 * @param {string[]} [flags] of Node
 * @returns {Promise<any>}
 */
export async function inOwnProcess(url, args, flags = []) {
  const child = fork(fileURLToPath(url), args, {execArgv: flags})
  /** @type {unknown} */
  let result
  child.on('message', (message) => (result = message))
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) throw new Error(`${args.join(', ')}: exit code ${exitCode}`)
  return result
}

/**
 * What this process was asked for, by {@link inOwnProcess} or by hand, if it was made to run this module.
 *
 * @param {string} url of the module
 */
export function askedFor(url) {
  const [, script, ...args] = process.argv
  return script === fileURLToPath(url) && args.length > 0 ? args : undefined
}

/** @param {unknown} result */
export function answer(result) {
  if (process.send === undefined) console.log(result)
  else process.send(result)
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
