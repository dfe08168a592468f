#!/usr/bin/env node
// Prints every byte value, which is neither JSON nor UTF-8, then a result if RESULT is set.

import {init, print, result, write} from './lines.js'

print(init())
for (let round = 0; round < 40; round++) {
  write(Uint8Array.from({length: 256}, (_, index) => (index * (round * 2 + 1)) % 256))
}
write('\n')
if (process.env['RESULT'] !== undefined) print(result('That was binary.'))
