#!/usr/bin/env node
// Says LINES things, one every MS, then its result.

import {init, number, print, result, says, sleep} from './lines.js'

print(init())
for (let line = 1; line <= number('LINES', 50); line++) {
  await sleep(number('MS', 20))
  print(says(`This is line ${line}. ${'x'.repeat(line * 37)}`))
}
print(result('All said.'))
