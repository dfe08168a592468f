// Memory over long streams: 1 GiB in lines of 1 MiB, 2 GiB that are one line, and 1 GiB of recordings
// of all agents as events. Each in a process of its own; prints how far its resident memory rose above what it
// was before the first byte.
//
//   npm run bench

import {fork} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {createClaudeDecoder} from '../dist/agents/claude/index.js'
import {agents, createEventDecoder} from '../dist/agents/index.js'
import {readRecordings} from './corpus.js'

const MEBIBYTE = 1024 * 1024
const CHUNK = 64 * 1024
const IDS = /"((?:toolu|call|item|msg|ws|prt|ses|task)_|[\da-f]{8}-)/g

/** @type {Record<string, {title: string, measure: () => {records: number, growth: number}}>} */
const streams = {
  lines: {title: '1 GiB in lines of 1 MiB', measure: () => measureLines(1024, MEBIBYTE)},
  line: {title: '2 GiB in one line', measure: () => measureLines(2048, Infinity)},
  events: {title: '1 GiB of all agents, as events', measure: () => measureEvents(1024)},
}

const stream = streams[process.argv[2] ?? '']
if (stream === undefined) {
  console.log('\nmemory: how far resident memory rises')
  for (const name of Object.keys(streams)) await inOwnProcess(name)
} else {
  const {records, growth} = stream.measure()
  console.log(`${stream.title.padEnd(34)}${records} records, +${growth.toFixed(0)} MiB`)
}

/** @param {string} name */
function inOwnProcess(name) {
  const child = fork(fileURLToPath(import.meta.url), [name])
  return new Promise((resolve) => child.once('exit', resolve))
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
