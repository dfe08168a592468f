// `vitrine run`: what it costs the agent, how soon its lines are events, how much memory it takes, and how much later
// the agent starts. Of several rounds the fastest counts: what other programs do only adds. On a machine without a core
// to spare the agent shares its own with Vitrine, as it would with anybody. Takes a minute, so it is not among those of
// `npm run bench`:
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
import {readMemory} from './hub-process.js'

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
 * An agent that prints as fast as it can, by its own clock: into a file, and under Vitrine.
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
    // The first time the disk may have other things to do.
    if (round < 0) continue
    alone.push(aloneTime)
    supervised.push(spent)
  }
  const size = `${(Number(values.bytes) / 1e6).toFixed(0)} MB`
  const ratio = fastest(supervised) / fastest(alone)
  show(`agent writes ${size} into a file`, `${fastest(alone).toFixed(0)} ms`)
  show(`agent writes ${size} under vitrine run`, `${fastest(supervised).toFixed(0)} ms`)
  show('  ratio', ratio.toFixed(2), 1.25, ratio)
  show('  peak memory of vitrine run', `${peak.toFixed(0)} MiB`, 150, peak)
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
  const child = spawn(process.execPath, supervise('quiet', 'prints-bytes'), {
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

/** From the moment an agent prints a line to the moment that whoever reads `--format json` has its event. */
async function benchLatency() {
  const {lines: count = '2000'} = values
  const child = spawn(process.execPath, supervise('json', 'stamps'), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {...process.env, LINES: count, MS: '5'},
  })
  /** @type {number[]} */
  const delays = []
  for await (const line of createInterface({input: child.stdout})) {
    const now = process.hrtime.bigint()
    const stamp = readStamp(line)
    if (stamp !== undefined) delays.push(milliseconds(now - stamp))
  }
  // The first one was there before anybody looked.
  const sorted = delays.slice(1).toSorted((a, b) => a - b)
  if (sorted.length !== Number(count)) throw new Error(`${sorted.length} of ${count} lines`)
  const [p50 = Number.NaN, p99 = Number.NaN, most = Number.NaN] = [0.5, 0.99, 1].map(
    (part) => sorted[Math.ceil(part * sorted.length) - 1],
  )
  show('line to event at 200 lines/s, p50', `${p50.toFixed(2)} ms`)
  show('line to event at 200 lines/s, p99', `${p99.toFixed(2)} ms`, 20, p99)
  show('line to event at 200 lines/s, most', `${most.toFixed(2)} ms`)
}

/**
 * How long it takes until the agent runs: by itself, and through Vitrine.
 *
 * @param {number} rounds
 */
async function benchStart(rounds) {
  /** @type {number[]} */
  const alone = []
  /** @type {number[]} */
  const supervised = []
  for (let round = -1; round < rounds; round++) {
    const aloneTime = await startTime(fake('stamps'), [])
    const supervisedTime = await startTime(process.execPath, supervise('raw', 'stamps'))
    if (round < 0) continue
    alone.push(aloneTime)
    supervised.push(supervisedTime)
  }
  const added = fastest(supervised) - fastest(alone)
  show('agent starts by itself after', `${fastest(alone).toFixed(0)} ms`)
  show('agent starts under vitrine run after', `${fastest(supervised).toFixed(0)} ms`)
  show('  added', `${added.toFixed(0)} ms`, 90, added)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
async function startTime(command, args) {
  const start = process.hrtime.bigint()
  const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'inherit']})
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text) => (output += text))
  await once(child, 'close')
  const stamp = readStamp(output)
  if (stamp === undefined) throw new Error(`the agent was not started: ${output}`)
  return milliseconds(stamp - start)
}

/**
 * The arguments of Node for a fake agent under `vitrine run`.
 *
 * @param {string} format
 * @param {string} name
 */
function supervise(format, name) {
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
function milliseconds(nanoseconds) {
  return Number(nanoseconds) / 1e6
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} [goal]
 * @param {number} [reached]
 */
function show(name, value, goal, reached = 0) {
  const mark =
    goal === undefined ? '' : `${`< ${goal}`.padStart(12)}${reached > goal ? '  MISSED' : ''}`
  console.log(`${name.padEnd(46)}${value.padStart(12)}${mark}`)
}

/** @param {number[]} numbers */
function fastest(numbers) {
  return Math.min(...numbers)
}
