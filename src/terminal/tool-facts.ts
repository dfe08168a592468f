import type {ToolEndEvent, ToolStartEvent} from '../core/events/events.ts'
import {formatCount, formatDuration} from '../core/text/figures.ts'
import type {Colors} from './colors.ts'
import {describeOutput} from './describe.ts'
import {NARROW_WIDTH, type Fact} from './layout.ts'
import type {Symbols} from './symbols.ts'

/** A tool call with its counts so far. */
export interface ToolWork {
  start: ToolStartEvent
  /** Changed lines of files. */
  added: number
  removed: number
  /** Tools of its sub-agent. */
  toolCount: number
}

/** From this time on, a duration is not dimmed. */
const SLOW_MS = 30_000

const asIs = (text: string) => text

/** Describes the facts at the right of the line of a tool: its output, then its duration. */
export function describeToolFacts(
  {start, added, removed, toolCount}: ToolWork,
  {durationMs, maxDurationMs, exitCode, output, ok, denied}: ToolEndEvent,
  style: {colors: Colors; symbols: Symbols; width: number | undefined},
): Fact[] {
  const {colors, symbols, width} = style
  const took = [
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(maxDurationMs === undefined ? [] : [symbols.atMost + formatDuration(maxDurationMs)]),
  ]
  if (!ok && width !== undefined && width < NARROW_WIDTH) {
    return [{text: [symbols.bad, ...took].join(' '), color: colors.bad}]
  }
  const counts = [
    ...(added > 0 ? [colors.added(`+${added}`)] : []),
    ...(removed > 0 ? [colors.removed(`${symbols.minus}${removed}`)] : []),
  ]
  const came = ok ? describeOutput(start.tool, output) : undefined
  const why = denied === true ? ' denied' : exitCode === undefined ? '' : ` exit ${exitCode}`
  const isSlow = (durationMs ?? 0) >= SLOW_MS
  return [
    ...(counts.length > 0 ? [{text: counts.join(' '), color: asIs}] : []),
    ...(came === undefined ? [] : [{text: came, color: colors.fact}]),
    ...(toolCount > 0 ? [{text: formatCount(toolCount, 'tool'), color: colors.fact}] : []),
    ...(ok ? [] : [{text: symbols.bad + why, color: colors.bad}]),
    ...took.map((text) => ({text, color: isSlow ? asIs : colors.fact})),
  ]
}
