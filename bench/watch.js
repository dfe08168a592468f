// The file watcher on a large folder: time until it is ready, and how long it blocks the event loop meanwhile.
//
//   node bench/watch.js

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {watchFiles} from '../dist/runner/watch-files.js'
import {countWatches} from '../test/support/process-stats.js'

const FOLDERS = 500
const FILES_EACH = 40
const ROUNDS = 5

const root = mkdtempSync(join(tmpdir(), 'vitrine-watch-'))
for (let folder = 0; folder < FOLDERS; folder++) {
  mkdirSync(join(root, `${folder}`))
  for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(root, `${folder}/${file}`), '')
}
/** @typedef {{took: number, longest: number, watches: number}} Round */

/** @type {Round[]} */
const rounds = []
for (let round = 0; round < ROUNDS; round++) {
  const pauses = monitorEventLoopDelay({resolution: 1})
  pauses.enable()
  const startedAt = performance.now()
  const watcher = watchFiles(root, {onChange: () => {}})
  await watcher.ready
  const took = performance.now() - startedAt
  pauses.disable()
  rounds.push({took, longest: pauses.max / 1e6, watches: countWatches()})
  await watcher.close()
}
rmSync(root, {recursive: true})
const list = (/** @type {(round: Round) => number} */ of) =>
  rounds.map((round) => of(round).toFixed(0)).join(' ')
console.log(`${FOLDERS} folders with ${FOLDERS * FILES_EACH} files, ${ROUNDS} rounds`)
console.log(`ready after, ms                     ${list(({took}) => took)}`)
console.log(`longest pause of the event loop, ms ${list(({longest}) => longest)}`)
console.log(`watches                             ${list(({watches}) => watches)}`)
