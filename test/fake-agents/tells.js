#!/usr/bin/env node
// Says what SAY says, and gives it to a tool and back.

import {calls, init, print, result, returns, says} from './lines.js'

const text = process.env['SAY'] ?? 'Nothing.'

print(
  init(),
  says(text),
  calls('toolu_1', 'Bash', {command: `echo '${text}'`, description: text}),
  returns('toolu_1', `${text}\n`),
  result(text),
)
