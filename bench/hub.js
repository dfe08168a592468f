// The hub under load, with real processes and sockets. A missed goal is only printed; lost messages make the exit code 1.
// It takes minutes, so it is not part of `npm run bench`:
//
//   npm run build
//   node bench/hub.js load       200 runs at 50 lines per second, 50 clients that follow 4 runs each, one that stalls;
//                                --ramp 5 increases the rate over 5 seconds
//   node bench/hub.js late       clients that subscribe in the middle of busy runs
//   node bench/hub.js startup    2,500 recordings, first without an index and then with it, and one minute without work
//
// `--hub-node-args="--cpu-prof --cpu-prof-dir=DIR"` passes options to Node for the hub.

import {parseArgs} from 'node:util'
import {benchLate} from './hub-late.js'
import {benchLoad} from './hub-load.js'
import {benchStartup} from './hub-startup.js'

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    seconds: {type: 'string', default: '60'},
    ramp: {type: 'string', default: '0'},
    runs: {type: 'string'},
    rate: {type: 'string', default: '50'},
    clients: {type: 'string'},
    follow: {type: 'string', default: '4'},
    rounds: {type: 'string', default: '5'},
    messages: {type: 'string'},
    megabytes: {type: 'string', default: '400'},
    idle: {type: 'string', default: '60'},
    'hub-node-args': {type: 'string', default: ''},
  },
})
const nodeArgs = values['hub-node-args'].split(' ').filter((word) => word !== '')
const clients = Number(values.clients ?? 50)
const rounds = Number(values.rounds)

/** @type {Record<string, () => Promise<string[]>>} */
const modes = {
  load: () =>
    benchLoad({
      seconds: Number(values.seconds),
      ramp: Number(values.ramp),
      runs: Number(values.runs ?? 200),
      rate: Number(values.rate),
      clients,
      follow: Number(values.follow),
      nodeArgs,
    }),
  late: () =>
    benchLate({
      rounds,
      messages: Number(values.messages ?? 40_000),
      clients: Number(values.clients ?? 10),
      nodeArgs,
    }),
  startup: () =>
    benchStartup({
      runs: Number(values.runs ?? 2500),
      megabytes: Number(values.megabytes),
      idleSeconds: Number(values.idle),
      nodeArgs,
    }),
}

const mode = modes[positionals[0] ?? '']
if (mode === undefined) {
  console.error(`Usage: node bench/hub.js ${Object.keys(modes).join(' | ')}`)
  process.exit(2)
}
const losses = await mode()
for (const loss of losses) console.error(`LOST: ${loss}`)
process.exit(losses.length === 0 ? 0 : 1)
