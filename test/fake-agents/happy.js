#!/usr/bin/env node
// Reads a file, says so, and is done.

import {calls, init, print, result, returns, says} from './lines.js'

print(
  init(),
  says('Reading.'),
  calls('toolu_1', 'Read', {file_path: '/home/dev/project/a.txt'}),
  returns('toolu_1', '1\tone\n'),
  says('It says one.'),
  result('It says one.'),
)
