// The sessions in the files of agents: usage, lists and the hub with 2,500 transcripts of 450 MB, compared with the newest
// ccusage, which only counts.
//
//   node bench/history.js            two minutes on 2 cores; it needs the package registry
//   node bench/history.js --quick    a tenth of the files, fewer rounds: ratios are those of the time to start
//   node bench/history.js --rounds 15
//
// Every measurement alternates with its floor: another program, or the limit that it must keep. `history.bin` is removed
// before each cold round. The files are in the cache of the system. Peak memory is that of all threads.

import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {createSessionId} from '../dist/history/sessions.js'
import {readMemory} from '../test/support/process-stats.js'
import {createHistoryCorpus, createLongSession} from './history-corpus.js'
import {requestJson, sleep, spawnHub, waitUntilUp} from './hub-process.js'
import {describeMachine, formatGroup, formatHeader, formatMachine} from './table.js'
import {median, takeTurns} from './turns.js'

/** @import {Row} from './table.js' */

const {values} = parseArgs({
  options: {quick: {type: 'boolean', default: false}, rounds: {type: 'string'}},
})
const rounds = Number(values.rounds ?? (values.quick ? 3 : 9))
const part = values.quick ? 0.1 : 1
const [files, megabytes, lines] = [2500 * part, 450 * part, 15_000]
/** The others are of sub-agents. */
const sessions = Math.floor(files * 0.8)
const MAX_LISTING_MS = 30_000
const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vitrine-history-'))
const home = join(folder, 'home')
const dataDir = join(folder, 'data')
// The hub and the commands look for sessions there.
Object.assign(process.env, {HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), TZ: 'UTC'})

try {
  console.error('creating transcripts')
  createHistoryCorpus({home, files, megabytes})
  const ccusage = installCcusage()
  process.stdout.write(`${formatMachine(describeMachine())}${ccusage.version}\n\n${formatHeader()}`)
  console.error('commands')
  process.stdout.write(formatGroup(await benchCommands(ccusage.path)))
  console.error('hub')
  process.stdout.write(formatGroup(await benchHub()))
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/** @param {string} ccusage @returns {Promise<Row[]>} */
async function benchCommands(ccusage) {
  const group = `commands, ${files} files, ${megabytes} MB; floor: ccusage daily --offline --json, or the limit`
  const usage = ['usage', '--json', '--last', '90', '--data-dir', dataDir]
  const count = () => run(ccusage, ['daily', '--offline', '--json'])
  /** @type {number[]} */
  const peaks = []
  const measure = async (/** @type {string[]} */ args) => {
    const {ms, peak} = await run(process.execPath, [bin, ...args])
    peaks.push(peak)
    return ms
  }
  const countMs = async () => (await count()).ms
  compareTotals((await run(process.execPath, [bin, ...usage])).output, (await count()).output)
  const cold = await takeTurns(rounds, countMs, () => {
    rmSync(dataDir, {recursive: true, force: true})
    return measure(usage)
  })
  const peak = Math.max(...peaks)
  const warm = await takeTurns(rounds, countMs, () => measure(usage))
  const runs = await takeTurns(rounds, countMs, () => measure(['runs', '--data-dir', dataDir]))
  const status = JSON.stringify({model: {id: 'claude-opus-5-5'}, cost: {total_cost_usd: 1}})
  const line = await takeTurns(
    rounds,
    async () => (await run(process.execPath, ['-e', '0'])).ms,
    async () =>
      (await run(process.execPath, [bin, 'statusline', '--data-dir', dataDir], status)).ms,
  )
  return [
    {group, kind: 'vitrine', name: 'usage --json, cold', unit: 'ms', ...cold, goal: 1},
    {group, kind: 'vitrine', name: 'usage --json, warm', unit: 'ms', ...warm, goal: 0.4},
    toLimit(group, 'usage --json, cold: peak memory', 'MiB', peak, 150),
    {group, kind: 'vitrine', name: 'runs, warm', unit: 'ms', ...runs},
    toLimit(group, 'runs, warm', 'ms', runs.own, 400),
    {group, kind: 'vitrine', name: 'statusline; floor: node -e 0', unit: 'ms', ...line, goal: 2},
    toLimit(group, 'statusline', 'ms', line.own, 100),
  ]
}

/** @returns {Promise<Row[]>} */
async function benchHub() {
  const group = 'hub; floor: the limit'
  const {sessionId, path} = createLongSession({home, lines})
  const id = createSessionId('claude', sessionId)
  /** @type {Record<'first' | 'again' | 'complete' | 'memory' | 'opened' | 'parsed', number[]>} */
  const figures = {first: [], again: [], complete: [], memory: [], opened: [], parsed: []}
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    rmSync(dataDir, {recursive: true, force: true})
    figures.first.push((await startHub()).listed)
    const {listed, complete, opened, memory} = await startHub(id)
    figures.complete.push(complete)
    figures.again.push(listed)
    figures.opened.push(opened)
    figures.memory.push(memory)
    const start = performance.now()
    for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) JSON.parse(line)
    figures.parsed.push(performance.now() - start)
  }
  const [opened, parsed] = [median(figures.opened), median(figures.parsed)]
  const name = `opening ${lines} lines; floor: JSON.parse of each`
  return [
    toLimit(group, 'first list, without history.bin', 'ms', median(figures.first), 1000),
    toLimit(group, 'first list, with history.bin', 'ms', median(figures.again), 1000),
    toLimit(group, 'complete list, with history.bin', 'ms', median(figures.complete), 1000),
    toLimit(group, 'memory after the list', 'MiB', median(figures.memory), 200),
    {group, kind: 'vitrine', name, unit: 'ms', own: opened, floor: parsed, ratio: opened / parsed},
    toLimit(group, `opening ${lines} lines`, 'ms', opened, 1000),
  ]
}

/**
 * Starts a hub until it lists the sessions, and opens one of them.
 *
 * @param {string} [id]
 */
async function startHub(id) {
  const hub = await spawnHub(dataDir)
  try {
    await waitUntilUp(hub)
    const since = () => performance.now() - hub.startedAt
    let {total} = await requestJson(hub, '/api/runs?limit=50')
    const listed = since()
    // The hub adds sessions in parts.
    while (total < sessions && since() < MAX_LISTING_MS) {
      await sleep(20)
      total = (await requestJson(hub, '/api/runs?limit=50')).total
    }
    if (total < sessions) throw new Error(`the hub lists only ${total} of ${sessions} sessions`)
    const complete = since()
    await sleep(2000)
    const memory = readMemory(hub.pid)
    const start = performance.now()
    if (id !== undefined) await requestJson(hub, `/api/runs/${id}/events?limit=500`)
    return {listed, complete, memory, opened: performance.now() - start}
  } finally {
    await hub.stop()
  }
}

/**
 * A figure with the limit that it must keep.
 *
 * @param {string} group
 * @param {string} name
 * @param {string} unit
 * @param {number} own
 * @param {number} limit
 * @returns {Row}
 */
function toLimit(group, name, unit, own, limit) {
  return {
    group,
    kind: 'vitrine',
    name: `${name}, limit`,
    unit,
    own,
    floor: limit,
    ratio: own / limit,
    goal: 1,
  }
}

/**
 * Runs a program until it exits. Its peak memory is read while it runs.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {string} [input]
 */
async function run(file, args, input) {
  const start = performance.now()
  const child = spawn(file, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  })
  child.stdin?.end(input)
  let [peak, output] = [0, '']
  const sample = () => (peak = Math.max(peak, readMemory(child.pid ?? 0, 'VmHWM')))
  const timer = setInterval(sample, 10)
  child.stdout?.on('data', (chunk) => {
    output += chunk
    sample()
  })
  const [exitCode] = await once(child, 'close')
  clearInterval(timer)
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit code ${exitCode}`)
  return {ms: performance.now() - start, peak, output}
}

/** Both programs must count the same. @param {string} own @param {string} other */
function compareTotals(own, other) {
  const {input, output, cacheRead, cacheWrite} = JSON.parse(own).total.tokens
  const {totals} = JSON.parse(other)
  const expected = [
    totals.inputTokens,
    totals.outputTokens,
    totals.cacheReadTokens,
    totals.cacheCreationTokens,
  ]
  const counted = [input, output, cacheRead, cacheWrite]
  if (String(counted) !== String(expected))
    throw new Error(`tokens differ: ${counted} and ${expected}`)
}

/** Installs the newest ccusage into the temporary folder. */
function installCcusage() {
  const name = `@ccusage/ccusage-${process.platform}-${process.arch}`
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', `${name}@latest`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const path = join(folder, 'node_modules', name, 'bin', 'ccusage')
  chmodSync(path, 0o755)
  return {path, version: execFileSync(path, ['--version'], {encoding: 'utf8'}).trim()}
}
