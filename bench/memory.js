// Memory over long streams: 1 GiB in lines of 1 MiB, and 2 GiB that are one line. Each in a process
// of its own; prints how far its resident memory rose above what it was before the first byte.
//
//   npm run bench

import {fork} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {createClaudeDecoder} from '../dist/agents/claude/index.js'

const MEBIBYTE = 1024 * 1024
const CHUNK = 64 * 1024

/** @type {Record<string, {title: string, mebibytes: number, line: number}>} */
const streams = {
  lines: {title: '1 GiB in lines of 1 MiB', mebibytes: 1024, line: MEBIBYTE},
  line: {title: '2 GiB in one line', mebibytes: 2048, line: Infinity},
}

const stream = streams[process.argv[2] ?? '']
if (stream === undefined) {
  console.log('\nmemory: how far resident memory rises')
  for (const name of Object.keys(streams)) await inOwnProcess(name)
} else {
  const {records, growth} = measure(stream.mebibytes, stream.line)
  console.log(`${stream.title.padEnd(30)}${records} records, +${growth.toFixed(0)} MiB`)
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
function measure(mebibytes, lineLength) {
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
