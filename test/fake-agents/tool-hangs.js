#!/usr/bin/env node
// Calls a tool that never returns.

import {hang, init, print, toolUse} from './lines.js'

print(init(), toolUse('toolu_1', 'Bash', {command: 'sleep 1000', description: 'Sleep'}))
hang()
