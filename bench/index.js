// Compares Vitrine with its peers and with a baseline (floor), in one table.
//
//   npm run bench                     three to four minutes on 2 cores
//   npm run bench -- --quick          smaller inputs, fewer rounds
//   npm run bench -- --only decode    one benchmark: decode, format, startup, view, memory or fanout; can be repeated
//   npm run bench -- --rounds 20
//   npm run bench -- --json           as JSON, with the ratio of every round

import {parseArgs} from 'node:util'
import {benchDecode} from './decode.js'
import {benchFormat} from './format.js'
import {benchFanout} from './hub-fanout.js'
import {benchMemory} from './memory.js'
import {benchStartup} from './startup.js'
import {describeMachine, formatGroup, formatHeader, formatMachine} from './table.js'
import {benchView} from './view.js'

/** @import {Row} from './table.js' */

const NOTES = `
Ratios compare time or memory with the floor of the same row: less is better. Each row alternates with its floor, in its own
process; the ratio is the median over the rounds. "vitrine / peer" is the ratio of Vitrine (createEventDecoder, the formatter
without colours, the command of the group) divided by that of the peer. Peers produce parsed values, Vitrine events. No package
formats these events, so JSON.stringify is the peer of the formatter.
Benchmarks that take minutes are separate: node bench/run.js, node bench/hub.js load | late | startup, node bench/store.js,
node bench/watch.js, node bench/runs.js, node bench/history.js, node bench/dashboard.js, node bench/masking.js, npm run soak.
`

const {values} = parseArgs({
  options: {
    quick: {type: 'boolean', default: false},
    only: {type: 'string', multiple: true},
    rounds: {type: 'string'},
    json: {type: 'boolean', default: false},
  },
})
const {quick} = values
const toRounds = (/** @type {number} */ standard) => Number(values.rounds ?? (quick ? 3 : standard))

/** @type {Record<string, (onProgress: (step: string) => void) => Promise<Row[]>>} */
const benches = {
  decode: (onProgress) => benchDecode({rounds: toRounds(7), mebibytes: quick ? 8 : 16, onProgress}),
  format: (onProgress) => benchFormat({rounds: toRounds(9), repeats: quick ? 5 : 30, onProgress}),
  startup: (onProgress) => benchStartup({rounds: toRounds(15), onProgress}),
  view: (onProgress) => benchView({rounds: toRounds(5), megabytes: quick ? 25 : 100, onProgress}),
  memory: (onProgress) => benchMemory({part: quick ? 0.25 : 1, onProgress}),
  fanout: (onProgress) =>
    benchFanout({rounds: toRounds(3), messages: quick ? 2000 : 6000, clients: 50, onProgress}),
}

const chosen = values.only ?? Object.keys(benches)
const unknown = chosen.find((name) => benches[name] === undefined)
if (unknown !== undefined) {
  console.error(`Unknown benchmark ${unknown}: expected ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

const machine = describeMachine()
const startedAt = performance.now()
if (!values.json) process.stdout.write(`${formatMachine(machine)}\n${formatHeader()}`)
/** @type {Row[]} */
const rows = []
for (const [name, bench] of Object.entries(benches)) {
  if (!chosen.includes(name)) continue
  const results = await bench((step) => printProgress(`${name}: ${step}`))
  printProgress('')
  rows.push(...results)
  if (!values.json) printGroups(results)
}
const seconds = Math.round((performance.now() - startedAt) / 1000)
const {load} = describeMachine()
if (values.json)
  console.log(JSON.stringify({...machine, quick, seconds, loadAtEnd: load, rows}, null, 1))
else process.stdout.write(`\nload at the end ${load.join(' ')}, after ${seconds} s\n${NOTES}`)

/** @param {Row[]} results */
function printGroups(results) {
  for (const group of new Set(results.map((row) => row.group))) {
    process.stdout.write(formatGroup(results.filter((row) => row.group === group)))
  }
}

/** @param {string} text */
function printProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u{1b}[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
