#!/usr/bin/env node
// Runs HOOK in a shell after its last turn, as for a SessionEnd hook, without reporting it.

import {spawn} from 'node:child_process'
import {assistantText, init, print, result} from './lines.js'

print(init(), assistantText('Done.'), result('Done.'))
spawn('/bin/sh', ['-c', process.env['HOOK'] ?? 'true'], {detached: true, stdio: 'ignore'})
