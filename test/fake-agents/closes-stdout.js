#!/usr/bin/env node
// Closes stdout, continues for MS and exits with 0. Prints a result first if RESULT is set.

import {closeSync} from 'node:fs'
import {assistantText, init, number, print, result, sleep} from './lines.js'

print(init(), assistantText('This is my last line.'))
if (process.env['RESULT'] !== undefined) print(result('Done.'))
closeSync(1)
await sleep(number('MS', 300))
process.exit(0)
