// How soon a hub is there on a folder with many recordings, and what memory it takes to index them.

import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {agents} from '../dist/agents/list.js'
import {
  readMemory,
  readWork,
  requestJson,
  show,
  showTitle,
  sleep,
  spawnHub,
  untilUp,
  watchMemory,
} from './hub-process.js'
import {resultOf} from './hub-runner.js'

const IDS = /"((?:toolu|call|item|msg|ws|prt|ses|task)_|[\da-f]{8}-)/g
const MEBIBYTE = 1024 * 1024

/**
 * @param {{runs: number, megabytes: number, nodeArgs: string[]}} options
 * @returns {Promise<string[]>} what was lost
 */
export async function benchStartup({runs, megabytes, nodeArgs}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const size = makeRecordings(join(dataDir, 'runs'), runs, megabytes * MEBIBYTE)
    showTitle(`vitrine serve on ${runs} recordings, ${(size / MEBIBYTE).toFixed(0)} MiB`)
    const first = await start(dataDir, runs, nodeArgs, 'without an index')
    const again = await start(dataDir, runs, nodeArgs, 'with the index')
    /** @type {string[]} */
    const losses = []
    if (first.runs !== runs || again.runs !== runs)
      losses.push(`${first.runs} runs, then ${again.runs}`)
    if (first.messages !== again.messages) {
      losses.push(`${first.messages} messages, then ${again.messages}`)
    }
    return losses
  } finally {
    rmSync(dataDir, {recursive: true, force: true})
  }
}

/**
 * @param {string} dataDir
 * @param {number} runs
 * @param {string[]} nodeArgs
 * @param {string} title
 */
async function start(dataDir, runs, nodeArgs, title) {
  const hub = await spawnHub(dataDir, nodeArgs)
  const since = () => performance.now() - hub.startedAt
  const memory = watchMemory(hub.pid, 100)
  try {
    await untilUp(hub)
    const up = since()
    let list = await requestJson(hub, '/api/runs?limit=1')
    while (list.total < runs) list = await requestJson(hub, '/api/runs?limit=1')
    const listed = since()
    let slowest = 0
    while (list.indexing > 0) {
      await sleep(100)
      const asked = performance.now()
      list = await requestJson(hub, '/api/runs?limit=50')
      slowest = Math.max(slowest, performance.now() - asked)
    }
    const indexed = since()
    const work = readWork(hub.pid)
    await sleep(2000)
    const stats = await requestJson(hub, '/api/stats')
    const peak = readMemory(hub.pid, 'VmHWM')
    console.log(title)
    show('  /healthz answers after', `${up.toFixed(0)} ms`, '< 1000 ms', up < 1000)
    show('  /api/runs has all of them after', `${listed.toFixed(0)} ms`, '< 1000 ms', listed < 1000)
    show('  the index is complete after', `${(indexed / 1000).toFixed(1)} s`)
    show('  slowest /api/runs meanwhile', `${slowest.toFixed(0)} ms`)
    show('  messages', `${stats.messages}`)
    show(
      '  processor: thread of the hub, others',
      `${work.main.toFixed(1)} s, ${work.others.toFixed(1)} s`,
    )
    show('  memory, most', `${peak.toFixed(0)} MiB`, '< 150 MiB', peak < 150)
    show('  memory, two seconds later', `${readMemory(hub.pid).toFixed(0)} MiB`)
    return {runs: stats.runs, messages: stats.messages}
  } finally {
    memory.stop()
    await hub.stop()
  }
}

/**
 * Recordings of all agents, each of one after the other until it is long enough: most of them short, some long.
 *
 * @param {string} folder
 * @param {number} count
 * @param {number} total
 */
function makeRecordings(folder, count, total) {
  const captures = agents
    .map(({id}) => ({id, texts: readCaptures(id)}))
    .filter(({texts}) => texts.length > 0)
  const weights = Array.from({length: count}, (_, at) => 1.8 ** ((at * 7) % 12))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const now = Date.now()
  let size = 0
  for (const [at, weight] of weights.entries()) {
    const {id, texts} = captures[at % captures.length] ?? {id: '', texts: []}
    const wanted = (total * weight) / sum
    /** @type {string[]} */
    const pieces = []
    for (let length = 0, nth = at; length < wanted || pieces.length === 0; nth++) {
      const text = (texts[nth % texts.length] ?? '').replaceAll(IDS, `"$1${at}x${pieces.length}`)
      pieces.push(text)
      length += text.length
    }
    const stdout = Buffer.from(pieces.join(''))
    size += stdout.length
    writeRecording(join(folder, `run-${at}`), {id, stdout, startedAt: now - (count - at) * 60_000})
  }
  return size
}

/**
 * @param {string} dir
 * @param {{id: string, stdout: Buffer, startedAt: number}} run
 */
function writeRecording(dir, {id, stdout, startedAt}) {
  const runId = dir.split(/[\\/]/).at(-1) ?? ''
  let times = ''
  let at = startedAt
  for (let end = 0; end < stdout.length;) {
    end = stdout.indexOf(10, end) + 1 || stdout.length
    at += 40
    times += `[${at},"out",${end}]\n`
  }
  const record = {
    version: 1,
    runId,
    argv: [id, '-p', 'Keep the store small and its tests green.'],
    ranArgv: [id, '-p', 'Keep the store small and its tests green.', '--verbose'],
    cwd: '/home/dev/project',
    agent: id,
    prompt: 'Keep the store small and its tests green.',
    startedAt,
    marker: `${runId}-0123456789ab`,
    supervisor: {pid: 4241, startTime: '999'},
    limits: {onStuck: 'warn'},
    endedAt: at,
    sizes: {stdout: stdout.length, stderr: 0},
    result: resultOf(runId, startedAt, at),
  }
  mkdirSync(dir, {recursive: true, mode: 0o700})
  writeFileSync(join(dir, 'stdout'), stdout, {mode: 0o600})
  writeFileSync(join(dir, 'stderr'), '', {mode: 0o600})
  writeFileSync(join(dir, 'stdin'), '', {mode: 0o600})
  writeFileSync(join(dir, 'timing.ndjson'), times, {mode: 0o600})
  writeFileSync(join(dir, 'run.json'), `${JSON.stringify(record, null, 2)}\n`, {mode: 0o600})
}

/** @param {string} agent */
function readCaptures(agent) {
  const folder = new URL(`../src/agents/${agent}/fixtures/`, import.meta.url)
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.stdin.jsonl'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((text) => text.length > 0)
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
}
