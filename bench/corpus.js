// What the benchmarks read: real captures, and text that is hard on decoders.

import {readdirSync, readFileSync} from 'node:fs'

const MEBIBYTE = 1024 * 1024

/** Every capture of Claude's, again and again: mostly ASCII, lines of 85 bytes to 170 KB. */
export function captureCorpus(size = 32 * MEBIBYTE) {
  const once = readRecordings('claude')
  return Buffer.concat(Array.from({length: Math.ceil(size / once.length)}, () => once))
}

/**
 * Every recording of an agent, one after the other.
 *
 * @param {string} agent
 */
export function readRecordings(agent) {
  const folder = new URL(`../src/agents/${agent}/fixtures/`, import.meta.url)
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.stdin.jsonl'))
    .toSorted()
  const recordings = files.map((name) => readFileSync(new URL(name, folder)))
  // A run that was killed may end in the middle of a line.
  const newline = Buffer.from('\n')
  return Buffer.concat(
    recordings.flatMap((bytes) =>
      bytes.length === 0 || bytes.at(-1) === 10 ? [bytes] : [bytes, newline],
    ),
  )
}

/** Messages in many scripts, lines of 200 bytes to 2 MB, sizes spread evenly over the magnitudes. */
export function unicodeCorpus(size = 32 * MEBIBYTE) {
  const random = createRandom(7)
  const words =
    '玻璃柜 стекло ガラス زجاج γυαλί naïve café 🚀✨ vitrine “glass” 유리 ok the of'.split(' ')
  const lines = []
  for (let total = 0; total < size;) {
    const target = 200 * 10 ** (random() * 4)
    const text = []
    for (let length = 180; length < target;) {
      const word = words[Math.floor(random() * words.length)] ?? ''
      text.push(word)
      length += Buffer.byteLength(word) + 1
    }
    const line = Buffer.from(
      `${JSON.stringify({
        type: 'assistant',
        message: {id: 'msg_01', role: 'assistant', content: [{type: 'text', text: text.join(' ')}]},
        parent_tool_use_id: null,
        session_id: '553ae701-5294-4cdc-bbbd-f58e92a5766b',
        uuid: '12757091-5294-4cdc-bbbd-f58e92a5766b',
      })}\n`,
    )
    lines.push(line)
    total += line.length
  }
  return Buffer.concat(lines)
}

/**
 * Cuts as a pipe does.
 *
 * @param {Buffer} corpus
 */
export function toChunks(corpus, size = 64 * 1024) {
  const chunks = []
  for (let start = 0; start < corpus.length; start += size) {
    chunks.push(corpus.subarray(start, start + size))
  }
  return chunks
}

/**
 * The same numbers on every run (mulberry32).
 *
 * @param {number} seed
 */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
