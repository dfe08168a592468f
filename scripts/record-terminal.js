// Records docs/images/terminal.svg: an animation of Vitrine in a terminal with a story of the demo. Needs a build, and
// `script` of Linux.
//
//   node scripts/record-terminal.js [story]    default: behind-glass; dist/demo/recordings has the other stories
//   node scripts/record-terminal.js --check    checks that the SVG can be shown everywhere

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {checkSvg} from './terminal/check-svg.js'
import {createAnimation} from './terminal/animation.js'
import {drawSvg} from './terminal/svg.js'

/** @import {Story} from '../dist/demo/stories.js' */

const [word = 'behind-glass'] = process.argv.slice(2)
const size = {columns: 100, rows: 28}
const ticksPerSecond = 12
const pauseSeconds = 6
/** The duration of the replay, without typing and answering. */
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
    throw new Error(`Unknown story ${name}: expected one of ${names}`)
  }
  // Imported here, because --check works without a build.
  const {captureStory} = await import('./terminal/capture.js')
  const folder = join(recordings, name)
  const chunks = await captureStory(story, {...size, seconds, folder, dist})
  const animation = createAnimation(chunks, {...size, ticksPerSecond})
  const svg = drawSvg(animation, {
    ...size,
    ticksPerSecond,
    pauseSeconds,
    title: `~/${story.project}`,
    description: `A terminal in which Vitrine runs ${story.agent}: one line per step with its result and duration, a status line with the current state and cost, and the verdict at the end.`,
  })
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, svg)
  const kilobytes = (Buffer.byteLength(svg) / 1000).toFixed(0)
  const duration = (animation.end / ticksPerSecond).toFixed(1)
  console.log(`${path}: ${kilobytes} kB, ${duration} s and a pause of ${pauseSeconds} s`)
}
