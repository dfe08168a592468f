import type {UsageOverview} from '../hub/usage-api.ts'
import {formatCsv} from './csv.ts'

/** Saves the cells of a range as a CSV file. */
export function downloadCsv({cells, from, to}: Pick<UsageOverview, 'cells' | 'from' | 'to'>): void {
  const url = URL.createObjectURL(new Blob([formatCsv(cells)], {type: 'text/csv'}))
  const link = document.createElement('a')
  link.href = url
  link.download = `vitrine-usage-${from}-to-${to}.csv`
  link.click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
