import {escapeControls} from '../core/text/text.ts'
import type {UsageFigures, UsageGroup, UsageReport} from '../history/usage/report.ts'

/** Formats a report for a program: separated by tabs, with full numbers. */
export function formatUsageRows(
  report: UsageReport,
  group: UsageGroup,
  hasBreakdown: boolean,
): string {
  const figures = 'IN\tOUT\tCACHE\tSESSIONS\tCOST\tisEstimate'
  const head = group.toUpperCase()
  if (!hasBreakdown) {
    const rows = report.rows.map((row) => [row.key, row.agents.join(' '), ...listFigures(row)])
    return formatRows(`${head}\tAGENTS\t${figures}`, rows)
  }
  const rows = report.rows.flatMap(({key, breakdown = []}) =>
    breakdown.map((part) => [key, part.agent, part.model, ...listFigures(part)]),
  )
  return formatRows(`${head}\tAGENT\tMODEL\t${figures}`, rows)
}

function listFigures({tokens, costUsd, isEstimate, sessions}: UsageFigures): string[] {
  const {input, output, cacheRead, cacheWrite} = tokens
  // Sums of fractions have more digits than are known.
  const cost = costUsd === null ? '' : String(Number(costUsd.toFixed(6)))
  return [input, output, cacheRead + cacheWrite, sessions, cost, isEstimate].map(String)
}

function formatRows(head: string, rows: readonly string[][]): string {
  const lines = rows.map((cells) => cells.map((cell) => escapeControls(cell)).join('\t'))
  return [head, ...lines].map((line) => `${line}\n`).join('')
}
