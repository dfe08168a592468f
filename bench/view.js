// `vitrine view` of a recording of 100 MB: how soon its first line comes, and how much memory it takes. Beside it
// the least that a program in Node can do with the file: read it and print its first line.
//
//   npm run bench

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {captureCorpus} from './corpus.js'

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const FLOOR = `process.stdout.write('first\\n'); for await (const _ of require('fs').createReadStream(process.argv[1])) ;`
const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
try {
  const file = join(folder, 'run.jsonl')
  writeFileSync(file, captureCorpus(100_000_000))
  console.log('\nvitrine view of 100 MB: first line, whole file, peak memory')
  await compare('floor: node, first line, read all', ['-e', `(async () => {${FLOOR}})()`, file])
  await compare('vitrine view', [bin, 'view', file])
  await compare('vitrine view --format json', [bin, 'view', '--format', 'json', file])
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function compare(name, args) {
  /** @type {number[][]} */
  const runs = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await run(args))
  const [first, whole, peak] = [0, 1, 2].map((column) =>
    median(runs.map((row) => row[column] ?? 0)),
  )
  const memory = `${(peak ?? 0).toFixed(0).padStart(6)} MiB`
  console.log(
    `${name.padEnd(42)}${(first ?? 0).toFixed(0).padStart(6)} ms${(whole ?? 0).toFixed(0).padStart(8)} ms${memory}`,
  )
}

/** @param {string[]} args */
async function run(args) {
  const start = performance.now()
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
  let first = 0
  let peak = 0
  child.stdout.on('data', () => {
    first ||= performance.now() - start
    peak = Math.max(peak, readPeak(child.pid))
  })
  await once(child, 'close')
  return [first, performance.now() - start, peak]
}

/**
 * The most memory a process has had, where the system tells it.
 *
 * @param {number | undefined} pid
 */
function readPeak(pid) {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(match?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
