#!/usr/bin/env node
// Exits with EXIT in the middle of a line.

import {assistantText, init, number, print, write} from './lines.js'

print(init(), assistantText('Here it comes.'))
write(JSON.stringify(assistantText('This line has no end.')).slice(0, 100))
process.exit(number('EXIT', 1))
