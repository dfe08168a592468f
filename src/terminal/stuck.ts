import {toCleanLine} from '../core/text/text.ts'
import {joinSegments, NARROW_WIDTH, type LineStyle} from './layout.ts'

/** The facts about a stuck run. */
export interface StuckReport {
  /** Such as `silent for 10m 00s`. */
  reason: string
  /** The last event, such as `Bash: npm test ended`. */
  since?: string | undefined
  /** For narrow screens: `process alive, 0% CPU, no child`. */
  facts: string
  /** All facts: `process alive, 0% CPU, no child process, no open connection`. */
  details?: string | undefined
  /** Whether the run is stopped (`--on-stuck stop`). */
  isStopping?: boolean | undefined
}

/** Formats the lines that report a stuck run: the reason, the last event, the process and the next step. */
export function formatStuck(report: StuckReport, {colors, symbols, width}: LineStyle): string[] {
  const {reason, since, facts, details = facts, isStopping = false} = report
  const isNarrow = width !== undefined && width < NARROW_WIDTH
  const last = since === undefined || since === '' ? [] : [`since ${since}`]
  const what = isNarrow ? reason : [reason, ...last].join(', ')
  const rest = [
    ...(isNarrow ? last : []),
    isNarrow ? facts : details,
    isStopping
      ? `stopping it${isNarrow ? '' : ' (--on-stuck stop)'}`
      : `going on${isNarrow ? '' : ' (--on-stuck warn)'}; Ctrl-C to stop`,
  ]
  return [
    line([{text: 'Stuck:', color: colors.stuck}, {text: ` ${toCleanLine(what)}`}]),
    ...rest.filter(Boolean).map((text) => line([{text: `  ${toCleanLine(text)}`}])),
  ]

  function line(segments: Parameters<typeof joinSegments>[0]): string {
    const frame = {text: '[vitrine]', color: colors.frame}
    return joinSegments([frame, {text: ' '}, ...segments], width, symbols.more)
  }
}
