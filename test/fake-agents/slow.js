#!/usr/bin/env node
// Prints LINES messages, one every MS, each GROW characters longer than the previous one, then a result. If PACE_FILE is
// set, its size in bytes limits the number of printed messages, so that a test can set the pace.

import {statSync} from 'node:fs'
import {assistantText, init, number, print, result, sleep} from './lines.js'

print(init())
for (let line = 1; line <= number('LINES', 50); line++) {
  do await sleep(number('MS', 20))
  while (line > readMaxLines())
  print(assistantText(`This is line ${line}. ${'x'.repeat(line * number('GROW', 37))}`))
}
print(result('Done.'))

function readMaxLines() {
  const file = process.env['PACE_FILE']
  return file === undefined ? Infinity : statSync(file).size
}
