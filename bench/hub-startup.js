// Start of a hub with many recordings: time until it answers, memory while it indexes them, and work while it is idle.

import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {agents} from '../dist/agents/list.js'
import {readMemory, readThreadCpuSeconds} from '../test/support/process-stats.js'
import {createRunRecord, createRunResult} from '../test/support/run-record.js'
import {listCaptures, renameIds} from './corpus.js'
import {requestJson, printFigure, printTitle, sleep, spawnHub, waitUntilUp} from './hub-process.js'

const MEBIBYTE = 1024 * 1024

/**
 * @param {{runs: number, megabytes: number, idleSeconds: number, nodeArgs: string[]}} options
 * @returns {Promise<string[]>} The losses.
 */
export async function benchStartup({runs, megabytes, idleSeconds, nodeArgs}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const size = writeRecordings(join(dataDir, 'runs'), runs, megabytes * MEBIBYTE)
    printTitle(`vitrine serve on ${runs} recordings, ${(size / MEBIBYTE).toFixed(0)} MiB`)
    const first = await measureStart({dataDir, runs, nodeArgs, idleSeconds: 0})
    const again = await measureStart({dataDir, runs, nodeArgs, idleSeconds})
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

/** @param {{dataDir: string, runs: number, nodeArgs: string[], idleSeconds: number}} options */
async function measureStart({dataDir, runs, nodeArgs, idleSeconds}) {
  const title = existsSync(join(dataDir, 'index.db')) ? 'with the index' : 'without an index'
  const hub = await spawnHub(dataDir, nodeArgs)
  const since = () => performance.now() - hub.startedAt
  try {
    await waitUntilUp(hub)
    const up = since()
    let list = await requestJson(hub, '/api/runs?limit=1')
    while (list.total < runs) list = await requestJson(hub, '/api/runs?limit=1')
    const listed = since()
    let slowest = 0
    while (list.indexing > 0) {
      await sleep(100)
      const sentAt = performance.now()
      list = await requestJson(hub, '/api/runs?limit=50')
      slowest = Math.max(slowest, performance.now() - sentAt)
    }
    const indexed = since()
    const cpu = readThreadCpuSeconds(hub.pid)
    await sleep(2000)
    const stats = await requestJson(hub, '/api/stats')
    const peak = readMemory(hub.pid, 'VmHWM')
    console.log(title)
    printFigure('  /healthz answers after', `${up.toFixed(0)} ms`, '< 1000 ms', up < 1000)
    printFigure(
      '  /api/runs lists all runs after',
      `${listed.toFixed(0)} ms`,
      '< 1000 ms',
      listed < 1000,
    )
    printFigure('  the index is complete after', `${(indexed / 1000).toFixed(1)} s`)
    printFigure('  slowest /api/runs meanwhile', `${slowest.toFixed(0)} ms`)
    printFigure('  messages', `${stats.messages}`)
    printFigure(
      '  CPU time: main thread, others',
      `${cpu.main.toFixed(1)} s, ${cpu.others.toFixed(1)} s`,
    )
    printFigure('  peak memory', `${peak.toFixed(0)} MiB`, '< 150 MiB', peak < 150)
    printFigure('  memory, two seconds later', `${readMemory(hub.pid).toFixed(0)} MiB`)
    if (idleSeconds > 0) await measureIdle(hub.pid, idleSeconds)
    return {runs: stats.runs, messages: stats.messages}
  } finally {
    await hub.stop()
  }
}

/** @param {number} pid @param {number} seconds */
async function measureIdle(pid, seconds) {
  const before = readThreadCpuSeconds(pid)
  await sleep(seconds * 1000)
  const after = readThreadCpuSeconds(pid)
  const cpuMs = (after.main + after.others - before.main - before.others) * 1000
  printFigure(`  CPU time in ${seconds} idle seconds`, `${cpuMs.toFixed(0)} ms`)
  printFigure('  memory afterwards', `${readMemory(pid).toFixed(0)} MiB`)
}

/**
 * Writes recordings of all agents, made of repeated captures: most are short, some are long.
 *
 * @param {string} folder
 * @param {number} count
 * @param {number} total
 */
function writeRecordings(folder, count, total) {
  const captures = agents
    .map(({id}) => ({id, texts: listCaptures(id)}))
    .filter(({texts}) => texts.length > 0)
  const weights = Array.from({length: count}, (_, at) => 1.8 ** ((at * 7) % 12))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const now = Date.now()
  let size = 0
  for (const [at, weight] of weights.entries()) {
    const {id, texts} = captures[at % captures.length] ?? {id: '', texts: []}
    const wanted = (total * weight) / sum
    /** @type {string[]} */
    const parts = []
    for (let length = 0, nth = at; length < wanted || parts.length === 0; nth++) {
      const text = renameIds(texts[nth % texts.length] ?? '', `${at}x${parts.length}`)
      parts.push(text)
      length += text.length
    }
    const stdout = Buffer.from(parts.join(''))
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
  const record = createRunRecord(runId, {
    agent: id,
    startedAt,
    limits: {onStuck: 'warn'},
    endedAt: at,
    sizes: {stdout: stdout.length, stderr: 0},
    result: createRunResult(runId, {agent: id, startedAt, durationMs: at - startedAt}),
  })
  mkdirSync(dir, {recursive: true, mode: 0o700})
  writeFileSync(join(dir, 'stdout'), stdout, {mode: 0o600})
  writeFileSync(join(dir, 'stderr'), '', {mode: 0o600})
  writeFileSync(join(dir, 'stdin'), '', {mode: 0o600})
  writeFileSync(join(dir, 'timing.ndjson'), times, {mode: 0o600})
  writeFileSync(join(dir, 'run.json'), `${JSON.stringify(record, null, 2)}\n`, {mode: 0o600})
}
