#!/usr/bin/env node
// Compacts its conversation for MS after its first turn, as Claude does for `/compact` in a second message on stdin.

import {assistantText, init, number, print, result, sleep, system} from './lines.js'

print(init(), assistantText('One.'), result('One.'), system('status', {status: 'compacting'}))
await sleep(number('MS', 1500))
print(
  system('status', {status: null, compact_result: 'success'}),
  init(),
  system('compact_boundary', {compact_metadata: {trigger: 'manual', pre_tokens: 9}}),
  result('', {num_turns: 0}),
)
