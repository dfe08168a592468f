#!/usr/bin/env node
// Calls a tool that never returns.

import {calls, hang, init, print} from './lines.js'

print(init(), calls('toolu_1', 'Bash', {command: 'sleep 1000', description: 'Sleep'}))
hang()
