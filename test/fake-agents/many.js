#!/usr/bin/env node
// Says COUNT things, RATE of them a second, and is done.

import {setTimeout} from 'node:timers/promises'
import {calls, init, print, result, returns, says} from './lines.js'

const count = Number(process.env['COUNT'] ?? 100)
const rate = Number(process.env['RATE'] ?? 1000)
const start = Date.now()

print(init())
for (let said = 0; said < count; said++) {
  // Ahead of its time it waits.
  const aheadMs = (said / rate) * 1000 - (Date.now() - start)
  if (aheadMs > 5) await setTimeout(aheadMs)
  if (said % 3 === 0) print(says(`Thing ${said}.`))
  else if (said % 3 === 1) print(calls(`toolu_${said}`, 'Bash', {command: `echo ${said}`}))
  else print(returns(`toolu_${said - 1}`, `${said}\n`))
}
print(result('All said.'))
