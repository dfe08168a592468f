// Makes the stories of the demo, in dist/demo/recordings: of the recordings in scripts/demo/recordings, and of the captures in
// src/agents/*/fixtures.

import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join as joinPath} from 'node:path'
import {fileURLToPath} from 'node:url'
import {join} from './demo/join.js'
import {pace, retime} from './demo/pace.js'
import {readLines, writeLines} from './demo/lines.js'
import {stories} from './demo/stories.js'
import {ORIGIN} from './demo/times.js'

/** @import {Line} from './demo/join.js' */
/** @import {TimedLine} from './demo/lines.js' */
/** @import {Meta} from './demo/record.js' */
/** @import {JoinedStory, RecordedStory, Story} from './demo/stories.js' */

/** A process ends a moment after its last line. */
const LAST_MS = 250

const agents = fileURLToPath(new URL('../src/agents/', import.meta.url))
const recordings = fileURLToPath(new URL('demo/recordings/', import.meta.url))
const target = fileURLToPath(new URL('../dist/demo/recordings/', import.meta.url))

rmSync(target, {recursive: true, force: true})
mkdirSync(target, {recursive: true})
const made = stories.map(make)
writeFileSync(joinPath(target, 'stories.json'), `${JSON.stringify(made, null, 1)}\n`)

/** @param {Story} story */
function make(story) {
  const {name, lane, minutesAgo, workOrder, limits} = story
  const told = 'captures' in story ? makeJoined(story) : makeRecorded(story)
  return {name, lane, minutesAgo, workOrder, limits, ...told}
}

/** @param {RecordedStory} story */
function makeRecorded({name, cutBytes}) {
  const folder = joinPath(recordings, name)
  /** @type {Meta} */
  const meta = JSON.parse(readFileSync(joinPath(folder, 'meta.json'), 'utf8'))
  const {agent, prompt, project, exitCode, signal} = meta
  const refused = joinPath(folder, 'denied')
  const asks = existsSync(refused)
  const lines = moveTo(project, readLines(folder))
  writeLines(joinPath(target, name), lines, cutBytes)
  if (asks) writeLines(joinPath(target, name, 'denied'), moveTo(project, readLines(refused)))
  const durationMs = (lines.at(-1)?.at ?? ORIGIN) - ORIGIN + LAST_MS
  return {agent, prompt, project, asks, durationMs, exitCode, signal}
}

/**
 * Lines as if all of them came from one folder, which is put right when they are told.
 *
 * @param {string} project
 * @param {TimedLine[]} lines
 * @returns {TimedLine[]}
 */
function moveTo(project, lines) {
  return lines.map(({at, text}) => ({
    at,
    text: text.replaceAll(new RegExp(`/home/dev/${project}\\b`, 'g'), '/home/dev/project'),
  }))
}

/** @param {JoinedStory} story */
function makeJoined(story) {
  const {name, prompt, project, captures, cutBytes} = story
  const named = captures.filter((capture) => typeof capture === 'string')
  const agent = named[0]?.split('/')[0] ?? ''
  const lines = tell(story, agent)
  const times = pace(agent, lines, story)
  const timed = retime(lines, times).map((text, index) => ({
    at: ORIGIN + (times[index] ?? 0),
    text,
  }))
  writeLines(joinPath(target, name), timed, cutBytes)
  const silence = story.silence?.at === lines.length + 1 ? story.silence.ms : 0
  const durationMs = (times.at(-1) ?? 0) + silence + LAST_MS
  const {exitCode = 0, signal = null} = metaOf(named.at(-1) ?? '')
  return {agent, prompt, project, asks: false, durationMs, exitCode, signal}
}

/**
 * @param {JoinedStory} story
 * @param {string} agent
 * @returns {Line[]}
 */
function tell({prompt, captures}, agent) {
  const written = JSON.stringify(prompt).slice(1, -1)
  const names = captures.flatMap((capture) => (typeof capture === 'string' ? nameOf(capture) : []))
  const whole = new Map(names.map((name) => [name, readCapture(name)]))
  const lines = captures.flatMap((capture) => {
    if (typeof capture !== 'string') return [{text: capture.text, capture: ''}]
    const [from = 1, to = from] = (capture.split(':')[1] ?? '1-Infinity').split('-').map(Number)
    const texts = (whole.get(nameOf(capture)) ?? []).slice(from - 1, to)
    return texts.map((text) => ({
      text: text.replaceAll(/Lab scenario \w+/g, () => written),
      capture: nameOf(capture),
    }))
  })
  return join(agent, lines, whole)
}

/** @param {string} capture */
function nameOf(capture) {
  return capture.split(':')[0] ?? ''
}

/** @param {string} capture */
function pathOf(capture) {
  const [agent = '', version = '', scenario = ''] = nameOf(capture).split('/')
  return joinPath(agents, agent, 'fixtures', version, scenario)
}

/** @param {string} name */
function readCapture(name) {
  return readFileSync(`${pathOf(name)}.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
}

/**
 * @param {string} capture
 * @returns {{exitCode?: number | null, signal?: string | null}}
 */
function metaOf(capture) {
  const path = `${pathOf(capture)}.meta.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
