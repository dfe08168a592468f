#!/usr/bin/env node
// Says what it reads from stdin, to its end.

import {readFileSync} from 'node:fs'
import {init, print, result, says} from './lines.js'

const text = `stdin: ${JSON.stringify(readFileSync(0, 'utf8'))}`
print(init(), says(text), result(text))
