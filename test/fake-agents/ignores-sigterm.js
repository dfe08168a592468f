#!/usr/bin/env node
// Does not go when it is asked to: only force helps.

import {hang, init, print, says, sleep} from './lines.js'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
print(init(), says('Here I stay.'))
await sleep(0)
hang()
