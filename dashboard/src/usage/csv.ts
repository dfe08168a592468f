import type {UsageCell} from './amounts.ts'

const COLUMNS: readonly (readonly [name: string, read: (cell: UsageCell) => string | number])[] = [
  ['day', ({day}) => day],
  ['agent', ({agent}) => agent],
  ['model', ({model}) => model],
  ['project', ({project}) => project],
  ['input_tokens', ({tokens}) => tokens.input],
  ['output_tokens', ({tokens}) => tokens.output],
  ['cache_read_tokens', ({tokens}) => tokens.cacheRead],
  ['cache_write_tokens', ({tokens}) => tokens.cacheWrite],
  ['reasoning_tokens', ({tokens}) => tokens.reasoning],
  ['cost_usd', ({costUsd}) => costUsd ?? ''],
  ['is_estimate', ({isEstimate}) => String(isEstimate)],
  ['requests', ({requests}) => requests],
  ['sessions', ({sessions}) => sessions],
]

/** Formats cells as CSV with a header, as RFC 4180 defines it. */
export function formatCsv(cells: readonly UsageCell[]): string {
  const header = COLUMNS.map(([name]) => name)
  const rows = cells.map((cell) => COLUMNS.map(([, read]) => formatField(read(cell))))
  return [header, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** Names of models and folders come from other programs: a spreadsheet would run those that look like a formula. */
function formatField(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
