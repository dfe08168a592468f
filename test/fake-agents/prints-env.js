#!/usr/bin/env node
// Prints its arguments, working directory and environment.

import {assistantText, init, print, result} from './lines.js'

const facts = {
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env: Object.keys(process.env),
  values: Object.values(process.env),
}
print(init(), assistantText(JSON.stringify(facts)), result('Done.'))
