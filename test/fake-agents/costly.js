#!/usr/bin/env node
// RESULTS turns, one every MS, and each makes the total 10 cents higher.

import {init, number, print, result, says, sleep} from './lines.js'

const results = number('RESULTS', 5)
for (let turn = 1; turn <= results; turn++) {
  print(init(), says(`Turn ${turn}.`), result(`Turn ${turn}.`, {total_cost_usd: turn / 10}))
  await sleep(number('MS', 100))
}
