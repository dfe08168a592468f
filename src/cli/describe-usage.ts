import {escapeControls} from '../core/text/text.ts'
import {createUsageBlocks} from '../history/usage/blocks.ts'
import {createCalendar} from '../history/usage/calendar.ts'
import {formatDay} from '../history/usage/days.ts'
import {createEntryFilter} from '../history/usage/filter.ts'
import {createMonthOutlook} from '../history/usage/outlook.ts'
import type {
  ReportedLimit,
  UsageEntry,
  UsageGroup,
  UsagePrices,
  UsageReport,
  UsageBlock,
} from '../history/usage/report.ts'
import {createUsageReport} from '../history/usage/usage-report.ts'
import type {ScreenStyle} from '../terminal/layout.ts'
import {formatUsageBlocks} from '../terminal/usage-block.ts'
import {describeUnpriced, formatMoreRows} from '../terminal/usage-notes.ts'
import {formatJsonLine} from './output.ts'
import type {ResolvedUsage} from './usage-options.ts'
import {formatUsageRows} from './usage-rows.ts'
import {formatUsage} from './usage-view.ts'

/** The usage to describe, and how. */
export interface UsageInput {
  group: UsageGroup
  usage: ResolvedUsage
  entries: readonly UsageEntry[]
  prices: UsagePrices
  now: number
  /** The budget of a month. */
  monthUsd?: number | undefined
  reportedLimits?: readonly ReportedLimit[] | undefined
  breakdown?: boolean | undefined
  all?: boolean | undefined
  json?: boolean | undefined
}

/** The text for stdout, and notices for stderr. */
export interface UsageText {
  text: string
  notices: string[]
}

const MAX_EARLIER_BLOCKS = 7

/** Describes usage as JSON, as rows for a program, or as tables for a terminal of this style. */
export function describeUsage(input: UsageInput, style: ScreenStyle | undefined): UsageText {
  const {group, usage, entries, prices, breakdown: hasBreakdown = false} = input
  const options = {...usage.query, group, hasBreakdown}
  const {report, unpriced} = createUsageReport(entries, prices, options)
  if (input.json === true) return {text: formatJsonLine(addBlocks(report, input)), notices: []}
  if (report.rows.length === 0) return {text: `${describeNoUsage(input)}\n`, notices: []}
  if (style === undefined) {
    const notices = unpriced.length > 0 ? [describeUnpriced(unpriced)] : []
    return {text: formatUsageRows(report, group, hasBreakdown), notices}
  }
  if (group === 'block') return {text: formatBlocks(input, style), notices: []}
  const outlook = createOutlook(input)
  const isAll = input.all === true
  const shown = {group, usage, report, unpriced, entries, outlook, isAll}
  return {text: formatUsage(shown, style), notices: []}
}

/** Describes the current month, if the report includes all usage until today. */
function createOutlook({usage, entries, prices, now, monthUsd}: UsageInput) {
  const {timezone, agents, project, until} = usage.query
  const isComplete = agents === undefined && project === undefined
  if (!isComplete || until !== formatDay(usage.today)) return undefined
  return createMonthOutlook(entries, prices, {timezone, now, monthUsd})
}

function listBlocks({entries, prices, usage, now, reportedLimits}: UsageInput): UsageBlock[] {
  return createUsageBlocks(entries, prices, {...usage.query, now, reportedLimits})
}

/** Adds times, rates and limits to the rows of blocks. */
function addBlocks(report: UsageReport, input: UsageInput): object {
  if (input.group !== 'block') return report
  const blocks = new Map(listBlocks(input).map((block) => [block.from, block]))
  const rows = report.rows.map((row) => {
    const block = blocks.get(Date.parse(row.key))
    return block === undefined ? row : Object.assign(row, pickBlock(block))
  })
  return {...report, rows}
}

/** The facts of a block that its row does not have yet. */
function pickBlock(block: UsageBlock) {
  const {from, to, isOpen, projectedUsd, burnUsdPerHour, burnTokensPerMinute} = block
  const {usedShare, reportedAt} = block
  return {
    from,
    to,
    isOpen,
    projectedUsd,
    burnUsdPerHour,
    burnTokensPerMinute,
    usedShare,
    reportedAt,
  }
}

function formatBlocks(input: UsageInput, style: ScreenStyle): string {
  const {usage, now, all} = input
  const {dayOf, clockOf} = createCalendar(usage.query.timezone)
  const blocks = listBlocks(input)
  const maxRows = all === true ? blocks.length : MAX_EARLIER_BLOCKS + (blocks[0]?.isOpen ? 1 : 0)
  const hidden = Math.max(0, blocks.length - maxRows)
  const clock = {now, dayAt: (at: number) => formatDay(dayOf(at)), clockAt: clockOf}
  const lines = formatUsageBlocks(blocks.slice(0, maxRows), clock, style)
  return [...lines, ...(hidden > 0 ? [formatMoreRows(hidden, 'block')] : []), ''].join('\n')
}

/** Describes a range without usage: `No usage from 2026-08-01 to 2026-08-07. The oldest session is from 2026-08-18.` */
function describeNoUsage({entries, usage}: UsageInput): string {
  const {since, until} = usage.range
  const text = `No usage from ${formatDay(since)} to ${formatDay(until)}.`
  const {dayOf} = createCalendar(usage.query.timezone)
  const matching = entries.filter(createEntryFilter(usage.query))
  const days = matching.map(({startedAt}) => dayOf(startedAt)).toSorted((a, b) => a - b)
  const [oldest] = days
  const newest = days.at(-1)
  if (entries.length === 0) return `${text} There are no sessions yet.`
  if (oldest === undefined || newest === undefined) {
    return `${text} No session matches ${describeFilters(usage.query)}.`
  }
  return newest < since
    ? `${text} The newest session is from ${formatDay(newest)}.`
    : `${text} The oldest session is from ${formatDay(oldest)}.`
}

function describeFilters({agents = [], project}: ResolvedUsage['query']): string {
  return [
    ...agents.map((agent) => `--agent ${agent}`),
    ...(project === undefined ? [] : [`--project ${escapeControls(project)}`]),
  ].join(' ')
}
