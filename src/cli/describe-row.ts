import type {WaitingKind} from '../core/run/waiting.ts'
import {formatMoney} from '../core/text/figures.ts'
import {formatState} from '../terminal/format-state.ts'
import type {Symbols} from '../terminal/symbols.ts'
import type {Row} from './list-rows.ts'

/** The state of a row with its sign: `● working`, `■ ended`. */
export function describeState({state, verdict}: Row, symbols: Symbols): string {
  switch (state) {
    case 'orphaned':
      return `${symbols.stuck} orphaned`
    case 'unknown':
      return `${symbols.stopped} unknown`
    case 'live':
      return `${symbols.working} live`
    case 'idle':
      return `${symbols.idle} idle`
    case 'ended':
      return `${symbols.stopped} ended`
    case 'stuck':
      if (verdict === null) return formatState({isStuck: true}, symbols).text
  }
  return formatState({verdict: verdict ?? undefined, why: state as WaitingKind}, symbols).text
}

/** The cost of a row; `≈` is before an estimate, and piped output has no signs. */
export function describeCost(
  {costUsd, isEstimate}: Pick<Row, 'costUsd' | 'isEstimate'>,
  symbols: Symbols | undefined,
): string {
  if (costUsd === null) return symbols === undefined ? '' : '-'
  return `${isEstimate ? (symbols?.about ?? '~') : ''}${formatMoney(costUsd)}`
}
