// Makes docs/images/terminal.svg: a film of Vitrine on a terminal, of a story of the demo. Needs a build, and Linux for `script`.
//
//   node scripts/record-terminal.js [story]    behind-glass; dist/demo/recordings has the others
//   node scripts/record-terminal.js --check    whether the picture is one that can be shown anywhere

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {checkSvg} from './terminal/check-svg.js'
import {makeFilm} from './terminal/film.js'
import {drawSvg} from './terminal/svg.js'

/** @import {Story} from '../dist/demo/stories.js' */

const [word = 'behind-glass'] = process.argv.slice(2)
const size = {columns: 100, rows: 28}
const ticksPerSecond = 12
const pauseSeconds = 6
/** How long a story takes, apart from typing and answering. */
const seconds = 14

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const path = fileURLToPath(new URL('../docs/images/terminal.svg', import.meta.url))

if (word !== '--check') await record(word)
const text = readFileSync(path, 'utf8')
const problems = checkSvg(text)
for (const problem of problems) console.error(`${path}: ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

/** @param {string} name */
async function record(name) {
  const recordings = join(dist, 'demo/recordings')
  /** @type {Story[]} */
  const stories = JSON.parse(readFileSync(join(recordings, 'stories.json'), 'utf8'))
  const story = stories.find((one) => one.name === name)
  if (story === undefined) {
    const names = stories.map((one) => one.name).join(' ')
    throw new Error(`${name}: no such story. There are: ${names}`)
  }
  // To look at a picture no build is needed.
  const {captureStory} = await import('./terminal/capture.js')
  const folder = join(recordings, name)
  const pieces = await captureStory(story, {...size, seconds, folder, dist})
  const film = makeFilm(pieces, {...size, ticksPerSecond})
  const svg = drawSvg(film, {
    ...size,
    ticksPerSecond,
    pauseSeconds,
    title: `~/${story.project}`,
    description: `A terminal in which Vitrine runs ${story.agent}: a line for each step, with what came of it and how long it took; below, what goes on now and what it cost so far; at the end the verdict.`,
  })
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, svg)
  const kilobytes = (Buffer.byteLength(svg) / 1000).toFixed(0)
  const playing = (film.end / ticksPerSecond).toFixed(1)
  console.log(`${path}: ${kilobytes} kB, ${playing} s and ${pauseSeconds} s at the end`)
}
