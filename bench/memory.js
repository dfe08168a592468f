// Memory over long streams: lines of 1 MiB, a single line, and captures of all agents as events. Each runs in its own
// process; the figure is the growth of its resident memory after the first byte.
//
//   node bench/memory.js lines | line | events

import {createClaudeDecoder} from '../dist/claude.js'
import {agents} from '../dist/agents/list.js'
import {createEventDecoder} from '../dist/agents/parse.js'
import {listCaptures, renameIds} from './corpus.js'
import {sendResult, readJob, runInOwnProcess} from './turns.js'

/** @import {Row} from './table.js' */

const MEBIBYTE = 1024 * 1024
/** A larger heap grows now and then before garbage is collected; a leak would not fit into this one. */
const SMALL_HEAP = '--max-old-space-size=128'
const CHUNK = 64 * 1024
/** Rounds of warm-up: compiled code and the first caches do not count as growth. */
const WARM_UP_ROUNDS = 20

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

const job = readJob(import.meta.url)
if (job !== undefined) {
  const [name = '', part = '1'] = job
  const stream = streams[name]
  if (stream === undefined) {
    throw new Error(`Unknown stream ${name}: expected ${Object.keys(streams).join(', ')}`)
  }
  const size = stream.mebibytes * Number(part)
  const title = `${size < 1024 ? `${size} MiB` : `${size / 1024} GiB`} ${stream.what}`
  const {records, growth} = stream.measure(size)
  // test/slow/memory.test.ts parses this line.
  if (process.send !== undefined) sendResult({title, records, growth})
  else console.log(`${title.padEnd(34)}${records} records, +${growth.toFixed(0)} MiB`)
}

/**
 * @param {{part: number, onProgress: (step: string) => void}} options `part`: the fraction of the full size.
 * @returns {Promise<Row[]>}
 */
export async function benchMemory({part, onProgress}) {
  /** @type {Row[]} */
  const rows = []
  for (const [name, {what}] of Object.entries(streams)) {
    onProgress(what)
    const args = [name, String(part)]
    const {title, records, growth} = await runInOwnProcess(import.meta.url, args, [SMALL_HEAP])
    rows.push({
      group: `memory: growth with ${SMALL_HEAP}`,
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
 * One endless stream per agent: its captures repeated, each time with new ids, so that a parser that keeps past ids
 * grows.
 *
 * @param {number} mebibytes
 */
function measureEvents(mebibytes) {
  const runs = agents.map(({id}) => ({
    decoder: createEventDecoder(id),
    text: listCaptures(id).join(''),
  }))
  let growth = 0
  let before = 0
  let records = 0
  let sent = 0
  for (let round = 0; sent < mebibytes * MEBIBYTE; round++) {
    if (round === WARM_UP_ROUNDS) before = process.memoryUsage().rss
    for (const {decoder, text} of runs) {
      const bytes = Buffer.from(renameIds(text, `${round}x`))
      for (let at = 0; at < bytes.length; at += CHUNK) {
        records += decoder?.push(bytes.subarray(at, at + CHUNK)).length ?? 0
      }
      sent += bytes.length
    }
    if (before > 0) growth = Math.max(growth, process.memoryUsage().rss - before)
  }
  return {records, growth: growth / MEBIBYTE}
}
