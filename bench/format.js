// Formatting: Vitrine's formatter compared with a minimal line per event. No package formats these events, so the peer
// prints JSON instead.

import {agents} from '../dist/agents/list.js'
import {createEventDecoder} from '../dist/agents/parse.js'
import {colored} from '../dist/terminal/colors.js'
import {createFormatter} from '../dist/terminal/format.js'
import {listCaptures} from './corpus.js'
import {compareWithPeers} from './table.js'
import {sendResult, readJob, runInOwnProcess, takeTurns} from './turns.js'

/** @import {AgentEvent} from '../dist/core/index.js' */
/** @import {Row} from './table.js' */
/** @import {Turns} from './turns.js' */

/** The events of one stream of each agent. @typedef {readonly (readonly AgentEvent[])[]} Streams */
/** Returns the number of bytes of the text. @typedef {(streams: Streams) => number} Format */

const PIPED = 'createFormatter, plain'

/** @type {Record<string, {kind: Row['kind'], format: Format}>} */
const contenders = {
  '[agent] type text': {kind: 'floor', format: floor},
  [PIPED]: {kind: 'vitrine', format: (streams) => formatAll(streams, {})},
  'createFormatter, colours, 100 columns': {
    kind: 'vitrine',
    format: (streams) => formatAll(streams, {colors: colored, width: 100}),
  },
  'createFormatter, plain, -vv': {
    kind: 'vitrine',
    format: (streams) => formatAll(streams, {verbose: 2}),
  },
  'JSON.stringify': {
    kind: 'peer',
    format: (streams) => countAll(streams, (event) => `${JSON.stringify(event)}\n`),
  },
}

const job = readJob(import.meta.url)
if (job !== undefined) {
  const [name = '', repeats, rounds] = job
  sendResult(await compare(name, Number(repeats), Number(rounds)))
}

/**
 * @param {{rounds: number, repeats: number, onProgress: (step: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchFormat({rounds, repeats, onProgress}) {
  /** @type {Row[]} */
  const rows = []
  for (const [name, {kind}] of Object.entries(contenders)) {
    onProgress(name)
    /** @type {Turns & {count: number}} */
    const {
      own,
      floor: floorMs,
      ratio,
      ratios,
      count,
    } = await runInOwnProcess(import.meta.url, [name, String(repeats), String(rounds)])
    const cost = (/** @type {number} */ ms) => (ms * 1000) / count
    const group = `formatting for a terminal: ${count.toLocaleString('en')} events of all agents' captures`
    const unit = 'µs/event'
    rows.push({group, kind, name, own: cost(own), floor: cost(floorMs), unit, ratio, ratios})
  }
  return compareWithPeers(rows, PIPED)
}

/**
 * @param {string} name
 * @param {number} repeats
 * @param {number} rounds
 */
async function compare(name, repeats, rounds) {
  const once = agents.map(({id}) => createEventDecoder(id)?.push(listCaptures(id).join('')) ?? [])
  const streams = Array.from({length: repeats}, () => once).flat()
  const own = contenders[name]?.format ?? floor
  const turns = await takeTurns(
    rounds,
    () => time(floor, streams),
    () => time(own, streams),
  )
  return {...turns, count: streams.reduce((sum, events) => sum + events.length, 0)}
}

/** @param {Format} format @param {Streams} streams */
function time(format, streams) {
  const start = performance.now()
  const length = format(streams)
  const spent = performance.now() - start
  if (length === 0) throw new Error('The formatter returned no text')
  return spent
}

/** @param {Streams} streams */
function floor(streams) {
  return countAll(
    streams,
    (event) => `[agent] ${event.type} ${'text' in event ? event.text : ''}\n`,
  )
}

/** @param {Streams} streams @param {import('../dist/terminal/index.js').FormatterOptions} options */
function formatAll(streams, options) {
  let length = 0
  for (const events of streams) {
    const formatter = createFormatter(options)
    for (const event of events) length += Buffer.byteLength(formatter.format(event))
    length += Buffer.byteLength(formatter.end())
  }
  return length
}

/** @param {Streams} streams @param {(event: AgentEvent) => string} toLine */
function countAll(streams, toLine) {
  let length = 0
  // Counting bytes makes V8 flatten concatenated strings, as writing them would.
  for (const events of streams)
    for (const event of events) length += Buffer.byteLength(toLine(event))
  return length
}
