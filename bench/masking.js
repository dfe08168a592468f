// Speed of masking secrets, and the lines that it changes.
//
//   node bench/masking.js                    all text files below node_modules
//   node bench/masking.js <folder…>          all text files below these folders
//   node bench/masking.js --against <folder> alternates with another build of core
//   node bench/masking.js --show             prints the changed lines
//   node bench/masking.js --hostile          texts of one repeated unit: how the time grows when the text doubles

import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import {median} from './turns.js'

/** @typedef {(text: string) => string} Mask */

/** @type {string[]} */
const HOSTILE_UNITS = JSON.parse(
  readFileSync(new URL('hostile-units.json', import.meta.url), 'utf8'),
)
const MAX_FILE_BYTES = 4 * 1024 * 1024
const CORPUS_BYTES = 128 * 1024 * 1024
const ROUNDS = 5
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|txt|ya?ml|toml|html?|css|py|sh|map|svg|xml)$/

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    against: {type: 'string'},
    show: {type: 'boolean', default: false},
    hostile: {type: 'boolean', default: false},
  },
})
const own = await loadMask('dist')
const other = values.against === undefined ? undefined : await loadMask(values.against)

if (values.hostile) measureHostile(own)
else measureCorpus(positionals.length === 0 ? ['node_modules'] : positionals)

/**
 * @param {string} folder
 * @returns {Promise<Mask>}
 */
async function loadMask(folder) {
  const url = pathToFileURL(join(resolve(folder), 'index.js')).href
  const {maskSecrets} = await import(url)
  return maskSecrets
}

/** @param {string[]} folders */
function measureCorpus(folders) {
  const texts = folders.flatMap((folder) => readTexts(folder))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const lines = texts.flatMap((text) => text.split('\n'))
  console.log(`${texts.length} files, ${lines.length} lines, ${Math.round(length / 1e6)} MB`)
  for (const [name, mask] of Object.entries({own, other})) {
    if (mask === undefined) continue
    const changed = lines.filter((line) => mask(line) !== line)
    console.log(`${name}: ${changed.length} changed lines`)
    if (values.show) for (const line of changed) console.log(`  ${mask(line).slice(0, 300)}`)
  }
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const spent = time(texts, own)
    times.push(spent)
    if (other !== undefined) ratios.push(spent / time(texts, other))
  }
  console.log(`${Math.round(length / 1e3 / median(times))} MB/s`)
  if (other !== undefined)
    console.log(`${median(ratios).toFixed(2)} times the time of ${values.against}`)
}

/**
 * Milliseconds of CPU time, which other programs affect less than wall-clock time.
 *
 * @param {string[]} texts
 * @param {Mask} mask
 */
function time(texts, mask) {
  const before = process.cpuUsage()
  for (const text of texts) mask(text)
  return process.cpuUsage(before).user / 1000
}

/** @param {string} folder */
function readTexts(folder) {
  /** @type {string[]} */
  const texts = []
  let left = CORPUS_BYTES
  for (const file of readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted()) {
    if (!TEXT.test(file)) continue
    const path = join(folder, file)
    const {size} = statSync(path)
    if (!statSync(path).isFile() || size > MAX_FILE_BYTES || size > left) continue
    left -= size
    texts.push(readFileSync(path, 'utf8'))
  }
  return texts
}

/** @param {Mask} mask */
function measureHostile(mask) {
  for (const unit of HOSTILE_UNITS) {
    const best = [100_000, 200_000, 400_000].map((length) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      return Math.min(...Array.from({length: 5}, () => time([text], mask)))
    })
    const [short = 0, middle = 0, long = 0] = best
    const growth = Math.max(middle / short, long / middle)
    console.log(`${growth.toFixed(1)} times, ${long.toFixed(1)} ms: ${JSON.stringify(unit)}`)
  }
}
