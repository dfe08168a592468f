import {formatMoney, formatTokens} from '../core/text/figures.ts'
import {ascii, type Symbols} from './symbols.ts'

/** A cost; `null` if nothing has a price. */
export interface ShownCost {
  costUsd: number | null
  isEstimate: boolean
}

/** Signs that only usage needs. */
export interface UsageSigns {
  times: string
  dash: string
  full: string
  empty: string
}

const UNICODE_SIGNS: UsageSigns = {times: '×', dash: '—', full: '█', empty: '░'}
const ASCII_SIGNS: UsageSigns = {times: 'x', dash: '-', full: '#', empty: '.'}

/** The signs for a terminal with these symbols. */
export function usageSignsFor(symbols: Symbols): UsageSigns {
  return symbols === ascii ? ASCII_SIGNS : UNICODE_SIGNS
}

/** Formats a cost: `≈$18.42`, `$0.84`, `— no price`. */
export function formatCost({costUsd, isEstimate}: ShownCost, symbols: Symbols): string {
  if (costUsd === null) return `${usageSignsFor(symbols).dash} no price`
  return `${isEstimate ? symbols.about : ''}${formatMoney(costUsd)}`
}

/** Formats a budget: `$420`, `$99.50`. */
export function formatBudget(usd: number): string {
  return Number.isInteger(usd) ? formatMoney(usd).replace(/\.00$/, '') : formatMoney(usd)
}

/** Formats a number of tokens: like {@link formatTokens}, but with billions. */
export function formatTokenCount(count: number): string {
  return count < 999_500_000 ? formatTokens(count) : `${(count / 1_000_000_000).toFixed(2)}B`
}

/** Creates the format of a column: all of its numbers have the unit of the largest one, unless they are too small. */
export function createTokenFormat(counts: readonly number[]): (count: number) => string {
  const max = Math.max(0, ...counts)
  if (max >= 999_500) {
    return (count) =>
      count >= 5000 && count < 999_500
        ? `${(count / 1_000_000).toFixed(2)}M`
        : formatTokenCount(count)
  }
  if (max < 99_950) return formatTokenCount
  return (count) => (count < 1000 ? String(count) : `${Math.round(count / 1000)}k`)
}
