#!/usr/bin/env node
// Closes stdout in the middle of its work, goes on for MS and exits with 0. Has a result before when RESULT is set.

import {closeSync} from 'node:fs'
import {init, number, print, result, says, sleep} from './lines.js'

print(init(), says('You will not hear from me again.'))
if (process.env['RESULT'] !== undefined) print(result('Done.'))
closeSync(1)
await sleep(number('MS', 300))
process.exit(0)
