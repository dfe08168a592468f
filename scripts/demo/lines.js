// Lines with the times at which they came, as a recording has them.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** A line, and when it came. @typedef {{at: number, text: string}} TimedLine */

/**
 * Writes lines down as a recording.
 *
 * @param {string} folder
 * @param {TimedLine[]} lines
 * @param {number} [cutBytes] So much is missing at the end.
 */
export function writeLines(folder, lines, cutBytes = 0) {
  mkdirSync(folder, {recursive: true})
  let end = 0
  const times = lines.map(({at, text}) => `[${at},"out",${(end += Buffer.byteLength(text) + 1)}]\n`)
  const bytes = Buffer.from(lines.map(({text}) => `${text}\n`).join(''))
  writeFileSync(join(folder, 'stdout'), bytes.subarray(0, bytes.length - cutBytes))
  writeFileSync(join(folder, 'timing.ndjson'), times.join(''))
}

/**
 * Reads a recording of which each line came in one piece.
 *
 * @param {string} folder
 * @returns {TimedLine[]}
 */
export function readLines(folder) {
  const times = readText(join(folder, 'timing.ndjson')).map((line) => Number(JSON.parse(line)[0]))
  return readText(join(folder, 'stdout')).map((text, index) => ({at: times[index] ?? 0, text}))
}

/** @param {string} path */
function readText(path) {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}
