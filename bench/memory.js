// Memory over long streams: lines of 1 MiB, a single line, and recordings of all agents as events. Each in a process
// of its own; the figure is how far its resident memory rises above what it was before the first byte.
//
//   node bench/memory.js lines | line | events

import {createClaudeDecoder} from '../dist/agents/claude/index.js'
import {agents} from '../dist/agents/list.js'
import {createEventDecoder} from '../dist/agents/parse.js'
import {readRecordings} from './corpus.js'
import {answer, askedFor, inOwnProcess} from './turns.js'

/** @import {Row} from './table.js' */

const MEBIBYTE = 1024 * 1024
/** A heap that may grow does so now and then before it is collected; what is held would not fit into this one. */
const SMALL_HEAP = '--max-old-space-size=128'
const CHUNK = 64 * 1024
const IDS = /"((?:toolu|call|item|msg|ws|prt|ses|task)_|[\da-f]{8}-)/g

/** @type {Record<string, {what: string, mebibytes: number, measure: (mebibytes: number) => {records: number, growth: number}}>} */
const streams = {
  lines: {
    what: 'in lines of 1 MiB',
    mebibytes: 1024,
    measure: (mebibytes) => measureLines(mebibytes, MEBIBYTE),
  },
  line: {
    what: 'in one line',
    mebibytes: 2048,
    measure: (mebibytes) => measureLines(mebibytes, Infinity),
  },
  events: {what: 'of all agents, as events', mebibytes: 1024, measure: measureEvents},
}

const job = askedFor(import.meta.url)
if (job !== undefined) {
  const [name = '', part = '1'] = job
  const stream = streams[name]
  if (stream === undefined) throw new Error(`${name}: no such stream`)
  const size = stream.mebibytes * Number(part)
  const title = `${size < 1024 ? `${size} MiB` : `${size / 1024} GiB`} ${stream.what}`
  const {records, growth} = stream.measure(size)
  // As a line it is read by test/memory.test.ts.
  if (process.send !== undefined) answer({title, records, growth})
  else console.log(`${title.padEnd(34)}${records} records, +${growth.toFixed(0)} MiB`)
}

/**
 * @param {{part: number, progress: (what: string) => void}} options `part` of the whole size
 * @returns {Promise<Row[]>}
 */
export async function benchMemory({part, progress}) {
  /** @type {Row[]} */
  const rows = []
  for (const [name, {what}] of Object.entries(streams)) {
    progress(what)
    const asked = [name, String(part)]
    const {title, records, growth} = await inOwnProcess(import.meta.url, asked, [SMALL_HEAP])
    rows.push({
      group: `memory: how far it rises, with ${SMALL_HEAP}`,
      kind: 'vitrine',
      name: `${title} (${records.toLocaleString('en')} records)`,
      own: growth,
      unit: 'MiB',
    })
  }
  return rows
}

/**
 * @param {number} mebibytes
 * @param {number} lineLength
 */
function measureLines(mebibytes, lineLength) {
  const head = Buffer.from('{"type":"assistant","message":{"content":[{"type":"text","text":"')
  const tail = Buffer.from('"}]}}\n')
  const text = Buffer.alloc(CHUNK, 'glass and light ')
  const decoder = createClaudeDecoder()
  const before = process.memoryUsage().rss
  let peak = before
  let records = 0
  for (let sent = 0, inLine = 0; sent < mebibytes * MEBIBYTE; sent += CHUNK) {
    if (inLine === 0) records += decoder.push(head).length
    records += decoder.push(text).length
    inLine += CHUNK
    if (inLine >= lineLength) {
      records += decoder.push(tail).length
      inLine = 0
    }
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  records += decoder.end().length
  return {records, growth: (peak - before) / MEBIBYTE}
}

/**
 * One endless stream per agent: its recordings over and over, each time with new names for everything that
 * has one, so that a parser which remembers what has passed grows.
 *
 * @param {number} mebibytes
 */
function measureEvents(mebibytes) {
  const runs = agents.map(({id}) => ({
    decoder: createEventDecoder(id),
    text: readRecordings(id).toString(),
  }))
  let growth = 0
  let before = 0
  let records = 0
  let sent = 0
  for (let round = 0; sent < mebibytes * MEBIBYTE; round++) {
    // What is compiled and what the first rounds leave behind is no growth.
    if (round === 20) before = process.memoryUsage().rss
    for (const {decoder, text} of runs) {
      const fresh = Buffer.from(text.replaceAll(IDS, `$1${round}x`))
      for (let at = 0; at < fresh.length; at += CHUNK) {
        records += decoder?.push(fresh.subarray(at, at + CHUNK)).length ?? 0
      }
      sent += fresh.length
    }
    if (before > 0) growth = Math.max(growth, process.memoryUsage().rss - before)
  }
  return {records, growth: growth / MEBIBYTE}
}
