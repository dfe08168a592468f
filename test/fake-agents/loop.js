#!/usr/bin/env node
// Prints `not yet` until it is called for the Nth time, then `DONE`. COUNT_FILE counts the calls; each costs 10 cents.

import {appendFileSync, readFileSync} from 'node:fs'
import {assistantText, init, number, print, result} from './lines.js'

const file = process.env['COUNT_FILE'] ?? 'count'
appendFileSync(file, '.')
const text = readFileSync(file, 'utf8').length >= number('N', 3) ? 'DONE' : 'not yet'
print(init(), assistantText(text), result(text, {total_cost_usd: 0.1}))
