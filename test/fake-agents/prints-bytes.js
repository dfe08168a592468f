#!/usr/bin/env node
// Prints BYTES of valid lines as fast as possible, then a result. Writes the duration in ms to the file REPORT.

import {writeFileSync} from 'node:fs'
import {assistantText, init, number, print, result, write} from './lines.js'

const bytes = number('BYTES', 200_000_000)
const text = 'glass and light '.repeat(60)
const block = Buffer.from(
  Array.from({length: 800}, () => `${JSON.stringify(assistantText(text))}\n`).join(''),
)
const line = block.subarray(0, block.indexOf(10) + 1)

print(init())
const start = performance.now()
let left = bytes
for (; left > block.length; left -= block.length) write(block)
for (; left > 0; left -= line.length) write(line)
print(result('Done.'))
const spent = performance.now() - start
if (process.env['REPORT'] !== undefined) writeFileSync(process.env['REPORT'], String(spent))
