// `vitrine runs` for many runs: time and memory, compared with a Node program that lists the same folder and reads the
// size of each record.
//
//   node bench/runs.js

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createRunRecord} from '../test/support/run-record.js'
import {runNode} from './node-process.js'
import {describeMachine, formatMachine} from './table.js'
import {takeTurns} from './turns.js'

const RUNS = 20_000
const ROUNDS = 5
const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-runs-'))
try {
  for (let index = 0; index < RUNS; index++) writeRun(index)
  const runs = JSON.stringify(join(dataDir, 'runs'))
  const floor = `const fs = require('node:fs')
    for (const name of fs.readdirSync(${runs})) fs.statSync(${runs} + '/' + name + '/run.json')
    console.log(1)`
  let peak = 0
  const turns = await takeTurns(
    ROUNDS,
    async () => (await runNode(['-e', floor])).totalMs,
    async () => {
      const {peakMemory, totalMs} = await runNode([bin, 'runs', '--data-dir', dataDir])
      peak = Math.max(peak, peakMemory)
      return totalMs
    },
  )
  process.stdout.write(formatMachine(describeMachine()))
  console.log(`${RUNS} runs: ${turns.own.toFixed(0)} ms, ${peak.toFixed(0)} MiB`)
  console.log(`readdir and stat: ${turns.floor.toFixed(0)} ms; ratio ${turns.ratio.toFixed(2)}`)
} finally {
  rmSync(dataDir, {recursive: true, force: true})
}

/** @param {number} index */
function writeRun(index) {
  const runId = index.toString(16).padStart(5, '0')
  const dir = join(dataDir, 'runs', runId)
  const startedAt = 1_794_900_000_000 + index * 1000
  const prompt = `Fix test number ${index}`
  mkdirSync(dir, {recursive: true})
  const record = createRunRecord(runId, {
    argv: ['claude', '-p', prompt],
    ranArgv: ['claude', '-p', prompt, '--output-format', 'stream-json', '--verbose'],
    prompt,
    startedAt,
    endedAt: startedAt + 5000,
    sizes: {stdout: 0, stderr: 0},
    result: {
      verdict: 'succeeded',
      reason: 'Last turn completed without errors',
      startedAt,
      durationMs: 5000,
      costUsd: 0.0125,
      toolCount: 2,
    },
  })
  writeFileSync(join(dir, 'run.json'), `${JSON.stringify(record, null, 2)}\n`)
}
