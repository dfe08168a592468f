#!/usr/bin/env node
// Prints a result and never exits.

import {assistantText, hang, init, print, result} from './lines.js'

print(init(), assistantText('Done.'), result('Done.'))
hang()
