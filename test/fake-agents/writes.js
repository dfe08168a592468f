#!/usr/bin/env node
// Writes a file, and changes one behind everybody's back.

import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {calls, init, print, result, returns, says} from './lines.js'

const path = join(process.cwd(), 'told.txt')

print({...init(), cwd: process.cwd()}, says('Writing.'))
// The watcher is not in a hurry.
await setTimeout(500)
print(calls('toolu_1', 'Write', {file_path: path, content: 'told\n'}))
writeFileSync(path, 'told\n')
print({
  ...returns('toolu_1', `File created successfully at: ${path}`),
  tool_use_result: {type: 'create', filePath: path, content: 'told\n', structuredPatch: []},
})
writeFileSync(join(process.cwd(), 'untold.txt'), 'not told\n')
await setTimeout(300)
print(result('Written.'))
