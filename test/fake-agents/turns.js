#!/usr/bin/env node
// Calls a tool TURNS times, one every MS, then its result.

import {calls, init, number, print, result, returns, sleep} from './lines.js'

const turns = number('TURNS', 10)
print(init())
for (let turn = 1; turn <= turns; turn++) {
  print(calls(`toolu_${turn}`, 'Bash', {command: `echo ${turn}`}), returns(`toolu_${turn}`, 'ok'))
  await sleep(number('MS', 100))
}
print(result('Done.', {num_turns: turns}))
