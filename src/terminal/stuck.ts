import {firstLine, escapeControls} from '../core/text/text.ts'
import {joinSegments, NARROW, type LineStyle} from './layout.ts'

/** What is known of a run that got stuck. */
export interface StuckReport {
  /** Such as `silent for 10m 00s`. */
  reason: string
  /** What was last, such as `Bash: npm test ended`. */
  since?: string | undefined
  /** In short, for narrow screens: `process alive, 0% CPU, no child`. */
  facts: string
  /** All of it: `process alive, 0% CPU, no child process, no open connection`. */
  details?: string | undefined
  /** Whether the run is stopped for it, as `--on-stuck stop` wants. */
  isStopping?: boolean | undefined
}

/** The lines that say once that a run is stuck, since when, by what signs, and what is done about it. */
export function formatStuck(report: StuckReport, {colors, symbols, width}: LineStyle): string[] {
  const {reason, since, facts, details = facts, isStopping = false} = report
  const isNarrow = width !== undefined && width < NARROW
  const last = since === undefined || since === '' ? [] : [`since ${since}`]
  const what = isNarrow ? [reason] : [[reason, ...last].join(', ')]
  const rest = [
    ...(isNarrow ? last : []),
    isNarrow ? facts : details,
    isStopping
      ? `stopping it${isNarrow ? '' : ' (--on-stuck stop)'}`
      : `going on${isNarrow ? '' : ' (--on-stuck warn)'}; Ctrl-C to stop`,
  ]
  return [
    ...what.map((text) => line([{text: 'Stuck:', color: colors.stuck}, {text: ` ${clean(text)}`}])),
    ...rest.filter(Boolean).map((text) => line([{text: `  ${clean(text)}`}])),
  ]

  function line(pieces: Parameters<typeof joinSegments>[0]): string {
    const frame = {text: '[vitrine]', color: colors.frame}
    return joinSegments([frame, {text: ' '}, ...pieces], width, symbols.more)
  }
}

function clean(text: string): string {
  return escapeControls(firstLine(text))
}
