import {formatTokens} from '../ui/figures.ts'

/** Formats tokens of many sessions: `842`, `44.9M`, `693M`, `1.02B`. */
export function formatTokenTotal(count: number): string {
  return count < 999_500_000 ? formatTokens(count) : `${(count / 1e9).toFixed(2)}B`
}
