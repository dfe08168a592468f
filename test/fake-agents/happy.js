#!/usr/bin/env node
// Reads a file, prints text and a result, and exits.

import {assistantText, init, print, result, toolResult, toolUse} from './lines.js'

print(
  init(),
  assistantText('Reading.'),
  toolUse('toolu_1', 'Read', {file_path: '/home/dev/project/a.txt'}),
  toolResult('toolu_1', '1\tone\n'),
  assistantText('It says one.'),
  result('It says one.'),
)
