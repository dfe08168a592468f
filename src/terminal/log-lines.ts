import type {RunState} from '../core/run/run-state.ts'
import type {Waiting} from '../core/run/waiting.ts'
import {formatClock, formatElapsed} from '../core/text/figures.ts'
import {toCleanLine} from '../core/text/text.ts'
import {describeWaiting, formatAttempt, WAITING_WORDS} from '../core/words/state-words.ts'
import {plain} from './colors.ts'
import {layOutLine, type LineStyle} from './layout.ts'
import {findWaitedTool, nameWaitedTool} from './status-line.ts'
import {unicode} from './symbols.ts'

/**
 * Formats the heartbeat of a silent run: `[vitrine] waiting for tool: Bash 1m 00s`.
 *
 * @param state - Contains the running tool, for its name.
 */
export function formatHeartbeat(waiting: Waiting, now: number, state?: RunState): string {
  // Before the first event the start is unknown.
  const elapsed = waiting.since > 0 ? ` ${formatElapsed(now - waiting.since)}` : ''
  return `[vitrine] ${describeNow(waiting, elapsed, state)}`
}

function describeNow(waiting: Waiting, elapsed: string, state: RunState | undefined): string {
  const {why, until} = waiting
  const word = WAITING_WORDS[why]
  const detail = toCleanLine(waiting.detail, MAX_TEXT_LENGTH)
  switch (why) {
    case 'waiting-for-tool': {
      const tool = state === undefined ? undefined : findWaitedTool(state, waiting)
      return `${word}: ${nameWaitedTool(tool, waiting).word}${elapsed}`
    }
    case 'api-retry': {
      const count = formatAttempt(waiting, '/')
      const about = detail === '' ? '' : `: ${detail}`
      return `${word}${count === '' ? '' : ` ${count}`}${about}${elapsed}`
    }
    case 'rate-limited':
      return until === undefined ? word + elapsed : `${word} until ${formatClock(until)}`
    case 'scheduled':
      if (until === undefined) break
      return `${word} at ${formatClock(until)}${detail === '' ? '' : `: ${detail}`}`
    default:
  }
  return describeWaiting({why, detail}) + elapsed
}

const pipe: LineStyle = {colors: plain, symbols: unicode}

/** Formats a line that the agent printed on stderr: `[codex] stderr: …`. */
export function formatStderr(agent: string, line: string, style: LineStyle = pipe): string {
  const head = `${style.colors.frame(`[${agent}] stderr:`)} `
  return layOutLine({head, body: toCleanLine(line, MAX_TEXT_LENGTH)}, style)
}

/** Logs have no width that cuts a line. */
const MAX_TEXT_LENGTH = 2000
