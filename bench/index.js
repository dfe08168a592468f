// One table: what Vitrine takes, beside its peers and beside the least that could do the same.
//
//   npm run bench                     three to four minutes on 2 cores
//   npm run bench -- --quick          smaller, fewer rounds
//   npm run bench -- --only decode    or format, startup, view, memory, fanout; may be given more than once
//   npm run bench -- --rounds 20
//   npm run bench -- --json           for programs, with the ratios of every round

import {parseArgs} from 'node:util'
import {benchDecode} from './decode.js'
import {benchFormat} from './format.js'
import {benchFanout} from './hub-fanout.js'
import {benchMemory} from './memory.js'
import {benchStartup} from './startup.js'
import {describePlace, formatGroup, formatHead, formatPlace} from './table.js'
import {benchView} from './view.js'

/** @import {Row} from './table.js' */

const NOTES = `
Ratios are of time or memory, to the floor of the same line: less is better. Each takes turns with its floor, in processes of
their own; a ratio is the median over the rounds. "vitrine / peer" is what Vitrine takes (createEventDecoder, the formatter as
into a file, the command of the group) as a multiple of what the peer takes, by their ratios. Peers give parsed values, Vitrine
events. No package formats these events: JSON.stringify is what one would print instead.
On their own, since they take minutes: node bench/run.js, node bench/hub.js load | late | startup, node bench/store.js, node bench/watch.js, node bench/runs.js,
node bench/dashboard.js, node bench/masking.js, npm run soak.
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
const roundsOr = (/** @type {number} */ usual) => Number(values.rounds ?? (quick ? 3 : usual))

/** @type {Record<string, (progress: (what: string) => void) => Promise<Row[]>>} */
const benches = {
  decode: (progress) => benchDecode({rounds: roundsOr(7), mebibytes: quick ? 8 : 16, progress}),
  format: (progress) => benchFormat({rounds: roundsOr(9), repeats: quick ? 5 : 30, progress}),
  startup: (progress) => benchStartup({rounds: roundsOr(15), progress}),
  view: (progress) => benchView({rounds: roundsOr(5), megabytes: quick ? 25 : 100, progress}),
  memory: (progress) => benchMemory({part: quick ? 0.25 : 1, progress}),
  fanout: (progress) =>
    benchFanout({rounds: roundsOr(3), messages: quick ? 2000 : 6000, clients: 50, progress}),
}

const chosen = values.only ?? Object.keys(benches)
const unknown = chosen.find((name) => benches[name] === undefined)
if (unknown !== undefined) {
  console.error(`--only ${unknown}: not one of ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

const place = describePlace()
const startedAt = performance.now()
if (!values.json) process.stdout.write(`${formatPlace(place)}\n${formatHead()}`)
/** @type {Row[]} */
const rows = []
for (const [name, bench] of Object.entries(benches)) {
  if (!chosen.includes(name)) continue
  const found = await bench((what) => showProgress(`${name}: ${what}`))
  showProgress('')
  rows.push(...found)
  if (!values.json) showGroups(found)
}
const seconds = Math.round((performance.now() - startedAt) / 1000)
const {load} = describePlace()
if (values.json)
  console.log(JSON.stringify({...place, quick, seconds, loadAtEnd: load, rows}, null, 1))
else process.stdout.write(`\nload at the end ${load.join(' ')}, after ${seconds} s\n${NOTES}`)

/** @param {Row[]} found */
function showGroups(found) {
  for (const group of new Set(found.map((row) => row.group))) {
    process.stdout.write(formatGroup(found.filter((row) => row.group === group)))
  }
}

/** @param {string} text */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u{1b}[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
