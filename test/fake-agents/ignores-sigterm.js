#!/usr/bin/env node
// Ignores SIGINT, SIGTERM and SIGHUP: only SIGKILL ends it.

import {assistantText, hang, init, print, sleep} from './lines.js'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
print(init(), assistantText('Here I stay.'))
await sleep(0)
hang()
