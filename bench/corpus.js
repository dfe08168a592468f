// Input of the benchmarks: real captures, and text that is expensive to decode.

import {readFileSync} from 'node:fs'
import {createRandom} from '../scripts/fuzz/random.js'
import {listFixtureFiles} from '../test/support/fixture-files.js'

const MEBIBYTE = 1024 * 1024
/** Ids that have to differ when a capture is repeated in one stream. */
const IDS = /"((?:toolu|call|item|msg|ws|prt|ses|task)_|[\da-f]{8}-)/g

/** The captures of Claude, repeated: mostly ASCII, lines of 85 bytes to 170 KB. */
export function createCaptureCorpus(size = 32 * MEBIBYTE) {
  const once = Buffer.from(listCaptures('claude').join(''))
  return Buffer.concat(Array.from({length: Math.ceil(size / once.length)}, () => once))
}

/**
 * The captures of an agent that are not empty, each with complete lines.
 *
 * @param {string} agent
 */
export function listCaptures(agent) {
  return (
    listFixtureFiles(agent)
      .map(({path}) => readFileSync(path, 'utf8'))
      .filter((text) => text !== '')
      // A run that was killed may end in the middle of a line.
      .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
  )
}

/**
 * A capture with other ids, so that it can be repeated in one stream.
 *
 * @param {string} capture
 * @param {string} prefix Makes the ids unique.
 */
export function renameIds(capture, prefix) {
  return capture.replaceAll(IDS, `"$1${prefix}`)
}

/** Messages in many scripts; the lengths of lines are spread evenly over the magnitudes from 200 bytes to 2 MB. */
export function createUnicodeCorpus(size = 32 * MEBIBYTE) {
  const random = createRandom(7).next
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
 * Splits like a pipe.
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
