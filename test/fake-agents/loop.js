#!/usr/bin/env node
// Says `not yet` until it is called for the Nth time, then `DONE`; the file COUNT_FILE counts. Each call costs 10 cents.

import {appendFileSync, readFileSync} from 'node:fs'
import {init, number, print, result, says} from './lines.js'

const file = process.env['COUNT_FILE'] ?? 'count'
appendFileSync(file, '.')
const text = readFileSync(file, 'utf8').length >= number('N', 3) ? 'DONE' : 'not yet'
print(init(), says(text), result(text, {total_cost_usd: 0.1}))
