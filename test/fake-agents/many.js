#!/usr/bin/env node
// Prints COUNT records at RATE per second, then a result.

import {setTimeout} from 'node:timers/promises'
import {assistantText, init, print, result, toolResult, toolUse} from './lines.js'

const count = Number(process.env['COUNT'] ?? 100)
const rate = Number(process.env['RATE'] ?? 1000)
const start = Date.now()

print(init())
for (let printed = 0; printed < count; printed++) {
  const aheadMs = (printed / rate) * 1000 - (Date.now() - start)
  if (aheadMs > 5) await setTimeout(aheadMs)
  if (printed % 3 === 0) print(assistantText(`Thing ${printed}.`))
  else if (printed % 3 === 1)
    print(toolUse(`toolu_${printed}`, 'Bash', {command: `echo ${printed}`}))
  else print(toolResult(`toolu_${printed - 1}`, `${printed}\n`))
}
print(result('Done.'))
