import * as z from 'zod'
import {ENTRY_KINDS} from '../../core/run/run-summary.ts'
import {MOMENT_ROLES} from '../../history/search/moments.ts'
import {count, flag, number, object, text} from './fields.ts'

const tokenCounts = z.object({
  input: count('Without tokens read from or written to a cache.'),
  output: count('With reasoning.'),
  cacheRead: count(),
  cacheWrite: count(),
  reasoning: count('The part of `output` used for thinking, as far as it is known.'),
})

const usageFigures = {
  tokens: tokenCounts,
  costUsd: number('`null` if no model has a price.').nullable(),
  isEstimate: flag('Whether a part of the cost is tokens times list price.'),
  requests: count('Requests to models. Each counts once.'),
  sessions: count('Runs and sessions with requests.'),
}

const usageRow = object('UsageRow', {
  key: text('The day, week, month, block, id, path or name.'),
  ...usageFigures,
  agents: z.array(z.string()),
  models: z.array(z.string()),
})

export const usageReport = object('UsageReport', {
  rows: z.array(usageRow),
  total: usageRow.omit({key: true}),
  unpricedModels: z.array(z.string()).describe('Models without a price: not in the cost.'),
  pricesFrom: text('The date of the price list.'),
})

const usageCell = z.object({
  day: text('Such as `2026-11-16`, in the time zone of the report.'),
  agent: text(),
  model: text('Empty if it is unknown.'),
  project: text('The folder; empty if it is unknown.'),
  ...usageFigures,
})

const topSession = z.object({
  runId: text(),
  agent: text(),
  title: text(),
  project: text(),
  kind: z.enum(ENTRY_KINDS),
  startedAt: number(),
  turns: count(),
  tokens: count('Of all kinds.'),
  costUsd: number().nullable(),
  isEstimate: flag(),
})

const usageBlock = object('UsageBlock', {
  from: number(),
  to: number('Five hours after the start.'),
  isOpen: flag(),
  tokens: count('Of all kinds.'),
  costUsd: number().nullable(),
  isEstimate: flag('Whether a part of the cost is tokens times list price.'),
  projectedUsd: number(
    'The cost at the end, at the current burn rate; `null` if closed.',
  ).nullable(),
  burnUsdPerHour: number('Over the last 30 minutes; `null` if closed.').nullable(),
  burnTokensPerMinute: number('Over the last 30 minutes; `null` if closed.').nullable(),
  usedShare: number('Of the limit, from 0 to 1, as Claude Code reported it.').nullable(),
  reportedAt: number('When the share was reported.').nullable(),
  models: z.array(z.object({model: text(), costUsd: number().nullable()})),
  points: z.array(z.tuple([z.number(), z.number()])).describe('Time and cost so far, for a chart.'),
})

/** The content of the usage page for a range of days. */
export const usageOverview = object('UsageOverview', {
  from: text('The first day.'),
  to: text('The last day.'),
  timezone: text('Such as `Europe/Berlin`.'),
  updatedAt: number(),
  cells: z.array(usageCell).describe('One per day, agent, model and project with usage.'),
  hours: z
    .array(z.array(z.number()))
    .describe('Average cost by weekday, Monday first, and hour, over the range.'),
  runCount: count('Runs with usage in the range.'),
  sessionCount: count('Sessions with usage in the range.'),
  projects: z
    .array(z.object({project: text(), sessions: count()}))
    .describe('Number of runs and sessions by project.'),
  topSessions: z.array(topSession).describe('The most expensive, at most 20.'),
  savedUsd: number('Cost that reading from the cache saved; `null` if unknown.').nullable(),
  block: usageBlock.nullable().describe('The current five-hour block of Claude Code.'),
  unpriced: z.array(z.object({model: text(), tokens: count()})),
  pricesFrom: text('The date of the price list.'),
  budget: z
    .object({
      monthUsd: number(),
      spentUsd: number('This month so far.'),
      forecastUsd: number('At the end of the month.'),
      reachedOn: text('The day on which the budget is reached, if it will be.').nullable(),
    })
    .nullable()
    .describe('`null` without a budget in the configuration.'),
  forecast: z
    .object({lowUsd: number(), highUsd: number(), usd: number()})
    .nullable()
    .describe('Cost at the end of this month, from the last 28 days; `null` with too little data.'),
  folders: z
    .array(
      z.object({
        agent: text(),
        label: text('The name of the agent.'),
        path: text('With `~` for the home folder.'),
        state: z.enum(['found', 'missing', 'unreadable']),
        sessions: count(),
      }),
    )
    .describe('Where sessions were looked for.'),
})

const moment = z.object({
  role: z.enum(MOMENT_ROLES),
  label: text('The role, or the name of the tool.'),
  at: number(),
  offsetMs: number('Since the start of the run or session.'),
  text: text('Text around the matches, on one line.'),
  marks: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('Start and end of each match in `text`.'),
})

export const historySearch = object('HistorySearch', {
  total: count('Number of matching moments.'),
  entryCount: count('Number of runs and sessions with matches.'),
  tookMs: number(),
  entries: z.array(
    z.object({
      runId: text(),
      agent: text('`null` for an unknown agent.').nullable(),
      monogram: text().optional(),
      title: text(),
      project: text('The folder; empty if it is unknown.'),
      kind: z.enum(ENTRY_KINDS),
      startedAt: number(),
      matches: count(),
      moments: z.array(moment).describe('The first matches, at most 3.'),
    }),
  ),
  indexing: count('Number of transcripts that are not searchable yet.'),
  suggestion: text('A similar word that occurs, if nothing matches.').optional(),
})

export const historyDays = object('HistoryDays', {
  days: z.array(
    z.object({
      day: text('Such as `2026-11-16`.'),
      count: count(),
      costUsd: number('`null` if no cost is known.').nullable(),
      isEstimate: flag(),
    }),
  ),
  kinds: z.record(z.enum(ENTRY_KINDS), count()),
  live: count(),
  failed: count(),
  needsYou: count(),
  projects: z.array(z.object({project: text('The folder.'), count: count()})),
  agents: z.array(z.object({agent: text(), count: count()})),
})

export const archiveState = object('ArchiveState', {
  atRisk: z
    .object({
      agent: text(),
      sessions: count(),
      bytes: count(),
      withinDays: count(),
      keptDays: count('After how many days the agent deletes a session.'),
    })
    .nullable()
    .describe('Sessions that an agent will delete soon and that are not archived.'),
  isEnabled: flag('Whether new sessions are archived continuously.'),
  progress: z.object({done: count(), of: count()}).nullable().describe('While it is working.'),
  archived: z.object({sessions: count(), bytes: count()}),
})

export type UsageReport = z.infer<typeof usageReport>

export type UsageOverview = z.infer<typeof usageOverview>
export type UsageBlock = z.infer<typeof usageBlock>
export type HistorySearch = z.infer<typeof historySearch>
export type HistoryDays = z.infer<typeof historyDays>
export type ArchiveState = z.infer<typeof archiveState>
