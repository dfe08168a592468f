#!/usr/bin/env node
// Exits with EXIT in the middle of a line.

import {init, number, print, says, write} from './lines.js'

print(init(), says('Here it comes.'))
write(JSON.stringify(says('This line has no end.')).slice(0, 100))
process.exit(number('EXIT', 1))
