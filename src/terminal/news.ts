import type {RunState} from '../core/run/run-state.ts'
import type {Waiting} from '../core/run/waiting.ts'
import {formatClock, formatElapsed} from '../core/text/figures.ts'
import {firstLine, makeHarmless} from '../core/text/text.ts'
import {plain} from './colors.ts'
import {layOut, type LineStyle} from './layout.ts'
import {findTool, nameTool} from './status-line.ts'
import {unicode} from './symbols.ts'

/**
 * The sign of life for a log in which nothing has come for a while: `[vitrine] waiting for tool: Bash 1m 00s`.
 *
 * @param state - Gives a tool the word that its line has.
 */
export function formatHeartbeat(waiting: Waiting, now: number, state?: RunState): string {
  // Before anything came there is nothing to count from.
  const elapsed = waiting.since > 0 ? ` ${formatElapsed(now - waiting.since)}` : ''
  return `[vitrine] ${describeWaiting(waiting, elapsed, state)}`
}

function describeWaiting(waiting: Waiting, elapsed: string, state: RunState | undefined): string {
  const {why, until, attempt, of} = waiting
  const detail = clean(waiting.detail)
  const about = detail === '' ? '' : `: ${detail}`
  switch (why) {
    case 'waiting-for-tool': {
      const tool = state === undefined ? undefined : findTool(state, waiting)
      return `waiting for tool: ${nameTool(tool, waiting).word}${elapsed}`
    }
    case 'waiting-for-permission':
      return `waiting for permission${about}${elapsed}`
    case 'api-retry': {
      const count = attempt === undefined ? '' : ` ${attempt}${of === undefined ? '' : `/${of}`}`
      return `API retry${count}${about}${elapsed}`
    }
    case 'rate-limited':
      return until === undefined
        ? `rate-limited${elapsed}`
        : `rate-limited until ${formatClock(until)}`
    case 'background':
    case 'hook':
    case 'finishing':
      return `${why}${about}${elapsed}`
    case 'scheduled':
      return until === undefined
        ? `waiting for a wake-up${about}${elapsed}`
        : `waiting for a wake-up at ${formatClock(until)}${about}`
    case 'queued-input':
      return `waiting for answers to stdin${about}${elapsed}`
    case 'suspended':
      return `suspended (SIGSTOP)${elapsed}`
    case 'lingering':
      return `finished, process still alive${elapsed}`
    case 'starting':
    case 'writing':
    case 'thinking':
    case 'compacting':
    case 'silent':
    case 'idle':
      return `${why}${elapsed}`
    default:
      why satisfies never
      return ''
  }
}

const pipe: LineStyle = {colors: plain, symbols: unicode}

/** What an agent says beside its stream: `[codex] stderr: …`. */
export function formatStderr(agent: string, line: string, style: LineStyle = pipe): string {
  const {colors, symbols, width} = style
  const head = `${colors.frame(`[${agent}] stderr:`)} `
  return layOut({head, body: clean(line)}, {width, more: symbols.more})
}

const LONGEST_TEXT = 2000

function clean(text: string): string {
  return makeHarmless(firstLine(text.slice(0, LONGEST_TEXT)))
}
