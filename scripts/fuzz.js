// Fuzzes all code that reads input from agents, clients, runners and recordings, guided by coverage.
//
//   npm run fuzz                                 all targets, ten minutes of CPU time
//   npm run fuzz -- --target agents --minutes 2
//   npm run fuzz -- --seed 7                     other inputs, reproducible
//   npm run fuzz -- --keep                       saves inputs that reach new code in test/fuzz-seeds
//   npm run fuzz -- --replay FILE                checks one file of test/fuzz-seeds

import {basename, dirname} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import {readFileSync} from 'node:fs'
import {checkInput, runCampaign} from './fuzz/campaign.js'
import {startCoverage} from './fuzz/coverage.js'
import {targets} from './fuzz/targets.js'
import {startWatchdog} from './fuzz/watchdog.js'

const {values} = parseArgs({
  options: {
    target: {type: 'string', multiple: true},
    minutes: {type: 'string', default: '10'},
    seed: {type: 'string', default: '1'},
    keep: {type: 'boolean', default: false},
    replay: {type: 'string'},
  },
})

let printedAt = 0
if (values.replay === undefined) await fuzz()
else await replay(values.replay)
process.exit()

async function fuzz() {
  const wanted = values.target ?? targets.map(({name}) => name)
  const chosen = targets.filter(({name}) => wanted.includes(name))
  if (chosen.length === 0)
    fail(
      `unknown target ${wanted.join(', ')}: expected ${targets.map(({name}) => name).join(', ')}`,
    )
  const shares = chosen.reduce((sum, {share}) => sum + share, 0)
  const rows = []
  const watchdog = startWatchdog()
  for (const target of chosen) {
    const coverage = startCoverage(new URL('../dist/', import.meta.url).href)
    const outcome = await runCampaign({
      target,
      cpuSeconds: (Number(values.minutes) * 60 * target.share) / shares,
      seed: Number(values.seed),
      coverage,
      watchdog,
      savesInputs: values.keep,
      onProgress: (inputs, seconds, found) => printProgress(target.name, inputs, seconds, found),
    })
    coverage.close()
    rows.push({target: target.name, ...outcome})
  }
  await watchdog.close()
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  for (const {target, inputs, cpuSeconds, corpus, reach, findings} of rows) {
    const facts = [
      target.padEnd(12),
      `${inputs} inputs`.padStart(16),
      `${cpuSeconds.toFixed(1)} s CPU`.padStart(13),
    ]
    const more = [`${corpus} kept`.padStart(10), `+${reach} characters`.padStart(18)]
    print([...facts, ...more, `${findings.length} findings`.padStart(12)].join(''))
  }
  const total = rows.reduce((sum, {cpuSeconds}) => sum + cpuSeconds, 0)
  print(`${(total / 60).toFixed(1)} minutes of CPU time, seed ${values.seed}`)
  for (const {message, file} of rows.flatMap(({findings}) => findings)) {
    process.exitCode = 1
    print(`\n${message}\n  reproduce: node scripts/fuzz.js --replay ${file}`)
  }
}

/** @param {string} file */
async function replay(file) {
  const target = targets.find(({name}) => name === basename(dirname(file)))
  if (target === undefined) return fail(`${file} is not in the folder of a target`)
  const label = basename(file).replace(/-[^-]*$/, '')
  await target.open?.()
  const message = await checkInput(target, {label, bytes: readFileSync(file)})
  await target.close?.()
  if (message !== undefined) fail(message)
  print('no finding')
}

/**
 * @param {string} name
 * @param {number} inputs
 * @param {number} cpuSeconds
 * @param {number} found
 */
function printProgress(name, inputs, cpuSeconds, found) {
  const {isTTY} = process.stderr
  if (performance.now() - printedAt < (isTTY ? 500 : 15_000)) return
  printedAt = performance.now()
  const facts = `${name}: ${inputs} inputs, ${cpuSeconds.toFixed(0)} s, ${found} findings`
  process.stderr.write(isTTY ? `\r\u001b[K${facts}` : `${facts}\n`)
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`fuzz: ${message}\n`)
  process.exit(1)
}
