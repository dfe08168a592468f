#!/usr/bin/env node
// Calls a tool TURNS times, one every MS, then prints a result.

import {init, number, print, result, sleep, toolResult, toolUse} from './lines.js'

const turns = number('TURNS', 10)
print(init())
for (let turn = 1; turn <= turns; turn++) {
  print(
    toolUse(`toolu_${turn}`, 'Bash', {command: `echo ${turn}`}),
    toolResult(`toolu_${turn}`, 'ok'),
  )
  await sleep(number('MS', 100))
}
print(result('Done.', {num_turns: turns}))
