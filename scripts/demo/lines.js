// Reads and writes recordings as lines with times.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** A line, and the time of its arrival. @typedef {{at: number, text: string}} TimedLine */

/**
 * @param {string} folder
 * @param {TimedLine[]} lines
 * @param {number} [cutBytes] The number of bytes to cut off at the end.
 */
export function writeTimedLines(folder, lines, cutBytes = 0) {
  mkdirSync(folder, {recursive: true})
  let end = 0
  const times = lines.map(({at, text}) => `[${at},"out",${(end += Buffer.byteLength(text) + 1)}]\n`)
  const bytes = Buffer.from(lines.map(({text}) => `${text}\n`).join(''))
  writeFileSync(join(folder, 'stdout'), bytes.subarray(0, bytes.length - cutBytes))
  writeFileSync(join(folder, 'timing.ndjson'), times.join(''))
}

/**
 * Reads a recording with one chunk per line.
 *
 * @param {string} folder
 * @returns {TimedLine[]}
 */
export function readTimedLines(folder) {
  const times = readText(join(folder, 'timing.ndjson')).map((line) => Number(JSON.parse(line)[0]))
  return readText(join(folder, 'stdout')).map((text, index) => ({at: times[index] ?? 0, text}))
}

/** @param {string} path */
function readText(path) {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}
