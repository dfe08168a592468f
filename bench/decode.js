// Decoding throughput: Vitrine and its peers, each taking turns with the floor. The machine may be busy, so what counts
// is the ratio to the floor, taken in each round and then the median.
//
//   npm run bench              both corpora
//   npm run bench -- --rounds 20

import {fork} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {Readable} from 'node:stream'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {JSONParser} from '@streamparser/json'
import split2 from 'split2'
import {createClaudeDecoder, decodeClaudeStream} from '../dist/agents/claude/index.js'
import {createEventDecoder} from '../dist/agents/index.js'
import {createRecordDecoder} from '../dist/core/index.js'
import {captureCorpus, toChunks, unicodeCorpus} from './corpus.js'

/** @typedef {(chunks: Buffer[]) => number | Promise<number>} Contender counts the lines that are JSON */

/** @type {Record<string, Contender>} */
const contenders = {
  'floor: indexOf + toString + JSON.parse': floor,
  'vitrine createClaudeDecoder (push)': (chunks) => {
    const decoder = createClaudeDecoder()
    let count = 0
    for (const chunk of chunks) {
      for (const {event} of decoder.push(chunk)) if (event.type !== 'malformed') count++
    }
    return count + decoder.end().length
  },
  'vitrine decodeClaudeStream (for await)': async (chunks) => {
    let count = 0
    for await (const {event} of decodeClaudeStream(chunks)) {
      if (event.type !== 'malformed') count++
    }
    return count
  },
  'vitrine createEventDecoder (push)': (chunks) => {
    const decoder = createEventDecoder('claude')
    if (decoder === null) throw new Error('claude is not known')
    let malformed = 0
    for (const chunk of chunks) {
      for (const event of decoder.push(chunk)) if (event.type === 'malformed') malformed++
    }
    return decoder.lineCount - malformed
  },
  'vitrine createRecordDecoder (push)': (chunks) => {
    const decoder = createRecordDecoder()
    let count = 0
    for (const chunk of chunks) {
      for (const record of decoder.push(chunk)) if (record.type === 'json') count++
    }
    return count + decoder.end().length
  },
  'readline + JSON.parse': async (chunks) => {
    let count = 0
    const lines = createInterface({input: Readable.from(chunks), crlfDelay: Infinity})
    for await (const line of lines) count += tryParse(line)
    return count
  },
  'split2 + JSON.parse': async (chunks) => {
    let count = 0
    for await (const line of Readable.from(chunks).pipe(split2())) count += tryParse(line)
    return count
  },
  '@streamparser/json': (chunks) => {
    let count = 0
    const parser = new JSONParser({paths: ['$'], separator: '\n'})
    parser.onValue = () => void count++
    for (const chunk of chunks) parser.write(chunk)
    return count
  },
}

/** @type {Record<string, {title: string, read: () => Buffer}>} */
const corpora = {
  captures: {title: 'captures, mostly ASCII', read: captureCorpus},
  unicode: {title: 'unicode, lines of 200 B to 2 MB', read: unicodeCorpus},
}

const {values, positionals} = parseArgs({
  options: {rounds: {type: 'string', default: '9'}},
  allowPositionals: true,
})
const script = fileURLToPath(import.meta.url)
const rounds = Math.max(5, Number(values.rounds))
const [corpusName, contenderName] = positionals
if (corpusName === undefined || contenderName === undefined) await compareAll()
else await compareOne(corpora[corpusName]?.read() ?? Buffer.alloc(0), contenderName)

/** Each beside the floor in a process of its own: what one leaves to the engine is not another's to pay for. */
async function compareAll() {
  for (const [name, {title, read}] of Object.entries(corpora)) {
    const corpus = read()
    const lines = floor(toChunks(corpus))
    console.log(`\n${title}: ${mebibytes(corpus.length)} MiB, ${lines} lines, ${rounds} rounds`)
    console.log(`${'MiB/s'.padStart(50)}${'time / floor'.padStart(16)}`)
    for (const contender of Object.keys(contenders)) {
      const child = fork(script, ['--rounds', String(rounds), name, contender])
      await once(child, 'exit')
    }
  }
}

/**
 * @param {Buffer} corpus
 * @param {string} name
 */
async function compareOne(corpus, name) {
  const run = contenders[name]
  if (run === undefined) throw new Error(`${name}: no such contender`)
  const chunks = toChunks(corpus)
  const lines = floor(chunks)
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const ratios = []
  for (let round = -1; round < rounds; round++) {
    const floorTime = await time(floor, chunks, lines)
    const ownTime = await time(run, chunks, lines)
    if (round < 0) continue
    times.push(ownTime)
    ratios.push(ownTime / floorTime)
  }
  const speed = mebibytes((corpus.length * 1000) / median(times))
  console.log(name.padEnd(42) + speed.padStart(8) + median(ratios).toFixed(2).padStart(16))
}

/**
 * @param {Contender} run
 * @param {Buffer[]} chunks
 * @param {number} lines
 */
async function time(run, chunks, lines) {
  const start = performance.now()
  const count = await run(chunks)
  const spent = performance.now() - start
  if (count !== lines) throw new Error(`read ${count} of ${lines} lines`)
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

/** @type {(line: string) => 0 | 1} */
function tryParse(line) {
  try {
    return JSON.parse(line) === undefined ? 0 : 1
  } catch {
    return 0
  }
}

/** @type {(numbers: number[]) => number} */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** @type {(bytes: number) => string} */
function mebibytes(bytes) {
  return (bytes / 1024 / 1024).toFixed(0)
}
