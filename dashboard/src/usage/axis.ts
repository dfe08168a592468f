import {formatMoney} from '../../../src/core/text/figures.ts'
import type {Unit} from './amounts.ts'
import {formatTokenTotal} from './figures.ts'

/** The values with a line across the chart. */
export interface Axis {
  /** The value at the top. */
  top: number
  ticks: readonly number[]
}

const MAX_INTERVALS = 5
const FACTORS = [1, 2, 5, 10]

/** Chooses round values from 0 to at least a maximum. */
export function makeAxis(max: number): Axis {
  const safe = max > 0 && Number.isFinite(max) ? max : 1
  const power = 10 ** Math.floor(Math.log10(safe / MAX_INTERVALS))
  const step = power * (FACTORS.find((factor) => safe / (power * factor) <= MAX_INTERVALS) ?? 10)
  const count = Math.max(1, Math.ceil(safe / step - 1e-9))
  return {top: count * step, ticks: Array.from({length: count + 1}, (_, index) => index * step)}
}

/** Formats a round value without digits that are zero: `$20`, `$0.50`, `5M`. */
export function formatTick(value: number, unit: Unit): string {
  if (unit === 'spend') return value === 0 ? '$0' : formatMoney(value).replace(/\.0+$/, '')
  return formatTokenTotal(value).replace(/\.0+(?=[kMB]$)/, '')
}

/** The positions of labels below columns, so that they do not overlap; the last column has one. */
export function pickLabels(count: number, width: number, minGap: number): number[] {
  const fitting = Math.max(1, Math.floor(width / minGap))
  const every = Math.max(1, Math.ceil(count / fitting))
  return Array.from({length: count}, (_, index) => index).filter(
    (index) => (count - 1 - index) % every === 0,
  )
}
