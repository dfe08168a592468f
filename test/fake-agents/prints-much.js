#!/usr/bin/env node
// Prints BYTES of valid lines as fast as it can, then its result; writes how many ms that took into the file REPORT.

import {writeFileSync} from 'node:fs'
import {init, number, print, result, says, write} from './lines.js'

const bytes = number('BYTES', 200_000_000)
const text = 'glass and light '.repeat(60)
const block = Buffer.from(
  Array.from({length: 800}, () => `${JSON.stringify(says(text))}\n`).join(''),
)
const line = block.subarray(0, block.indexOf(10) + 1)

print(init())
const start = performance.now()
let left = bytes
for (; left > block.length; left -= block.length) write(block)
for (; left > 0; left -= line.length) write(line)
print(result('Much was said.'))
const spent = performance.now() - start
if (process.env['REPORT'] !== undefined) writeFileSync(process.env['REPORT'], String(spent))
