// Saved inputs: those with findings, and those that reach code that no fixture reaches.

import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** @typedef {import('./campaign.js').Input} Input */

const seedFolder = fileURLToPath(new URL('../../test/fuzz-seeds/', import.meta.url))

/**
 * @param {string} target
 * @returns {(Input & {file: string})[]}
 */
export function readSeeds(target) {
  const folder = join(seedFolder, target)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({
      file: join(folder, name),
      label: name.slice(0, name.lastIndexOf('-')),
      bytes: readFileSync(join(folder, name)),
    }))
}

/**
 * @param {string} target
 * @param {Input} input
 * @returns {string} The path of its file.
 */
export function writeSeed(target, {label, bytes}) {
  const folder = join(seedFolder, target)
  mkdirSync(folder, {recursive: true})
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const file = join(folder, `${label}-${digest}`)
  writeFileSync(file, bytes)
  return file
}
