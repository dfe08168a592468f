import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {formatCost} from '../ui/figures.ts'
import {groupBy} from '../ui/group-by.ts'
import {describeState, endedBadly, needsAttention} from '../ui/state.ts'

/** Runs under one heading. */
export interface Section {
  key: string
  title: string
  /** A summary of the section. */
  note?: string | undefined
  runIds: readonly string[]
}

/** The order of runs within a section. */
export type Sort = 'newest' | 'cost' | 'time'

/** Which runs are shown. */
export type Show = 'all' | 'needs-you' | 'working' | 'waiting' | 'failed'

/** The key of the section of runs that need attention. */
export const NEEDS_YOU = 'needs-you'

/** Options of {@link makeSections}. */
export interface SectionOptions {
  sort: Sort
  isByWorkOrder: boolean
  now: number
}

/** Groups runs under headings: needs attention, working, waiting, ended by day. */
export function makeSections(
  runs: readonly RunSummary[],
  {sort, isByWorkOrder, now}: SectionOptions,
): Section[] {
  const sorted = runs.toSorted((a, b) => compareRuns(a, b, sort, now))
  const orders = isByWorkOrder ? findWorkOrders(sorted) : new Map<string, RunSummary[]>()
  const alone = sorted.filter(({workOrderId}) => !orders.has(workOrderId))
  const byKey = groupBy(alone, (run) => sectionOf(run, now))
  const days = [...byKey.keys()].filter((key) => key.startsWith(ENDED))
  const keys = [...Object.keys(TITLES), ...days.toSorted().toReversed()]
  return [
    ...Array.from(orders, ([id, members]) => toOrderSection(id, members)),
    ...keys.flatMap((key) => {
      const members = byKey.get(key)
      if (members === undefined) return []
      return [{key, title: titleOf(key, now), runIds: members.map(({runId}) => runId)}]
    }),
  ]
}

/** Whether a run is among the shown ones. */
export function isShown(run: RunSummary, show: Show): boolean {
  if (show === 'all') return true
  if (show === 'failed') return endedBadly(run)
  return liveSectionOf(run) === show
}

/** The section key of a run: a word while it runs, then `ended-2026-11-16`. */
function sectionOf(run: RunSummary, now: number): string {
  return liveSectionOf(run) ?? `${ENDED}${dayOf(endOf(run) ?? now)}`
}

const ENDED = 'ended-'

function liveSectionOf(run: RunSummary): 'needs-you' | 'working' | 'waiting' | undefined {
  if (run.state === 'over') return undefined
  if (needsAttention(run)) return NEEDS_YOU
  return describeState(run).tone === 'wait' ? 'waiting' : 'working'
}

function compareRuns(a: RunSummary, b: RunSummary, sort: Sort, now: number): number {
  const difference =
    sort === 'cost'
      ? (b.costUsd ?? -1) - (a.costUsd ?? -1)
      : sort === 'time'
        ? timeOf(b, now) - timeOf(a, now)
        : 0
  return difference || b.startedAt - a.startedAt || (a.runId < b.runId ? -1 : 1)
}

function timeOf({startedAt, durationMs}: RunSummary, now: number): number {
  return durationMs ?? now - startedAt
}

function endOf({endedAt, startedAt, durationMs}: RunSummary): number | undefined {
  return endedAt ?? (durationMs === undefined ? undefined : startedAt + durationMs)
}

/** Work orders with several runs; those that need attention first. */
function findWorkOrders(sorted: readonly RunSummary[]): Map<string, RunSummary[]> {
  const several = [...groupBy(sorted, ({workOrderId}) => workOrderId)].filter(
    ([, members]) => members.length > 1,
  )
  const rank = (members: readonly RunSummary[]) => (members.some(needsAttention) ? 0 : 1)
  const newest = (members: readonly RunSummary[]) =>
    Math.max(...members.map(({startedAt}) => startedAt))
  return new Map(several.toSorted(([, a], [, b]) => rank(a) - rank(b) || newest(b) - newest(a)))
}

function toOrderSection(id: string, members: readonly RunSummary[]): Section {
  const known = members.filter(({costUsd}) => costUsd !== null)
  const sum = known.reduce((total, {costUsd}) => total + (costUsd ?? 0), 0)
  const isEstimate = members.some((run) => run.isEstimate)
  const cost = formatCost(known.length === 0 ? null : sum, isEstimate)
  return {
    key: `order-${id}`,
    title: escapeControls(id),
    note: `${members.length} runs · ${cost}`,
    runIds: members.map(({runId}) => runId),
  }
}

function titleOf(key: string, now: number): string {
  const live = TITLES[key]
  if (live !== undefined) return live
  const day = key.slice(ENDED.length)
  if (day === dayOf(now)) return 'Ended today'
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === dayOf(yesterday.getTime())) return 'Yesterday'
  const date = new Date(`${day}T12:00`)
  const name = (part: 'weekday' | 'month') => date.toLocaleDateString('en', {[part]: 'long'})
  const year = date.getFullYear()
  const rest = year === new Date(now).getFullYear() ? '' : ` ${year}`
  return `${name('weekday')} ${date.getDate()} ${name('month')}${rest}`
}

/** The sections of live runs, in order. */
const TITLES: Readonly<Record<string, string>> = {
  [NEEDS_YOU]: 'Needs you',
  working: 'Working',
  waiting: 'Waiting',
}

/** The local day in sortable form: `2026-11-16`. */
function dayOf(at: number): string {
  const date = new Date(at)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}
