// Computes when the lines of a story are printed: the model in the captures answered at once, the demo is as slow as a
// real one.

import {createEventDecoder} from '../../dist/agents/parse.js'
import {ORIGIN, TIME, parseTime} from './times.js'

/** @import {AgentEvent} from '../../dist/core/index.js' */
/** @import {Line} from './join.js' */

/**
 * The times of lines in milliseconds after the start, the same in every build.
 *
 * @param {string} agent
 * @param {Line[]} lines
 * @param {{name: string, pace?: number, silence?: {at: number, ms: number}}} story
 * @returns {number[]}
 */
export function computeTimes(agent, lines, {name, pace = DEFAULT_PACE, silence}) {
  const decoder = createEventDecoder(agent, {now: () => 0})
  if (decoder === null) throw new Error(`Unknown agent: ${agent}`)
  const random = createRandom(name)
  /** @type {Map<string, string>} */
  const tools = new Map()
  let at = 0
  /** The pause that the previous line causes. */
  let wait = 0
  let previous = {capture: '', time: 0}
  return lines.map(({text, capture}, index) => {
    const events = decoder.push(Buffer.from(`${text}\n`))
    const computed =
      (wait + events.reduce((sum, event) => sum + toPauseBefore(event, tools), MIN_PAUSE_MS)) * pace
    const time = Math.max(...listTimes(text), 0) || previous.time
    const isSame = previous.capture === capture && previous.time > 0
    const recorded = isSame ? Math.min(Math.max(time - previous.time, 0), MAX_GAP_MS) : 0
    previous = {capture, time}
    wait = events.reduce((sum, event) => sum + toPauseAfter(event), 0)
    at += Math.max(computed * (0.7 + random() * 0.6), recorded)
    if (silence?.at === index + 1) at += silence.ms
    return Math.round(at)
  })
}

/** A factor for all pauses below. */
const DEFAULT_PACE = 1.6
const MIN_PAUSE_MS = 60
const MAX_GAP_MS = 45_000

/** Durations of tools. @type {Record<string, number>} */
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
 * @param {Map<string, string>} tools The running tools.
 */
function toPauseBefore(event, tools) {
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
function toPauseAfter(event) {
  if (event.type === 'task-start') return 2500
  if (event.type !== 'status') return 0
  if (event.status === 'api-retry') return 4000 * (event.attempt ?? 1)
  return event.status === 'compacting' && event.phase === 'start' ? 6000 : 0
}

/**
 * @param {string} text
 * @returns {number[]}
 */
function listTimes(text) {
  return [...text.matchAll(TIME)].map(([time]) => parseTime(time))
}

/**
 * Replaces the times in lines by times that match those at which they are printed.
 *
 * @param {Line[]} lines
 * @param {number[]} times
 * @returns {string[]}
 */
export function replaceTimes(lines, times) {
  /** Pairs of a recorded time and its new time, by capture. @type {Map<string, [recorded: number, printed: number][]>} */
  const known = new Map()
  return lines.map(({text, capture}, index) => {
    const now = times[index] ?? 0
    const points = known.get(capture) ?? []
    known.set(capture, points)
    const latest = Math.max(...listTimes(text), 0)
    if (latest > (points.at(-1)?.[0] ?? 0)) points.push([latest, now])
    const isEnd = /"type":"(?:result|run_result)"/.test(text)
    return text
      .replaceAll(TIME, (time) => {
        const replaced = ORIGIN + Math.min(interpolate(parseTime(time), points), now)
        return time.includes('T') ? new Date(replaced).toISOString() : `${replaced}`
      })
      .replaceAll(/(?<="resetsAt":)\d{10}/g, `${(ORIGIN + 7_200_000) / 1000}`)
      .replaceAll(/(?<="duration_?[mM]s":)\d+/g, (digits) => (isEnd ? `${now}` : digits))
  })
}

/**
 * @param {number} time
 * @param {[recorded: number, printed: number][]} points
 */
function interpolate(time, points) {
  const after = points.find(([recorded]) => recorded >= time)
  const before = points.findLast(([recorded]) => recorded <= time)
  if (after === undefined || before === undefined) return (after ?? before)?.[1] ?? 0
  const [[from, printed], [to, printedLater]] = [before, after]
  if (from === to) return Math.round(printed)
  return Math.round(printed + ((time - from) / (to - from)) * (printedLater - printed))
}

/**
 * Pseudo-random numbers from 0 to 1, the same for the same name.
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
