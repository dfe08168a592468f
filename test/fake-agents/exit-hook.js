#!/usr/bin/env node
// After its last turn it has a shell run HOOK, as for a hook at the end of a session, and does not say so.

import {spawn} from 'node:child_process'
import {init, print, result, says} from './lines.js'

print(init(), says('Done.'), result('Done.'))
spawn('/bin/sh', ['-c', process.env['HOOK'] ?? 'true'], {detached: true, stdio: 'ignore'})
