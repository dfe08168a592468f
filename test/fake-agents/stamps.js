#!/usr/bin/env node
// Says what time it is, by the clock that all processes share: LINES times, one every MS, then its result.

import {init, number, print, result, says, sleep} from './lines.js'

const start = process.hrtime.bigint()
const ms = number('MS', 5)
print(init(), says(`stamp ${start}`))
for (let line = 1; line <= number('LINES', 0); line++) {
  await sleep(Number(start - process.hrtime.bigint()) / 1e6 + line * ms)
  print(says(`stamp ${process.hrtime.bigint()}`))
}
print(result('Stamped.'))
