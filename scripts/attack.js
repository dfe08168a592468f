// Attacks a hub on loopback with load and abuse, and checks that it holds. Each case has its own hub with a temporary
// data folder.
//
//   npm run attack
//   npm run attack -- --only unread-watch --only connections
//   npm run attack -- --list

import {existsSync} from 'node:fs'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {cases} from './attack/cases.js'
import {runCase} from './attack/run-case.js'
import {formatHeader, formatRow} from './attack/table.js'

const HELP = `Attack a hub on loopback with load and abuse, and check that it holds.

Usage: npm run attack -- [options]

  --only <case>   run this case; can be repeated
  --list          list the cases
  --bin <file>    the CLI to attack (dist/cli/bin.js)
  --help          print this

Takes about 5 minutes and needs Linux for memory and CPU figures. Exit code 1: at least one case broke.
`

const {values} = parseArgs({
  options: {
    only: {type: 'string', multiple: true},
    list: {type: 'boolean', default: false},
    bin: {type: 'string', default: fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))},
    help: {type: 'boolean', default: false},
  },
})

if (values.help) print(HELP)
else if (values.list) print(cases.map(({name, tried}) => `${name.padEnd(18)}${tried}\n`).join(''))
else await attack()

async function attack() {
  const names = values.only ?? cases.map(({name}) => name)
  const unknown = names.find((name) => !cases.some((known) => known.name === name))
  if (unknown !== undefined) return fail(`Unknown case ${unknown} for --only. See --list.`)
  if (!existsSync(values.bin))
    return fail(`File not found for --bin: ${values.bin}. Run npm run build.`)
  print(formatHeader())
  let brokenCount = 0
  for (const chosen of cases.filter(({name}) => names.includes(name))) {
    const outcome = await runCase(chosen, values.bin)
    print(formatRow(outcome))
    if (outcome.problems.length > 0) brokenCount++
  }
  print(`\n${names.length - brokenCount} of ${names.length} cases held\n`)
  process.exitCode = brokenCount === 0 ? 0 : 1
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text)
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`attack: ${message}\n`)
  process.exitCode = 2
}
