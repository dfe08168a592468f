#!/usr/bin/env node
// Prints the time of the monotonic clock, which all processes share, LINES times, one every MS, then a result.

import {assistantText, init, number, print, result, sleep} from './lines.js'

const start = process.hrtime.bigint()
const ms = number('MS', 5)
print(init(), assistantText(`stamp ${start}`))
for (let line = 1; line <= number('LINES', 0); line++) {
  await sleep(Number(start - process.hrtime.bigint()) / 1e6 + line * ms)
  print(assistantText(`stamp ${process.hrtime.bigint()}`))
}
print(result('Stamped.'))
