// The index of the hub with a million messages: speed of writes, of the search index and of queries, alone and during
// writes, and its size on disk and in memory. Three processes: one writes messages of many live runs, one fills the
// index, one opens it. It takes minutes, so it is not part of `npm run bench`:
//
//   npm run build && node bench/store.js
//   node bench/store.js --messages 100000 --runs 250 --rounds 50

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync} from 'node:fs'
import {availableParallelism, loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {openSqliteStore} from '../dist/hub/index/sqlite.js'
import {readMemory} from '../test/support/process-stats.js'

const {values} = parseArgs({
  options: {
    messages: {type: 'string', default: '1000000'},
    runs: {type: 'string', default: '2500'},
    rounds: {type: 'string', default: '200'},
    rate: {type: 'string', default: '1000'},
    seconds: {type: 'string', default: '10'},
    part: {type: 'string'},
    folder: {type: 'string'},
  },
})
const messageCount = Number(values.messages)
const runCount = Number(values.runs)
const perRun = Math.ceil(messageCount / runCount)
const rounds = Number(values.rounds)
const START = Date.UTC(2026, 0, 1)
const words = createWords()

if (values.part === 'fill') await fill(values.folder ?? '')
else if (values.part === 'live') await writeLive()
else if (values.part === 'query') await query(values.folder ?? '')
else await main()

async function main() {
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores, Node ${process.versions.node}`
    console.log(`\nindex of ${messageCount} messages in ${runCount} runs (${load})`)
    await runPart('live', folder)
    await runPart('fill', folder)
    await runPart('query', folder)
  } finally {
    if (values.folder === undefined) rmSync(folder, {recursive: true, force: true})
  }
}

/**
 * @param {string} part
 * @param {string} folder
 */
async function runPart(part, folder) {
  const args = [...process.argv.slice(2), '--part', part, '--folder', folder]
  const [exitCode] = await once(fork(fileURLToPath(import.meta.url), args), 'exit')
  if (exitCode !== 0) throw new Error(`${part}: exit code ${exitCode}`)
}

/** Writes 200 runs with 50 messages per second each, one message at a time. */
async function writeLive() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const runs = 200
  const count = 10_000 * Number(values.seconds)
  try {
    const {store, readCpu} = await openMeasured(join(folder, 'index.db'))
    const messages = Array.from({length: 6000}, (_, at) => createMessage(0, at + 1))
    const before = readCpu()
    const mainBefore = process.cpuUsage()
    const start = performance.now()
    let sent = 0
    let maxBacklog = 0
    while (sent < count) {
      const due = Math.min(Math.floor((performance.now() - start) * 10), count)
      for (; sent < due; sent++) {
        const seq = Math.floor(sent / runs) + 1
        const message = messages[sent % messages.length]
        if (message !== undefined) store.append(runIdOf(sent % runs), [{...message, seq}])
      }
      maxBacklog = Math.max(maxBacklog, store.backlog)
      await sleep(2)
    }
    await store.settled()
    const seconds = (performance.now() - start) / 1000
    const writing = readCpu() - before
    const {user, system} = process.cpuUsage(mainBefore)
    const {waiting} = await store.search({text: 'the', limit: 1})
    const middle = readCpu()
    await store.sought()
    const searchable = (readCpu() - middle) / waiting
    const written = (writing - searchable * (count - waiting)) / count
    printHeading(`writing ${count} messages of ${runs} runs, 10000 per second`)
    printFigure('  CPU time per message', `${written.toFixed(1)} µs`, '', 8, written)
    printFigure('  CPU time to make one searchable', `${searchable.toFixed(1)} µs`)
    printFigure(
      '  CPU time of other threads',
      `${((user + system - writing) / count).toFixed(1)} µs`,
    )
    printFigure('  messages per second', Math.round(count / seconds).toString())
    printFigure('  not searchable at the end', String(waiting))
    printFigure('  max messages queued', String(maxBacklog))
    printFigure('  peak memory of the process', `${readPeakMemory().toFixed(0)} MiB`)
    await store.close()
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** @param {string} folder */
async function fill(folder) {
  const file = join(folder, 'index.db')
  if (readdirSync(folder).includes('index.db')) return
  const {store, readCpu} = await openMeasured(file)
  const start = performance.now()
  let bytes = 0
  let maxBacklog = 0
  for (let run = 0; run < runCount; run++) {
    const messages = createMessages(run, 1, perRun)
    for (const {json} of messages) bytes += json.length
    store.append(runIdOf(run), messages)
    store.putRun(createEntry(run))
    maxBacklog = Math.max(maxBacklog, store.backlog)
    await store.room()
    if (run % 250 === 249) process.stderr.write(`\r${run + 1} of ${runCount} runs `)
  }
  await store.settled()
  const seconds = (performance.now() - start) / 1000
  process.stderr.write('\r'.padEnd(30) + '\r')
  const {waiting} = await store.search({text: 'the', limit: 1})
  const middle = performance.now()
  const before = readCpu()
  await store.sought()
  const indexingSeconds = (performance.now() - middle) / 1000
  const searchable = (readCpu() - before) / waiting
  const peak = readPeakMemory()
  await store.close()
  printHeading('filling the index')
  printFigure('  messages per second', Math.round((runCount * perRun) / seconds).toString())
  printFigure('  JSON per message', `${Math.round(bytes / runCount / perRun)} bytes`)
  printFigure('  max messages queued', String(maxBacklog))
  printFigure('  not searchable at the end', String(waiting))
  printFigure(
    '  made searchable per second, then',
    Math.round(waiting / indexingSeconds).toString(),
  )
  printFigure('  CPU time to make one searchable', `${searchable.toFixed(1)} µs`)
  printFigure('  peak memory of the process', `${peak.toFixed(0)} MiB`, '', 120, peak)
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  printFigure('  on disk', `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0)} MB`)
}

/** @param {string} folder */
async function query(folder) {
  const start = performance.now()
  const store = await open(join(folder, 'index.db'))
  printFigure('time to open', `${(performance.now() - start).toFixed(0)} ms`)
  printHeading('without writes')
  await runQueries(store)
  const memory = readMemory(process.pid)
  printHeading(`with ${values.rate} writes per second`)
  const steady = startWriting(store, Number(values.rate))
  await runQueries(store)
  await steady.stop()
  printHeading('with writes at full speed')
  const full = startWriting(store, Infinity)
  await runQueries(store)
  await full.stop()
  printHeading('memory')
  printFigure('resident, after the first queries', `${memory.toFixed(0)} MiB`, '', 120, memory)
  const peak = readPeakMemory()
  printFigure('peak', `${peak.toFixed(0)} MiB`, '', 120, peak)
  const closing = performance.now()
  await store.close()
  printFigure('time to close', `${(performance.now() - closing).toFixed(0)} ms`)
}

/** @param {import('../dist/hub/index/store.js').Store} store */
async function runQueries(store) {
  const anyRun = () => runIdOf(pick(runCount))
  await measure('listRuns, the newest 50', 50, () => store.listRuns({limit: 50}))
  await measure('listRuns, a page further down', 50, () => {
    const run = pick(runCount)
    const before = {startedAt: startOf(run), runId: runIdOf(run)}
    return store.listRuns({limit: 50, before, agent: 'claude'})
  })
  await measure('listRuns, by text', 50, () => store.listRuns({limit: 50, text: 'rename'}))
  await measure('getRun', 50, () => store.getRun(anyRun()))
  await measure('listMessages, 500 anywhere', 50, () => {
    return store.listMessages(anyRun(), {since: pick(perRun / 2), limit: 500})
  })
  await measure('listMessages, two types', 50, () => {
    const types = ['agent_output', 'file_changed']
    return store.listMessages(anyRun(), {since: 0, limit: 500, types})
  })
  const last = words.length - 1
  await measure('search, a rare word', 200, () => search(words[last - pick(200)]))
  await measure('search, a common word', 200, () => search(`${words[pick(5)]} `))
  await measure('search, a word that may continue', 200, () => search(words[pick(5)]))
  await measure('search, the start of a word', 200, () => search(words[pick(2000)]?.slice(0, 3)))
  await measure('search, the start of many words', 200, () => search(words[pick(20)]?.slice(0, 2)))
  await measure('search, four letters', 200, () => search(words[pick(50)]?.slice(0, 4)))
  await measure('search, two words', 200, () => search(`${words[pick(50)]} ${words[pick(2000)]}`))
  await measure('search, a common and a rare word', 200, () => {
    return search(`${words[pick(5)]} ${words[last - pick(200)]}`)
  })
  await measure('search, two words without a match', 200, () => {
    return search(`${words[last - pick(200)]} ${words[last - pick(200)]}`)
  })
  await measure('search, a path', 200, () => search(`src/${words[pick(20)]}/${words[pick(20)]}.ts`))
  await measure('search, in a run', 200, () => search(words[pick(5)], {runId: anyRun()}))
  await measure('search, in a type', 200, () => search(words[pick(5)], {types: ['file_changed']}))
  await measure('listTools', 50, () => store.listTools(anyRun()))
  await measure('toolStats of a run', 50, () => store.toolStats(anyRun()))
  await measure('listFiles', 50, () => store.listFiles(anyRun()))
  await measure('stats', 50, () => store.stats())
  await measure('listStamps', 200, () => store.listStamps())
  await measure('toolStats of all', 1000, () => store.toolStats(), 5)

  /**
   * @param {string | undefined} text
   * @param {{runId?: string, types?: string[]}} [scope]
   */
  function search(text = '', scope = {}) {
    return store.search({text, limit: 50, ...scope})
  }
}

/**
 * @param {string} name
 * @param {number} goal
 * @param {() => Promise<unknown>} run
 */
async function measure(name, goal, run, times = rounds) {
  /** @type {number[]} */
  const spent = []
  for (let round = 0; round < times; round++) {
    const start = performance.now()
    await run()
    spent.push(performance.now() - start)
  }
  const sorted = spent.toSorted((a, b) => a - b)
  const [median = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map(
    (part) => sorted[Math.ceil(part * sorted.length) - 1],
  )
  printFigure(`  ${name}`, `${median.toFixed(1)} ms`, `${p99.toFixed(1)} ms`, goal, p99)
}

/**
 * Writes messages of a live run at a rate until it is stopped.
 *
 * @param {import('../dist/hub/index/store.js').Store} store
 * @param {number} rate
 */
function startWriting(store, rate) {
  const stopping = new AbortController()
  const start = performance.now()
  const run = runCount + (rate === Infinity ? 1 : 0)
  let seq = 0
  const done = write()
  return {
    async stop() {
      stopping.abort()
      await done
      await store.settled()
      const seconds = (performance.now() - start) / 1000
      printFigure('  writes per second meanwhile', Math.round(seq / seconds).toString())
    },
  }

  async function write() {
    while (!stopping.signal.aborted) {
      const due = rate === Infinity ? seq + 200 : ((performance.now() - start) / 1000) * rate
      const messages = createMessages(run, seq + 1, Math.floor(due) - seq)
      seq += messages.length
      store.append(runIdOf(run), messages)
      if (rate === Infinity) await store.room()
      await sleep(rate === Infinity ? 0 : 10)
    }
  }
}

/**
 * Opens an index. `readCpu` returns the CPU time of its thread in microseconds; 0 without /proc.
 *
 * @param {string} file
 */
async function openMeasured(file) {
  const others = new Set(listThreads())
  const store = await open(file)
  const threads = listThreads().filter((id) => !others.has(id))
  return {store, readCpu: () => threads.reduce((sum, id) => sum + readThreadCpu(id), 0)}
}

function listThreads() {
  try {
    return readdirSync('/proc/self/task')
  } catch {
    return []
  }
}

/** @param {string} id */
function readThreadCpu(id) {
  const stat = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8')
  return Number(stat.split(' ')[0]) / 1000
}

/** @param {string} file */
function open(file) {
  return openSqliteStore(file, {
    onDamage(reason) {
      throw new Error(reason)
    },
  })
}

/** @param {number} run */
function runIdOf(run) {
  return `run-${run.toString(36).padStart(4, '0')}`
}

/** @param {number} run */
function startOf(run) {
  return START + run * 60_000
}

/** @param {number} run */
function createEntry(run) {
  const title = createText(6 + pick(6))
  return {
    runId: runIdOf(run),
    workOrderId: `order-${Math.floor(run / 4)}`,
    agent: ['claude', 'codex', 'gemini'][run % 3] ?? null,
    title,
    startedAt: startOf(run),
    endedAt: startOf(run) + 600_000,
    verdict: run % 7 === 0 ? 'failed' : 'succeeded',
    isOver: true,
    costUsd: pick(300) / 100,
    toolCount: Math.floor(perRun / 3),
    summary: JSON.stringify({title, text: createText(60)}),
    stamp: `${run}:1`,
    isComplete: true,
  }
}

/**
 * @param {number} run
 * @param {number} from
 * @param {number} count
 */
function createMessages(run, from, count) {
  return Array.from({length: count}, (_, index) => createMessage(run, from + index))
}

/**
 * Messages repeat in this order: call, result, call, result, text, changed file.
 *
 * @param {number} run
 * @param {number} seq
 * @returns {import('../dist/hub/index/store.js').StoredMessage}
 */
function createMessage(run, seq) {
  const at = startOf(run) + seq * 1500
  const frame = {
    workOrderId: `order-${Math.floor(run / 4)}`,
    runId: runIdOf(run),
    seq,
    timestamp: new Date(at).toISOString(),
  }
  const path = `/home/user/project/src/${word()}/${word()}.ts`
  const toolUseId = `toolu_${run.toString(36)}_${Math.floor((seq - 1) / 2).toString(36)}_${'0'.repeat(12)}`
  const tool = ['Read', 'Bash', 'Edit', 'Grep'][Math.floor(seq / 2) % 4] ?? 'Other'
  const step = (seq - 1) % 6
  if (step === 4) {
    const content = createText(70)
    const json = JSON.stringify({type: 'agent_output', ...frame, content})
    return {seq, at, type: 'agent_output', json}
  }
  if (step === 5) {
    const sizeBytes = pick(50_000)
    const json = JSON.stringify({type: 'file_changed', ...frame, path, action: 'edit', sizeBytes})
    return {seq, at, type: 'file_changed', json}
  }
  if (step % 2 === 0) {
    const input = {command: createText(20), description: createText(10), file_path: path}
    const type = 'agent_tool_call'
    const json = JSON.stringify({type, ...frame, toolUseId, tool, name: tool, input})
    return {seq, at, type, json}
  }
  const content = createText(75).slice(0, 500)
  const type = 'agent_tool_result'
  const facts = {toolUseId, success: pick(20) > 0, durationMs: pick(5000)}
  const rest = {contentPreview: content, contentLength: content.length}
  const json = JSON.stringify({type, ...frame, ...facts, ...rest})
  return {seq, at, type, json}
}

/** 20,000 words made of syllables, the same each time; `word` picks the first ones far more often than the last. */
function createWords() {
  const parts = 'ba co di fe gu ha jo ka li me no pu ra se ti vo wa xe yo zi str ing tion er'.split(
    ' ',
  )
  const made = ['the', 'error', 'test', 'file', 'function', 'rename']
  // The step is coprime to the number of combinations, so no word repeats.
  for (let index = 1; made.length < 20_000; index++) {
    let rest = (index * 7919) % parts.length ** 4
    let text = ''
    for (let count = 0; count < 2 + (index % 3); count++) {
      text += parts[rest % parts.length]
      rest = Math.floor(rest / parts.length)
    }
    made.push(text)
  }
  return made
}

function word() {
  return words[Math.floor(words.length ** Math.random()) - 1] ?? ''
}

/** @param {number} count */
function createText(count) {
  return Array.from({length: count}, word).join(' ')
}

/** @param {number} count */
function pick(count) {
  return Math.floor(Math.random() * count)
}

/** @param {string} name */
function printHeading(name) {
  console.log(
    `${name.padEnd(46)}${'median'.padStart(10)}${'p99'.padStart(12)}${'goal'.padStart(10)}`,
  )
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [second]
 * @param {number} [goal]
 * @param {number} [reached]
 */
function printFigure(name, value, second = '', goal, reached = 0) {
  const mark =
    goal === undefined ? '' : `${`< ${goal}`.padStart(10)}${reached > goal ? '  MISSED' : ''}`
  console.log(`${name.padEnd(46)}${value.padStart(10)}${second.padStart(12)}${mark}`)
}

function readPeakMemory() {
  return readMemory(process.pid, 'VmHWM')
}
