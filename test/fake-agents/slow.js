#!/usr/bin/env node
// Says LINES things, one every MS, each longer than the one before by GROW characters, then its result.

import {init, number, print, result, says, sleep} from './lines.js'

print(init())
for (let line = 1; line <= number('LINES', 50); line++) {
  await sleep(number('MS', 20))
  print(says(`This is line ${line}. ${'x'.repeat(line * number('GROW', 37))}`))
}
print(result('All said.'))
