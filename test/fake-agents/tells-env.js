#!/usr/bin/env node
// Says with which arguments, where and with which environment it was started.

import {init, print, result, says} from './lines.js'

const facts = {
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env: Object.keys(process.env),
  values: Object.values(process.env),
}
print(init(), says(JSON.stringify(facts)), result('Told.'))
