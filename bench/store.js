// The index of the hub with a million messages: speed of writes and of queries, alone and during writes, and its size
// on disk and in memory. Three processes: one writes messages of many live runs, one fills the index, one queries it.
// It takes minutes, so it is not part of `npm run bench`:
//
//   npm run build && node bench/store.js
//   node bench/store.js --messages 100000 --runs 250 --rounds 50

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {availableParallelism, loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {setImmediate, setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {openRunIndex} from '../dist/hub/index/run-index.js'
import {readMemory} from '../test/support/process-stats.js'

/** @import {RunIndex} from '../dist/hub/index/run-index.js' */
/** @import {StoredItem, StoredMessage} from '../dist/hub/index/store.js' */

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
/** @type {readonly ('Read' | 'Bash' | 'Edit' | 'Grep')[]} */
const TOOLS = ['Read', 'Bash', 'Edit', 'Grep']

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

/** Writes 200 runs with 50 messages and items per second each, one at a time. */
async function writeLive() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const runs = 200
  const count = 10_000 * Number(values.seconds)
  try {
    const index = open(join(folder, 'index.db'))
    const messages = Array.from({length: 6000}, (_, at) => createMessage(0, at + 1))
    const before = process.cpuUsage()
    const start = performance.now()
    let sent = 0
    let maxBacklog = 0
    while (sent < count) {
      const due = Math.min(Math.floor((performance.now() - start) * 10), count)
      maxBacklog = Math.max(maxBacklog, due - sent)
      for (; sent < due; sent++) {
        const n = Math.floor(sent / runs) + 1
        const message = messages[sent % messages.length]
        if (message === undefined) continue
        const runId = runIdOf(sent % runs)
        index.append(runId, [createItem(n, message.json)], [{...message, seq: n}])
      }
      await sleep(2)
    }
    index.commit()
    const seconds = (performance.now() - start) / 1000
    const {user, system} = process.cpuUsage(before)
    const cpu = (user + system) / count
    printHeading(`writing ${count} messages of ${runs} runs, 10000 per second`)
    printFigure('  CPU time per message', `${cpu.toFixed(1)} µs`, '', 100, cpu)
    printFigure('  messages per second', Math.round(count / seconds).toString())
    printFigure('  max messages waiting for a write', String(maxBacklog))
    printFigure('  peak memory of the process', `${readPeakMemory().toFixed(0)} MiB`)
    index.close()
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** @param {string} folder */
async function fill(folder) {
  const file = join(folder, 'index.db')
  if (readdirSync(folder).includes('index.db')) return
  const index = open(file)
  const before = process.cpuUsage()
  const start = performance.now()
  let bytes = 0
  for (let run = 0; run < runCount; run++) {
    const messages = createMessages(run, 1, perRun)
    for (const {json} of messages) bytes += json.length
    index.append(runIdOf(run), createItems(messages), messages)
    index.putRun(createEntry(run))
    do {
      // Commits are due between two turns of the event loop.
      await setImmediate()
    } while (index.fillSearch(10))
    if (run % 250 === 249) process.stderr.write(`\r${run + 1} of ${runCount} runs `)
  }
  index.commit()
  const seconds = (performance.now() - start) / 1000
  const {user, system} = process.cpuUsage(before)
  process.stderr.write('\r'.padEnd(30) + '\r')
  const count = runCount * perRun
  const peak = readPeakMemory()
  index.close()
  printHeading('filling the index')
  printFigure('  messages per second', Math.round(count / seconds).toString())
  printFigure('  CPU time per message', `${((user + system) / count).toFixed(1)} µs`)
  printFigure('  JSON per message', `${Math.round(bytes / count)} bytes`)
  printFigure('  peak memory of the process', `${peak.toFixed(0)} MiB`, '', 120, peak)
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  printFigure('  on disk', `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0)} MB`)
}

/** @param {string} folder */
async function query(folder) {
  const start = performance.now()
  const index = open(join(folder, 'index.db'))
  printFigure('time to open', `${(performance.now() - start).toFixed(0)} ms`)
  printHeading('without writes')
  await runQueries(index)
  const memory = readMemory(process.pid)
  printHeading(`with ${values.rate} writes per second`)
  const steady = startWriting(index, Number(values.rate))
  await runQueries(index)
  await steady.stop()
  printHeading('with writes at full speed')
  const full = startWriting(index, Infinity)
  await runQueries(index)
  await full.stop()
  printHeading('memory')
  printFigure('resident, after the first queries', `${memory.toFixed(0)} MiB`, '', 120, memory)
  const peak = readPeakMemory()
  printFigure('peak', `${peak.toFixed(0)} MiB`, '', 120, peak)
  const closing = performance.now()
  index.close()
  printFigure('time to close', `${(performance.now() - closing).toFixed(0)} ms`)
}

/** @param {RunIndex} index */
async function runQueries(index) {
  const anyRun = () => runIdOf(pick(runCount))
  await measure('listRuns, the newest 50', 50, () => index.listRuns({limit: 50}))
  await measure('listRuns, a page further down', 50, () => {
    const run = pick(runCount)
    const before = {startedAt: startOf(run), runId: runIdOf(run)}
    return index.listRuns({limit: 50, before, agent: 'claude'})
  })
  await measure('listRuns, by text', 50, () => index.listRuns({limit: 50, text: 'rename'}))
  await measure('getRun', 50, () => index.getRun(anyRun()))
  await measure('listMessages, 500 anywhere', 50, () => {
    return index.listMessages(anyRun(), {since: pick(perRun / 2), limit: 500})
  })
  await measure('listMessages, two types', 50, () => {
    const types = ['agent_output', 'file_changed']
    return index.listMessages(anyRun(), {since: 0, limit: 500, types})
  })
  await measure('listItems, 400 anywhere', 50, () => {
    return Array.from(index.listItems(anyRun(), pick(perRun / 2))).slice(0, 400)
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
  await measure('stats', 50, () => index.stats(START))
  await measure('listStamps', 200, () => index.listStamps())

  /**
   * @param {string | undefined} text
   * @param {{runId?: string, types?: string[]}} [scope]
   */
  function search(text = '', scope = {}) {
    return index.search({text, limit: 50, ...scope})
  }
}

/**
 * Measures a query with the time that it waits for its turn, as in the reader thread of the hub.
 *
 * @param {string} name
 * @param {number} goal
 * @param {() => unknown} run
 */
async function measure(name, goal, run) {
  /** @type {number[]} */
  const spent = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await setImmediate()
    run()
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
 * @param {RunIndex} index
 * @param {number} rate
 */
function startWriting(index, rate) {
  const stopping = new AbortController()
  const start = performance.now()
  const run = runCount + (rate === Infinity ? 1 : 0)
  let seq = 0
  const done = write()
  return {
    async stop() {
      stopping.abort()
      await done
      index.commit()
      const seconds = (performance.now() - start) / 1000
      printFigure('  writes per second meanwhile', Math.round(seq / seconds).toString())
    },
  }

  async function write() {
    while (!stopping.signal.aborted) {
      const due = rate === Infinity ? seq + 200 : ((performance.now() - start) / 1000) * rate
      const messages = createMessages(run, seq + 1, Math.floor(due) - seq)
      seq += messages.length
      index.append(runIdOf(run), createItems(messages), messages)
      await (rate === Infinity ? setImmediate() : sleep(10))
    }
  }
}

/** @param {string} file */
function open(file) {
  return openRunIndex(file, {
    onLost(error) {
      throw error
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
    kind: /** @type {const} */ ('run'),
    cwd: '/home/dev/project',
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
 * One item per message, of the same size.
 *
 * @param {readonly StoredMessage[]} messages
 */
function createItems(messages) {
  return messages.map(({seq, json}) => createItem(seq, json))
}

/**
 * @param {number} n
 * @param {string} json
 * @returns {StoredItem}
 */
function createItem(n, json) {
  return {n, line: n, json: json.replace(/"type":"\w+"/, '"type":"line"')}
}

/**
 * Messages repeat in this order: call, result, call, result, text, changed file.
 *
 * @param {number} run
 * @param {number} seq
 * @returns {StoredMessage}
 */
function createMessage(run, seq) {
  const at = startOf(run) + seq * 1500
  const frame = {
    workOrderId: `order-${Math.floor(run / 4)}`,
    runId: runIdOf(run),
    seq,
    timestamp: new Date(at).toISOString(),
  }
  const message = createEvent(run, frame)
  const json = JSON.stringify(message)
  return {seq, type: message.type, json}
}

/**
 * @param {number} run
 * @param {{workOrderId: string, runId: string, seq: number, timestamp: string}} frame
 * @returns {import('../dist/core/protocol/server-message.js').RunMessage}
 */
function createEvent(run, frame) {
  const {seq} = frame
  const path = `/home/user/project/src/${word()}/${word()}.ts`
  const toolUseId = `toolu_${run.toString(36)}_${Math.floor((seq - 1) / 2).toString(36)}_${'0'.repeat(12)}`
  const tool = TOOLS[Math.floor(seq / 2) % TOOLS.length] ?? 'Other'
  const step = (seq - 1) % 6
  if (step === 4) return {type: 'agent_output', ...frame, content: createText(70)}
  if (step === 5) {
    return {type: 'file_changed', ...frame, path, action: 'modified', sizeBytes: pick(50_000)}
  }
  if (step % 2 === 0) {
    const input = {command: createText(20), description: createText(10), file_path: path}
    return {type: 'agent_tool_call', ...frame, toolUseId, tool, name: tool, input}
  }
  const content = createText(75).slice(0, 500)
  const facts = {toolUseId, success: pick(20) > 0, durationMs: pick(5000)}
  const rest = {contentPreview: content, contentLength: content.length}
  return {type: 'agent_tool_result', ...frame, ...facts, ...rest}
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
