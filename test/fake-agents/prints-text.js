#!/usr/bin/env node
// Prints TEXT, and uses it as the input and the output of a tool.

import {assistantText, init, print, result, toolResult, toolUse} from './lines.js'

const text = process.env['TEXT'] ?? 'Nothing.'

print(
  init(),
  assistantText(text),
  toolUse('toolu_1', 'Bash', {command: `echo '${text}'`, description: text}),
  toolResult('toolu_1', `${text}\n`),
  result(text),
)
