// How long it takes until a large folder is watched, and how long the event loop is kept from other work meanwhile.
//
//   node bench/watch.js

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {watchFiles} from '../dist/runner/watch-files.js'

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
  const begun = performance.now()
  const watcher = watchFiles(root, {onChange: () => {}})
  await watcher.ready
  const took = performance.now() - begun
  pauses.disable()
  rounds.push({took, longest: pauses.max / 1e6, watches: countWatches()})
  await watcher.close()
}
rmSync(root, {recursive: true})
const list = (/** @type {(round: Round) => number} */ of) =>
  rounds.map((round) => of(round).toFixed(0)).join(' ')
console.log(`${FOLDERS} folders with ${FOLDERS * FILES_EACH} files, ${ROUNDS} rounds`)
console.log(`watched after, ms                   ${list(({took}) => took)}`)
console.log(`longest pause of the event loop, ms ${list(({longest}) => longest)}`)
console.log(`watches                             ${list(({watches}) => watches)}`)

/** As the system counts them; none where it does not tell. */
function countWatches() {
  if (!existsSync('/proc/self/fdinfo')) return 0
  return readdirSync('/proc/self/fdinfo').reduce((sum, name) => sum + countIn(name), 0)
}

/** @param {string} name */
function countIn(name) {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    return info.match(/^inotify /gm)?.length ?? 0
  } catch {
    // It was only open for the list.
    return 0
  }
}
