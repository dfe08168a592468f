// Decoding: Vitrine and its peers, each compared with the minimum that a decoder based on JSON.parse has to do.

import {createInterface} from 'node:readline'
import {Readable} from 'node:stream'
import {JSONParser} from '@streamparser/json'
import ndjson from 'ndjson'
import split2 from 'split2'
import jsonl from 'stream-json/jsonl/parser.js'
import {createClaudeDecoder, decodeClaudeStream} from '../dist/claude.js'
import {createEventDecoder} from '../dist/agents/parse.js'
import {createRecordDecoder} from '../dist/core/wire/records.js'
import {createCaptureCorpus, toChunks, createUnicodeCorpus} from './corpus.js'
import {compareWithPeers} from './table.js'
import {sendResult, readJob, runInOwnProcess, takeTurns} from './turns.js'

/** @import {Row} from './table.js' */
/** @import {Turns} from './turns.js' */

/** Returns the number of lines that are JSON. @typedef {(chunks: Buffer[]) => number | Promise<number>} Decode */

const EVENTS = 'createEventDecoder (push)'
const MEBIBYTE = 1024 * 1024

/** @type {Record<string, {kind: Row['kind'], decode: Decode}>} */
const contenders = {
  'indexOf + toString + JSON.parse': {kind: 'floor', decode: floor},
  [EVENTS]: {
    kind: 'vitrine',
    decode: (chunks) => {
      const decoder = createEventDecoder('claude')
      if (decoder === null) throw new Error('Unknown agent: claude')
      let malformed = 0
      for (const chunk of chunks) {
        for (const event of decoder.push(chunk)) if (event.type === 'malformed') malformed++
      }
      return decoder.lineCount - malformed
    },
  },
  'createClaudeDecoder (push)': {
    kind: 'vitrine',
    decode: (chunks) => {
      const decoder = createClaudeDecoder()
      let count = 0
      for (const chunk of chunks) {
        for (const {event} of decoder.push(chunk)) if (event.type !== 'malformed') count++
      }
      return count + decoder.end().length
    },
  },
  'decodeClaudeStream (for await)': {
    kind: 'vitrine',
    decode: async (chunks) => {
      let count = 0
      for await (const {event} of decodeClaudeStream(chunks)) {
        if (event.type !== 'malformed') count++
      }
      return count
    },
  },
  'createRecordDecoder (push)': {
    kind: 'vitrine',
    decode: (chunks) => {
      const decoder = createRecordDecoder()
      let count = 0
      for (const chunk of chunks) {
        for (const record of decoder.push(chunk)) if (record.type === 'json') count++
      }
      return count + decoder.end().length
    },
  },
  'readline + JSON.parse': {
    kind: 'peer',
    decode: async (chunks) => {
      let count = 0
      const lines = createInterface({input: Readable.from(chunks), crlfDelay: Infinity})
      for await (const line of lines) count += tryParse(line)
      return count
    },
  },
  'split2 + JSON.parse': {
    kind: 'peer',
    decode: async (chunks) => {
      let count = 0
      for await (const line of Readable.from(chunks).pipe(split2())) count += tryParse(line)
      return count
    },
  },
  ndjson: {
    kind: 'peer',
    decode: (chunks) => countItems(Readable.from(chunks).pipe(ndjson.parse({strict: false}))),
  },
  'stream-json (jsonl)': {
    kind: 'peer',
    decode: (chunks) =>
      countItems(Readable.from(chunks).pipe(jsonl.asStream({ignoreErrors: true}))),
  },
  '@streamparser/json': {
    kind: 'peer',
    decode: (chunks) => {
      let count = 0
      const parser = new JSONParser({paths: ['$'], separator: '\n'})
      parser.onValue = () => void count++
      for (const chunk of chunks) parser.write(chunk)
      return count
    },
  },
}

/** @type {Record<string, {title: string, create: (size: number) => Buffer}>} */
const corpora = {
  captures: {title: 'captures, mostly ASCII', create: createCaptureCorpus},
  unicode: {title: 'unicode, lines of 200 B to 2 MB', create: createUnicodeCorpus},
}

const job = readJob(import.meta.url)
if (job !== undefined) {
  const [corpus = '', contender = '', mebibytes, rounds] = job
  sendResult(await compare(corpus, contender, Number(mebibytes), Number(rounds)))
}

/**
 * @param {{rounds: number, mebibytes: number, onProgress: (step: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchDecode({rounds, mebibytes, onProgress}) {
  /** @type {Row[]} */
  const all = []
  for (const [corpus, {title}] of Object.entries(corpora)) {
    /** @type {Row[]} */
    const rows = []
    for (const [name, {kind}] of Object.entries(contenders)) {
      onProgress(`${corpus}: ${name}`)
      const args = [corpus, name, String(mebibytes), String(rounds)]
      /** @type {Turns & {bytes: number, lines: number}} */
      const {
        own,
        floor: floorMs,
        ratio,
        ratios,
        bytes,
        lines,
      } = await runInOwnProcess(import.meta.url, args)
      const speed = (/** @type {number} */ ms) => (bytes * 1000) / MEBIBYTE / ms
      const size = `${(bytes / MEBIBYTE).toFixed(0)} MiB, ${lines.toLocaleString('en')} lines`
      const group = `decoding ${title}: ${size}`
      rows.push({
        group,
        kind,
        name,
        own: speed(own),
        floor: speed(floorMs),
        unit: 'MiB/s',
        ratio,
        ratios,
      })
    }
    all.push(...compareWithPeers(rows, EVENTS))
  }
  return all
}

/**
 * @param {string} corpusName
 * @param {string} name
 * @param {number} mebibytes
 * @param {number} rounds
 */
async function compare(corpusName, name, mebibytes, rounds) {
  const corpus = corpora[corpusName]?.create(mebibytes * MEBIBYTE) ?? Buffer.alloc(0)
  const chunks = toChunks(corpus)
  const lines = floor(chunks)
  const own = contenders[name]?.decode ?? floor
  const turns = await takeTurns(
    rounds,
    () => time(floor, chunks, lines),
    () => time(own, chunks, lines),
  )
  return {...turns, bytes: corpus.length, lines}
}

/**
 * @param {Decode} decode
 * @param {Buffer[]} chunks
 * @param {number} lines
 */
async function time(decode, chunks, lines) {
  const start = performance.now()
  const count = await decode(chunks)
  const spent = performance.now() - start
  if (count !== lines) throw new Error(`Decoded ${count} of ${lines} lines`)
  return spent
}

/** @type {(chunks: Buffer[]) => number} */
function floor(chunks) {
  let count = 0
  /** @type {Buffer[]} */
  let held = []
  for (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (held.length === 0) count += tryParse(chunk.toString('utf8', start, end))
      else {
        count += tryParse(Buffer.concat([...held, chunk.subarray(start, end)]).toString())
        held = []
      }
      start = end + 1
    }
    if (start < chunk.length) held.push(chunk.subarray(start))
  }
  return count
}

/** @param {AsyncIterable<unknown>} items */
async function countItems(items) {
  let count = 0
  for await (const item of items) if (item !== undefined) count++
  return count
}

/** @type {(line: string) => 0 | 1} */
function tryParse(line) {
  try {
    return JSON.parse(line) === undefined ? 0 : 1
  } catch {
    return 0
  }
}
