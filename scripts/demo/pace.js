// Says when the lines of a story come: captures of a model that answers at once are told as slowly as a real one would.

import {createEventDecoder} from '../../dist/agents/parse.js'
import {ORIGIN, TIME, toMs} from './times.js'

/** @import {AgentEvent} from '../../dist/core/index.js' */
/** @import {Line} from './join.js' */

/**
 * The times of lines, in milliseconds from the beginning, the same whenever they are made.
 *
 * @param {string} agent
 * @param {Line[]} lines
 * @param {{name: string, pace?: number, silence?: {at: number, ms: number}}} story
 * @returns {number[]}
 */
export function pace(agent, lines, {name, pace: slowness = USUAL, silence}) {
  const decoder = createEventDecoder(agent, {now: () => 0})
  if (decoder === null) throw new Error(`${agent}: no such agent`)
  const random = createRandom(name)
  /** @type {Map<string, string>} */
  const tools = new Map()
  let at = 0
  /** How long whatever comes next is waited for. */
  let wait = 0
  let earlier = {capture: '', time: 0}
  return lines.map(({text, capture}, index) => {
    const events = decoder.push(Buffer.from(`${text}\n`))
    const made =
      (wait + events.reduce((sum, event) => sum + pauseBefore(event, tools), TRIFLE)) * slowness
    const time = Math.max(...timesIn(text), 0) || earlier.time
    const isSame = earlier.capture === capture && earlier.time > 0
    const recorded = isSame ? Math.min(Math.max(time - earlier.time, 0), LONGEST_GAP) : 0
    earlier = {capture, time}
    wait = events.reduce((sum, event) => sum + pauseAfter(event), 0)
    at += Math.max(made * (0.7 + random() * 0.6), recorded)
    if (silence?.at === index + 1) at += silence.ms
    return Math.round(at)
  })
}

/** How much slower than the figures below. */
const USUAL = 1.6
const TRIFLE = 60
const LONGEST_GAP = 45_000

/** How long tools take. @type {Record<string, number>} */
const TOOL_MS = {
  Bash: 4500,
  Read: 350,
  Grep: 700,
  Glob: 500,
  Edit: 500,
  Write: 450,
  WebFetch: 2200,
  Mcp: 1800,
  Todo: 200,
  Task: 2500,
}

/**
 * @param {AgentEvent} event
 * @param {Map<string, string>} tools Which tools are open.
 */
function pauseBefore(event, tools) {
  switch (event.type) {
    case 'session-start':
      return 500
    case 'thinking':
      return Math.min(1800 + event.text.length * 40, 7000)
    case 'text':
      return Math.min(900 + event.text.length * 30, 5000)
    case 'thinking-delta':
    case 'text-delta':
      return 120 + event.text.length * 14
    case 'tool-start':
      tools.set(event.toolId, event.tool)
      return 900
    case 'tool-end':
      return TOOL_MS[tools.get(event.toolId) ?? ''] ?? 1200
    case 'tool-update':
      return 900
    case 'plan':
    case 'status':
      return 300
    default:
      return 0
  }
}

/** @param {AgentEvent} event */
function pauseAfter(event) {
  if (event.type === 'task-start') return 2500
  if (event.type !== 'status') return 0
  if (event.status === 'api-retry') return 4000 * (event.attempt ?? 1)
  return event.status === 'compacting' && event.phase === 'start' ? 6000 : 0
}

/**
 * @param {string} text
 * @returns {number[]}
 */
function timesIn(text) {
  return [...text.matchAll(TIME)].map(([time]) => toMs(time))
}

/**
 * Lines with times that go with those at which they come.
 *
 * @param {Line[]} lines
 * @param {number[]} times
 * @returns {string[]}
 */
export function retime(lines, times) {
  /** When what was recorded at a time is told now, by capture. @type {Map<string, [recorded: number, told: number][]>} */
  const known = new Map()
  return lines.map(({text, capture}, index) => {
    const now = times[index] ?? 0
    const points = known.get(capture) ?? []
    known.set(capture, points)
    const latest = Math.max(...timesIn(text), 0)
    if (latest > (points.at(-1)?.[0] ?? 0)) points.push([latest, now])
    const isEnd = /"type":"(?:result|run_result)"/.test(text)
    return text
      .replaceAll(TIME, (time) => {
        const told = ORIGIN + Math.min(translate(toMs(time), points), now)
        return time.includes('T') ? new Date(told).toISOString() : `${told}`
      })
      .replaceAll(/(?<="resetsAt":)\d{10}/g, `${(ORIGIN + 7_200_000) / 1000}`)
      .replaceAll(/(?<="duration_?[mM]s":)\d+/g, (digits) => (isEnd ? `${now}` : digits))
  })
}

/**
 * @param {number} time
 * @param {[recorded: number, told: number][]} points
 */
function translate(time, points) {
  const after = points.find(([recorded]) => recorded >= time)
  const before = points.findLast(([recorded]) => recorded <= time)
  if (after === undefined || before === undefined) return (after ?? before)?.[1] ?? 0
  const [[from, told], [to, toldLater]] = [before, after]
  return Math.round(from === to ? told : told + ((time - from) / (to - from)) * (toldLater - told))
}

/**
 * Numbers that look like chance and are the same for the same name.
 *
 * @param {string} name
 */
function createRandom(name) {
  let seed = 7
  for (const letter of name) seed = (seed * 31 + letter.charCodeAt(0)) % 2_147_483_647
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}
