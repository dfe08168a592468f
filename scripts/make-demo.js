// Writes the stories of the demo to dist/demo/recordings, from the recordings in scripts/demo/recordings and the captures
// in src/agents/*/fixtures.

import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join as joinPath} from 'node:path'
import {fileURLToPath} from 'node:url'
import {joinCaptures} from './demo/join.js'
import {computeTimes, replaceTimes} from './demo/pace.js'
import {readTimedLines, writeTimedLines} from './demo/lines.js'
import {stories} from './demo/stories.js'
import {ORIGIN} from './demo/times.js'

/** @import {Line} from './demo/join.js' */
/** @import {TimedLine} from './demo/lines.js' */
/** @import {Meta} from './demo/record.js' */
/** @import {JoinedStory, RecordedStory, Story} from './demo/stories.js' */

/** The time between the last line and the exit of the process. */
const EXIT_DELAY_MS = 250

const agents = fileURLToPath(new URL('../src/agents/', import.meta.url))
const recordings = fileURLToPath(new URL('demo/recordings/', import.meta.url))
const target = fileURLToPath(new URL('../dist/demo/recordings/', import.meta.url))

rmSync(target, {recursive: true, force: true})
mkdirSync(target, {recursive: true})
const written = stories.map(writeStory)
writeFileSync(joinPath(target, 'stories.json'), `${JSON.stringify(written, null, 1)}\n`)

/** @param {Story} story */
function writeStory(story) {
  const {name, lane, minutesAgo, workOrder, limits} = story
  const facts = 'captures' in story ? writeJoined(story) : writeRecorded(story)
  return {name, lane, minutesAgo, workOrder, limits, ...facts}
}

/** @param {RecordedStory} story */
function writeRecorded({name, cutBytes}) {
  const folder = joinPath(recordings, name)
  /** @type {Meta} */
  const meta = JSON.parse(readFileSync(joinPath(folder, 'meta.json'), 'utf8'))
  const {agent, prompt, project, exitCode, signal} = meta
  const denied = joinPath(folder, 'denied')
  const asks = existsSync(denied)
  const lines = renameFolder(project, readTimedLines(folder))
  writeTimedLines(joinPath(target, name), lines, cutBytes)
  if (asks)
    writeTimedLines(joinPath(target, name, 'denied'), renameFolder(project, readTimedLines(denied)))
  const durationMs = (lines.at(-1)?.at ?? ORIGIN) - ORIGIN + EXIT_DELAY_MS
  return {agent, prompt, project, asks, durationMs, exitCode, signal}
}

/**
 * Replaces the working directory by a placeholder, which the demo replaces on replay.
 *
 * @param {string} project
 * @param {TimedLine[]} lines
 * @returns {TimedLine[]}
 */
function renameFolder(project, lines) {
  return lines.map(({at, text}) => ({
    at,
    text: text.replaceAll(new RegExp(`/home/dev/${project}\\b`, 'g'), '/home/dev/project'),
  }))
}

/** @param {JoinedStory} story */
function writeJoined(story) {
  const {name, prompt, project, captures, cutBytes} = story
  const named = captures.filter((capture) => typeof capture === 'string')
  const agent = named[0]?.split('/')[0] ?? ''
  const lines = readCaptureLines(story, agent)
  const times = computeTimes(agent, lines, story)
  const timed = replaceTimes(lines, times).map((text, index) => ({
    at: ORIGIN + (times[index] ?? 0),
    text,
  }))
  writeTimedLines(joinPath(target, name), timed, cutBytes)
  const silence = story.silence?.at === lines.length + 1 ? story.silence.ms : 0
  const durationMs = (times.at(-1) ?? 0) + silence + EXIT_DELAY_MS
  const {exitCode = 0, signal = null} = readMeta(named.at(-1) ?? '')
  return {agent, prompt, project, asks: false, durationMs, exitCode, signal}
}

/**
 * @param {JoinedStory} story
 * @param {string} agent
 * @returns {Line[]}
 */
function readCaptureLines({prompt, captures}, agent) {
  const escapedPrompt = JSON.stringify(prompt).slice(1, -1)
  const names = captures.flatMap((capture) => (typeof capture === 'string' ? toName(capture) : []))
  const complete = new Map(names.map((name) => [name, readCapture(name)]))
  const lines = captures.flatMap((capture) => {
    if (typeof capture !== 'string') return [{text: capture.text, capture: ''}]
    const [from = 1, to = from] = (capture.split(':')[1] ?? '1-Infinity').split('-').map(Number)
    const texts = (complete.get(toName(capture)) ?? []).slice(from - 1, to)
    return texts.map((text) => ({
      text: text.replaceAll(/Lab scenario \w+/g, () => escapedPrompt),
      capture: toName(capture),
    }))
  })
  return joinCaptures(agent, lines, complete)
}

/** @param {string} capture */
function toName(capture) {
  return capture.split(':')[0] ?? ''
}

/** @param {string} capture */
function toPath(capture) {
  const [agent = '', version = '', scenario = ''] = toName(capture).split('/')
  return joinPath(agents, agent, 'fixtures', version, scenario)
}

/** @param {string} name */
function readCapture(name) {
  return readFileSync(`${toPath(name)}.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
}

/**
 * @param {string} capture
 * @returns {{exitCode?: number | null, signal?: string | null}}
 */
function readMeta(capture) {
  const path = `${toPath(capture)}.meta.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
