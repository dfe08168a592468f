import {formatCount} from '../core/text/figures.ts'
import {firstLine} from '../core/text/text.ts'
import {formatDay} from '../history/usage/days.ts'
import {projectName} from '../history/usage/filter.ts'
import type {MonthOutlook} from '../history/usage/outlook.ts'
import {spanOf} from '../history/usage/range.ts'
import type {
  UnpricedModel,
  UsageEntry,
  UsageFigures,
  UsageGroup,
  UsagePart,
  UsageReport,
  UsageRow,
} from '../history/usage/report.ts'
import type {ScreenStyle} from '../terminal/layout.ts'
import {shortenModel} from '../terminal/usage-block.ts'
import {
  formatMoreRows,
  formatOutlook,
  formatPeriod,
  formatPriceNotes,
} from '../terminal/usage-notes.ts'
import {formatUsageTable, type UsageLine, type UsageTable} from '../terminal/usage-table.ts'
import type {ResolvedUsage} from './usage-options.ts'

/** A report to show. */
export interface ShownUsage {
  group: Exclude<UsageGroup, 'block'>
  usage: ResolvedUsage
  report: UsageReport
  unpriced: readonly UnpricedModel[]
  entries: readonly UsageEntry[]
  /** Absent if the report does not include all usage until today. */
  outlook?: MonthOutlook | undefined
  /** Whether to show every row. */
  isAll: boolean
}

const TIME_WIDTH = {min: 10, normal: 10}
const NAME_WIDTH = {min: 16, normal: 20}
const TITLE_WIDTH = {min: 24, normal: 20}
const MAX_TIME_ROWS = 7
const MAX_OTHER_ROWS = 20

/** Formats a report for a terminal. */
export function formatUsage(shown: ShownUsage, style: ScreenStyle): string {
  const {group, report, unpriced, isAll, outlook} = shown
  if (group === 'day' || group === 'week' || group === 'month') {
    const rows = isAll ? report.rows : report.rows.slice(-MAX_TIME_ROWS)
    const year = formatDay(shown.usage.today).slice(0, 4)
    const table = {
      head: group.toUpperCase(),
      labelWidth: TIME_WIDTH,
      lines: rows.map((row) => toLine(row, formatPeriod(row.key, group, year))),
      total: toTotalLine(shown),
    }
    return joinSections([
      formatUsageTable(table, style),
      [
        ...(outlook === undefined ? [] : formatOutlook(outlook, style)),
        ...formatPriceNotes({...report, isEstimate: report.total.isEstimate, unpriced}, style),
      ],
    ])
  }
  const rows = isAll ? report.rows : report.rows.slice(0, MAX_OTHER_ROWS)
  const table: UsageTable = {
    head: group.toUpperCase(),
    labelWidth: group === 'session' ? TITLE_WIDTH : NAME_WIDTH,
    ...toNamedLines(rows, shown),
  }
  const hidden = report.rows.length - rows.length
  // In a table of models, the rows without a price are marked.
  const notes = group === 'model' ? [] : unpriced
  return joinSections([
    [...formatUsageTable(table, style), ...(hidden > 0 ? [formatMoreRows(hidden, group)] : [])],
    formatPriceNotes({...report, isEstimate: false, unpriced: notes}, style),
  ])
}

function joinSections(sections: readonly string[][]): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function toLine(row: UsageRow, label: string): UsageLine {
  return {...toFigures(row), label, names: row.agents, parts: row.breakdown?.map(toPartLine)}
}

function toPartLine(part: UsagePart): UsageLine {
  return {...toFigures(part), label: shortenModel(part.model), names: [part.agent]}
}

function toFigures({tokens, costUsd, isEstimate, sessions}: UsageFigures) {
  return {tokens, costUsd, isEstimate, sessions}
}

function toTotalLine({group, usage, report: {total}}: ShownUsage): UsageTable['total'] {
  const {count, unit} = spanOf(usage.range, group)
  const names = formatCount(total.agents.length, 'agent')
  return {...toFigures(total), label: formatCount(count, unit), names}
}

/** The lines of a table that is not by time. In a table of agents, the second column has models. */
function toNamedLines(
  rows: readonly UsageRow[],
  {group, entries}: ShownUsage,
): Pick<UsageTable, 'lines' | 'namesHead'> {
  if (group === 'agent') {
    const lines = rows.map((row) => ({
      ...toLine(row, row.key),
      names: row.models.map(shortenModel),
    }))
    return {lines, namesHead: 'MODELS'}
  }
  const labelOf = createLabels(group, rows, entries)
  return {lines: rows.map((row) => toLine(row, labelOf(row.key)))}
}

function createLabels(
  group: UsageGroup,
  rows: readonly UsageRow[],
  entries: readonly UsageEntry[],
): (key: string) => string {
  if (group === 'model') return shortenModel
  if (group === 'session') {
    const titles = new Map(entries.map(({id, title = ''}) => [id, firstLine(title)]))
    return (id) => titles.get(id) || id
  }
  const counts = new Map<string, number>()
  for (const {key} of rows) {
    const name = projectName(key)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  // Projects with the same name are shown with their paths.
  return (path) => {
    if (path === '') return 'unknown'
    const name = projectName(path)
    return counts.get(name) === 1 ? name : path
  }
}
