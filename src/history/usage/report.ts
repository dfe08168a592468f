import type {ModelRequest} from '../../core/events/transcript.ts'
import type {EntryKind} from '../../core/run/run-summary.ts'

/** A run or session with its requests. Each request is in exactly one entry. */
export interface UsageEntry {
  id: string
  kind: EntryKind
  /** `null` for an unknown agent. */
  agent: string | null
  title?: string | undefined
  cwd?: string | undefined
  startedAt: number
  /** @defaultValue the number of requests that no sub-agent made */
  turns?: number | undefined
  requests: RequestList
}

/** Requests in order of time. They may be decoded on each pass, because objects for all of them need much memory. */
export interface RequestList extends Iterable<UsageRequest> {
  readonly length: number
}

/** The facts of a request that usage depends on. */
export type UsageRequest = Omit<ModelRequest, 'key'>

/** List prices of models. */
export interface UsagePrices {
  /** The cost in dollars; `null` if the model has no known price. */
  costOf(request: UsageRequest): number | null
  /** The date of the price list. */
  pricesFrom: string
}

/** The usage to report. */
export interface UsageQuery {
  /** Such as `Europe/Berlin`: days and hours are those of this time zone. @defaultValue that of this machine */
  timezone?: string | undefined
  /** The first day, such as `2026-11-01`. */
  since?: string | undefined
  /** The last day. */
  until?: string | undefined
  /** Only these agents. */
  agents?: readonly string[] | undefined
  /** Only this project: the name of its folder, its path, or that of a folder above it. */
  project?: string | undefined
}

/** The groups that a row of a report can stand for. */
export const USAGE_GROUPS = [
  'day',
  'week',
  'month',
  'session',
  'project',
  'model',
  'agent',
  'block',
] as const

/** The group that a row of a report stands for. */
export type UsageGroup = (typeof USAGE_GROUPS)[number]

/** Tokens by kind. */
export interface TokenCounts {
  /** Without tokens read from or written to a cache. */
  input: number
  /** With reasoning. */
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** Tokens and cost of any number of requests. */
export interface UsageFigures {
  tokens: TokenCounts
  /** `null` if nothing has a price. */
  costUsd: number | null
  /** Whether a part of the cost is tokens times list price. */
  isEstimate: boolean
  requests: number
  /** Runs and sessions with requests. */
  sessions: number
}

/** The usage of all agents and models in a row. */
export interface UsageTotal extends UsageFigures {
  /** The most expensive first. */
  agents: string[]
  models: string[]
}

/** The usage of a day, model or other group. */
export interface UsageRow extends UsageTotal {
  /** `2026-11-16`, the Monday of a week, `2026-11`, an id, path or name, or the start of a block. */
  key: string
  /** The usage of each agent and model, if requested. */
  breakdown?: UsagePart[]
}

/** The usage of a model by an agent. */
export interface UsagePart extends UsageFigures {
  agent: string
  /** Empty if it is unknown. */
  model: string
}

/** Usage by day, model or other groups. */
export interface UsageReport {
  rows: UsageRow[]
  total: UsageTotal
  /** Models without a price: they are not in the cost. */
  unpricedModels: string[]
  pricesFrom: string
}

/** A model without a price. */
export interface UnpricedModel {
  model: string
  /** Of all kinds. */
  tokens: number
}

/** Five hours of Claude Code, for which its usage is limited. */
export interface UsageBlock {
  from: number
  to: number
  isOpen: boolean
  /** Of all kinds. */
  tokens: number
  costUsd: number | null
  /** Whether a part of the cost is tokens times list price. */
  isEstimate: boolean
  /** The cost at the end, at the current burn rate; `null` if closed. */
  projectedUsd: number | null
  burnUsdPerHour: number | null
  burnTokensPerMinute: number | null
  /** Of the limit, from 0 to 1, as Claude Code reported it. */
  usedShare: number | null
  reportedAt: number | null
  models: {model: string; costUsd: number | null}[]
  /** Time and cost so far, for a chart. */
  points: [number, number][]
}

/** The used share of the limit of a block, as Claude Code reported it. */
export interface ReportedLimit {
  at: number
  /** From 0 to 1. */
  usedShare: number
  /** When the limit is reset. */
  resetsAt?: number | undefined
}

/** Everything that a page about usage shows for a range of days. */
export interface UsageOverview {
  from: string
  to: string
  timezone: string
  updatedAt: number
  cells: UsageCell[]
  /** Average cost by weekday, Monday first, and hour. */
  hours: number[][]
  runCount: number
  sessionCount: number
  projects: {project: string; sessions: number}[]
  topSessions: TopSession[]
  /** Cost that reading from the cache saved; `null` if unknown. */
  savedUsd: number | null
  block: UsageBlock | null
  unpriced: UnpricedModel[]
  pricesFrom: string
  budget: BudgetOutlook | null
  forecast: Forecast | null
}

/** The usage of a day, agent, model and project. */
export interface UsageCell extends UsageFigures {
  day: string
  agent: string
  model: string
  project: string
}

/** One of the most expensive runs and sessions. */
export interface TopSession {
  runId: string
  agent: string
  title: string
  project: string
  kind: EntryKind
  startedAt: number
  turns: number
  tokens: number
  costUsd: number | null
  isEstimate: boolean
}

/** The budget of the current month. */
export interface BudgetOutlook {
  monthUsd: number
  spentUsd: number
  forecastUsd: number
  /** The day on which the budget is or was reached; `null` if it will not be. */
  reachedOn: string | null
}

/** The cost at the end of the current month. */
export interface Forecast {
  lowUsd: number
  highUsd: number
  usd: number
}
