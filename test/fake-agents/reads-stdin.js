#!/usr/bin/env node
// Reads stdin to its end and prints it.

import {readFileSync} from 'node:fs'
import {assistantText, init, print, result} from './lines.js'

const text = `stdin: ${JSON.stringify(readFileSync(0, 'utf8'))}`
print(init(), assistantText(text), result(text))
