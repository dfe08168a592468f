#!/usr/bin/env node
// Prints LINES messages, one every MS, each longer than the one before by GROW characters, then its result. The size
// of PACE_FILE in bytes, where given, is how many it may have printed: a test decides how fast it goes.

import {statSync} from 'node:fs'
import {init, number, print, result, says, sleep} from './lines.js'

print(init())
for (let line = 1; line <= number('LINES', 50); line++) {
  do await sleep(number('MS', 20))
  while (line > allowed())
  print(says(`This is line ${line}. ${'x'.repeat(line * number('GROW', 37))}`))
}
print(result('All said.'))

function allowed() {
  const file = process.env['PACE_FILE']
  return file === undefined ? Infinity : statSync(file).size
}
