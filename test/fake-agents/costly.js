#!/usr/bin/env node
// Prints RESULTS turns, one every MS. Each adds 10 cents to the total cost.

import {assistantText, init, number, print, result, sleep} from './lines.js'

const results = number('RESULTS', 5)
for (let turn = 1; turn <= results; turn++) {
  print(
    init(),
    assistantText(`Turn ${turn}.`),
    result(`Turn ${turn}.`, {total_cost_usd: turn / 10}),
  )
  await sleep(number('MS', 100))
}
