// Makes the recordings of the demo, in dist/demo/recordings, from the captures in src/agents/*/fixtures.

import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join as joinPath} from 'node:path'
import {fileURLToPath} from 'node:url'
import {join, parse} from './demo/join.js'
import {ORIGIN, pace, retime} from './demo/pace.js'
import {stories} from './demo/stories.js'

/** @import {Line} from './demo/join.js' */
/** @import {Story} from './demo/stories.js' */

/** A process ends a moment after its last line. */
const LAST_MS = 250

const agents = fileURLToPath(new URL('../src/agents/', import.meta.url))
const target = fileURLToPath(new URL('../dist/demo/recordings/', import.meta.url))

rmSync(target, {recursive: true, force: true})
mkdirSync(target, {recursive: true})
const made = stories.map(make)
writeFileSync(joinPath(target, 'stories.json'), `${JSON.stringify(made, null, 1)}\n`)

/** @param {Story} story */
function make(story) {
  const {name, prompt, project, lane, minutesAgo, workOrder, limits, denied} = story
  const named = story.captures.filter((capture) => typeof capture === 'string')
  const agent = named[0]?.split('/')[0] ?? ''
  const lines = tell(story, agent, story.captures)
  const lastAt = record(joinPath(target, name), story, agent, lines)
  const silence = story.silence?.at === lines.length + 1 ? story.silence.ms : 0
  const durationMs = lastAt + silence + LAST_MS
  if (denied !== undefined) {
    record(
      joinPath(target, name, 'denied'),
      story,
      agent,
      refuse(lines, tell(story, agent, denied)),
    )
  }
  const {exitCode = 0, signal = null} = metaOf(named.at(-1) ?? '')
  const asks = denied !== undefined
  return {
    name,
    agent,
    prompt,
    project,
    lane,
    minutesAgo,
    workOrder,
    limits,
    asks,
    durationMs,
    exitCode,
    signal,
  }
}

/**
 * @param {Story} story
 * @param {string} agent
 * @param {Story['captures']} captures
 * @returns {Line[]}
 */
function tell({prompt}, agent, captures) {
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

/**
 * What comes after a refusal, of the tool that was asked for.
 *
 * @param {Line[]} asking
 * @param {Line[]} refused
 * @returns {Line[]}
 */
function refuse(asking, refused) {
  const request = parse(asking.find(({text}) => text.includes('"can_use_tool"'))?.text)?.['request']
  const {tool_name, tool_use_id, input} = /** @type {Record<string, string>} */ (request)
  const init = parse(asking.find(({text}) => text.includes('"subtype":"init"'))?.text)
  return refused.map(({text, capture}) => {
    const own = text
      .replaceAll('toolu_0162nVDpzj62txAok0ijyBTp', tool_use_id ?? '')
      .replaceAll('claude-opus-5-5', String(init?.['model']))
      .replaceAll('Not this one', '$REASON')
    const value = {...parse(own), session_id: init?.['session_id']}
    const denials = {permission_denials: [{tool_name, tool_use_id, tool_input: input}]}
    return {
      text: JSON.stringify('permission_denials' in value ? {...value, ...denials} : value),
      capture,
    }
  })
}

/**
 * Writes lines down as a recording: all of them, and when they come. Gives the time of the last.
 *
 * @param {string} folder
 * @param {Story} story
 * @param {string} agent
 * @param {Line[]} lines
 */
function record(folder, story, agent, lines) {
  mkdirSync(folder)
  const times = pace(agent, lines, story)
  let end = 0
  const pieces = retime(lines, times).map((text, index) => {
    end += Buffer.byteLength(text) + 1
    return {text: `${text}\n`, timing: `[${ORIGIN + (times[index] ?? 0)},"out",${end}]\n`}
  })
  const bytes = Buffer.from(pieces.map(({text}) => text).join(''))
  const {cutBytes = 0} = story
  writeFileSync(joinPath(folder, 'stdout'), bytes.subarray(0, bytes.length - cutBytes))
  writeFileSync(joinPath(folder, 'timing.ndjson'), pieces.map(({timing}) => timing).join(''))
  return times.at(-1) ?? 0
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
