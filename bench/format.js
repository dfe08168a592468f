// Events as text: Vitrine's formatter beside the least that could be called a line for each event. No package formats these
// events, so its peer is what one would print instead: JSON.

import {agents} from '../dist/agents/list.js'
import {createEventDecoder} from '../dist/agents/parse.js'
import {colored} from '../dist/terminal/colors.js'
import {createFormatter} from '../dist/terminal/format.js'
import {readRecordings} from './corpus.js'
import {compareWithPeers} from './table.js'
import {answer, askedFor, inOwnProcess, takeTurns} from './turns.js'

/** @import {AgentEvent} from '../dist/core/index.js' */
/** @import {Row} from './table.js' */
/** @import {Turns} from './turns.js' */

/** The events of one stream of each agent. @typedef {readonly (readonly AgentEvent[])[]} Streams */
/** Gives how many characters were made. @typedef {(streams: Streams) => number} Format */

const PIPED = 'createFormatter, as into a file'

/** @type {Record<string, {kind: Row['kind'], format: Format}>} */
const contenders = {
  '[agent] type text': {kind: 'floor', format: floor},
  [PIPED]: {kind: 'vitrine', format: (streams) => formatAll(streams, {})},
  'createFormatter, colours, 100 columns': {
    kind: 'vitrine',
    format: (streams) => formatAll(streams, {colors: colored, width: 100}),
  },
  'createFormatter, as into a file, -vv': {
    kind: 'vitrine',
    format: (streams) => formatAll(streams, {verbose: 2}),
  },
  'JSON.stringify': {
    kind: 'peer',
    format: (streams) => countAll(streams, (event) => `${JSON.stringify(event)}\n`),
  },
}

const job = askedFor(import.meta.url)
if (job !== undefined) {
  const [name = '', repeats, rounds] = job
  answer(await compare(name, Number(repeats), Number(rounds)))
}

/**
 * @param {{rounds: number, repeats: number, progress: (what: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchFormat({rounds, repeats, progress}) {
  /** @type {Row[]} */
  const rows = []
  for (const [name, {kind}] of Object.entries(contenders)) {
    progress(name)
    /** @type {Turns & {count: number}} */
    const {
      own,
      floor: beside,
      ratio,
      ratios,
      count,
    } = await inOwnProcess(import.meta.url, [name, String(repeats), String(rounds)])
    const cost = (/** @type {number} */ ms) => (ms * 1000) / count
    const group = `formatting for a terminal: ${count.toLocaleString('en')} events of all agents' captures`
    const unit = 'µs/event'
    rows.push({group, kind, name, own: cost(own), floor: cost(beside), unit, ratio, ratios})
  }
  return compareWithPeers(rows, PIPED)
}

/**
 * @param {string} name
 * @param {number} repeats
 * @param {number} rounds
 */
async function compare(name, repeats, rounds) {
  const once = agents.map(({id}) => createEventDecoder(id)?.push(readRecordings(id)) ?? [])
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
  if (length === 0) throw new Error('nothing was formatted')
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
  // As bytes, as they are written: so strings that are only joined on paper are joined.
  for (const events of streams)
    for (const event of events) length += Buffer.byteLength(toLine(event))
  return length
}
