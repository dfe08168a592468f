// The overhead of `vitrine run`: write speed of the agent, latency from line to event, memory, and delay of the start.
// The fastest of several rounds counts, because other programs only add time. On a machine without an idle core the
// agent shares its core with Vitrine. It takes a minute, so it is not part of `npm run bench`:
//
//   npm run build && node bench/run.js

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs'
import {availableParallelism, loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {readMemory} from '../test/support/process-stats.js'

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const {values} = parseArgs({
  options: {
    bytes: {type: 'string', default: '200000000'},
    rounds: {type: 'string', default: '5'},
    lines: {type: 'string', default: '2000'},
    starts: {type: 'string', default: '20'},
  },
})

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
try {
  const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  console.log(
    `\n${`vitrine run (${load})`.padEnd(46)}${'fastest'.padStart(12)}${'goal'.padStart(12)}`,
  )
  await benchWriting(Number(values.rounds))
  await benchLatency()
  await benchStart(Number(values.starts))
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/**
 * Measures an agent that prints as fast as possible: into a file, and under Vitrine.
 *
 * @param {number} rounds
 */
async function benchWriting(rounds) {
  /** @type {number[]} */
  const alone = []
  /** @type {number[]} */
  const supervised = []
  let peak = 0
  for (let round = -1; round < rounds; round++) {
    const aloneTime = await writeAlone()
    const {spent, memory} = await writeSupervised()
    peak = Math.max(peak, memory)
    // The first round is a warm-up.
    if (round < 0) continue
    alone.push(aloneTime)
    supervised.push(spent)
  }
  const size = `${(Number(values.bytes) / 1e6).toFixed(0)} MB`
  const ratio = fastest(supervised) / fastest(alone)
  printFigure(`agent writes ${size} into a file`, `${fastest(alone).toFixed(0)} ms`)
  printFigure(`agent writes ${size} under vitrine run`, `${fastest(supervised).toFixed(0)} ms`)
  printFigure('  ratio', ratio.toFixed(2), 1.25, ratio)
  printFigure('  peak memory of vitrine run', `${peak.toFixed(0)} MiB`, 150, peak)
}

async function writeAlone() {
  const file = join(folder, 'alone')
  const report = join(folder, 'alone.report')
  const output = openSync(file, 'w')
  const child = spawn(fake('prints-bytes'), {
    stdio: ['ignore', output, 'inherit'],
    env: {...process.env, BYTES: values.bytes, REPORT: report},
  })
  closeSync(output)
  await once(child, 'exit')
  rmSync(file)
  return Number(readFileSync(report, 'utf8'))
}

async function writeSupervised() {
  const report = join(folder, 'supervised.report')
  const child = spawn(process.execPath, toRunArgs('quiet', 'prints-bytes'), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {...process.env, BYTES: values.bytes, REPORT: report},
  })
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, readMemory(child.pid ?? 0, 'VmHWM'))
  }, 10)
  const [exitCode] = await once(child, 'exit')
  clearInterval(watch)
  if (exitCode !== 0) throw new Error(`vitrine run: exit code ${exitCode}`)
  rmSync(join(folder, 'data'), {recursive: true})
  return {spent: Number(readFileSync(report, 'utf8')), memory}
}

/** Measures the time from a line of the agent to its event in the output of `--format json`. */
async function benchLatency() {
  const {lines: count = '2000'} = values
  const child = spawn(process.execPath, toRunArgs('json', 'stamps'), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {...process.env, LINES: count, MS: '5'},
  })
  /** @type {number[]} */
  const delays = []
  for await (const line of createInterface({input: child.stdout})) {
    const now = process.hrtime.bigint()
    const stamp = readStamp(line)
    if (stamp !== undefined) delays.push(toMs(now - stamp))
  }
  // The first line is printed before Vitrine reads.
  const sorted = delays.slice(1).toSorted((a, b) => a - b)
  if (sorted.length !== Number(count))
    throw new Error(`Received ${sorted.length} of ${count} lines`)
  const [p50 = Number.NaN, p99 = Number.NaN, max = Number.NaN] = [0.5, 0.99, 1].map(
    (part) => sorted[Math.ceil(part * sorted.length) - 1],
  )
  printFigure('line to event at 200 lines/s, p50', `${p50.toFixed(2)} ms`)
  printFigure('line to event at 200 lines/s, p99', `${p99.toFixed(2)} ms`, 20, p99)
  printFigure('line to event at 200 lines/s, max', `${max.toFixed(2)} ms`)
}

/**
 * Measures the time until the agent runs: alone, and under Vitrine.
 *
 * @param {number} rounds
 */
async function benchStart(rounds) {
  /** @type {number[]} */
  const alone = []
  /** @type {number[]} */
  const supervised = []
  for (let round = -1; round < rounds; round++) {
    const aloneTime = await measureStart(fake('stamps'), [])
    const supervisedTime = await measureStart(process.execPath, toRunArgs('raw', 'stamps'))
    if (round < 0) continue
    alone.push(aloneTime)
    supervised.push(supervisedTime)
  }
  const added = fastest(supervised) - fastest(alone)
  printFigure('agent starts alone after', `${fastest(alone).toFixed(0)} ms`)
  printFigure('agent starts under vitrine run after', `${fastest(supervised).toFixed(0)} ms`)
  printFigure('  added', `${added.toFixed(0)} ms`, 90, added)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
async function measureStart(command, args) {
  const start = process.hrtime.bigint()
  const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'inherit']})
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text) => (output += text))
  await once(child, 'close')
  const stamp = readStamp(output)
  if (stamp === undefined) throw new Error(`The agent did not start: ${output}`)
  return toMs(stamp - start)
}

/**
 * The arguments of Node that run a fake agent under `vitrine run`.
 *
 * @param {string} format
 * @param {string} name
 */
function toRunArgs(format, name) {
  const options = ['--agent', 'claude', '--data-dir', join(folder, 'data'), '--format', format]
  return [bin, 'run', ...options, '--', fake(name)]
}

/** @param {string} name */
function fake(name) {
  return fileURLToPath(new URL(`../test/fake-agents/${name}.js`, import.meta.url))
}

/** @param {string} text */
function readStamp(text) {
  const match = /stamp (\d+)/.exec(text)
  return match?.[1] === undefined ? undefined : BigInt(match[1])
}

/** @param {bigint} nanoseconds */
function toMs(nanoseconds) {
  return Number(nanoseconds) / 1e6
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} [goal]
 * @param {number} [reached]
 */
function printFigure(name, value, goal, reached = 0) {
  const mark =
    goal === undefined ? '' : `${`< ${goal}`.padStart(12)}${reached > goal ? '  MISSED' : ''}`
  console.log(`${name.padEnd(46)}${value.padStart(12)}${mark}`)
}

/** @param {number[]} numbers */
function fastest(numbers) {
  return Math.min(...numbers)
}
