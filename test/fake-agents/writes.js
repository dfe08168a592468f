#!/usr/bin/env node
// Writes one file and reports it, and another one without reporting it.

import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {assistantText, init, print, result, toolResult, toolUse} from './lines.js'

const path = join(process.cwd(), 'reported.txt')

print({...init(), cwd: process.cwd()}, assistantText('Writing.'))
// The watcher needs time to start.
await setTimeout(500)
print(toolUse('toolu_1', 'Write', {file_path: path, content: 'reported\n'}))
writeFileSync(path, 'reported\n')
print({
  ...toolResult('toolu_1', `File created successfully at: ${path}`),
  tool_use_result: {type: 'create', filePath: path, content: 'reported\n', structuredPatch: []},
})
writeFileSync(join(process.cwd(), 'unreported.txt'), 'not reported\n')
await setTimeout(300)
print(result('Written.'))
