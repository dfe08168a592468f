import {ENTRY_KINDS, type EntryKind, type RunSummary} from '../../../src/core/run/run-summary.ts'
import type {EntryQuery} from '../hub/api.ts'
import type {RunFilter} from '../hub/run-list.ts'
import {dayBefore, dayOf, readTimezone} from '../shell/day.ts'
import {endedBadly, needsAttention} from '../ui/state.ts'

/** Which runs and sessions are listed, as in the URL. Empty fields do not matter. */
export interface ListFilter {
  agent: string
  /** The folder, or its name. */
  project: string
  kind: EntryKind | ''
  state: StateFilter | ''
  /** `today`, `7d`, `30d`, or two days: `2026-11-01..2026-11-16`. */
  date: string
}

export type StateFilter = (typeof STATES)[number]

const STATES = ['needs-you', 'live', 'failed'] as const

/** The names of the fields in the URL. */
export const FILTER_FIELDS: readonly (keyof ListFilter)[] = [
  'agent',
  'project',
  'kind',
  'state',
  'date',
]

/** Parses the filter in a URL; unknown values do not matter. */
export function parseListFilter(query: URLSearchParams): ListFilter {
  const read = (name: keyof ListFilter) => query.get(name) ?? ''
  const date = read('date')
  return {
    agent: read('agent'),
    project: read('project'),
    kind: ENTRY_KINDS.find((kind) => kind === read('kind')) ?? '',
    state: STATES.find((state) => state === read('state')) ?? '',
    date: Object.hasOwn(LAST_DAYS, date) || RANGE.test(date) ? date : '',
  }
}

/** Whether nothing is filtered. */
export function isEmptyFilter(filter: ListFilter): boolean {
  return FILTER_FIELDS.every((name) => filter[name] === '')
}

/** The query for the hub. */
export function toEntryQuery(filter: ListFilter, now: number): EntryQuery {
  const {agent, project, kind, state} = filter
  const {since, until} = parseDates(filter.date, now)
  return {
    agent: agent || undefined,
    project: project || undefined,
    kind: kind || undefined,
    since,
    until,
    timezone: (since ?? until) === undefined ? undefined : readTimezone(),
    // All live runs are loaded, so that those that are stuck need no condition of the hub.
    state: state === '' ? undefined : state === 'failed' ? 'failed' : 'live',
  }
}

/** The filter for a list that follows the hub; `undefined` if nothing is filtered. */
export function toRunFilter(filter: ListFilter, now: number): RunFilter | undefined {
  if (isEmptyFilter(filter)) return undefined
  return {query: toEntryQuery(filter, now), accepts: (run) => acceptsRun(filter, run, now)}
}

/** Whether a run meets a filter. */
export function acceptsRun(filter: ListFilter, run: RunSummary, now: number): boolean {
  const {agent, project, kind, state, date} = filter
  const {since = '', until = '9'} = parseDates(date, now)
  const day = date === '' ? '' : dayOf(run.startedAt)
  return (
    (agent === '' || run.agent === agent) &&
    (project === '' || run.cwd === project || run.cwd.endsWith(`/${project}`)) &&
    (kind === '' || run.kind === kind) &&
    day >= since &&
    day <= until &&
    (state === '' || ACCEPTS[state](run))
  )
}

/** The first and last day of a date in the URL. */
export function parseDates(
  date: string,
  now: number,
): {since?: string | undefined; until?: string | undefined} {
  const days = LAST_DAYS[date]
  if (days !== undefined) return {since: dayBefore(now, days - 1)}
  const [, since, until] = RANGE.exec(date) ?? []
  return {since: since || undefined, until: until || undefined}
}

const LAST_DAYS: Readonly<Record<string, number>> = {today: 1, '7d': 7, '30d': 30}
const RANGE = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

const ACCEPTS: Readonly<Record<StateFilter, (run: RunSummary) => boolean>> = {
  'needs-you': needsAttention,
  live: ({state}) => state !== 'over',
  failed: endedBadly,
}
