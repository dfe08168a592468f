import {parseDay} from './days.ts'
import type {UsageEntry, UsageQuery, UsageRequest} from './report.ts'

/** The name of an agent that is not known. */
const UNKNOWN_AGENT = 'unknown'

/** Receives a request and its local day. */
export type VisitRequest = (entry: UsageEntry, request: UsageRequest, day: number) => void

/**
 * Visits the requests of a query, entry by entry.
 *
 * @param dayOf - The day in which a request counts, by its time.
 */
export function visitRequests(
  entries: readonly UsageEntry[],
  query: UsageQuery,
  visit: VisitRequest,
  dayOf: (at: number) => number,
): void {
  const isWanted = createEntryFilter(query)
  const since = toDay(query.since) ?? -Infinity
  const until = toDay(query.until) ?? Infinity
  for (const entry of entries) {
    if (!isWanted(entry)) continue
    for (const request of entry.requests) {
      const day = dayOf(request.at)
      if (day >= since && day <= until) visit(entry, request, day)
    }
  }
}

/** Creates the test whether an entry has the agent and project of a query. */
export function createEntryFilter({
  agents,
  project,
}: Pick<UsageQuery, 'agents' | 'project'>): (entry: UsageEntry) => boolean {
  const wanted = agents === undefined ? undefined : new Set(agents)
  const isProject = project === undefined ? () => true : createProjectFilter(project)
  return (entry) => (wanted?.has(agentOf(entry)) ?? true) && isProject(entry.cwd ?? '')
}

/** The agent of an entry. */
export function agentOf({agent}: UsageEntry): string {
  return agent ?? UNKNOWN_AGENT
}

/** The name of the folder of a project. */
export function projectName(path: string): string {
  return normalize(path).split('/').at(-1) || path
}

function createProjectFilter(project: string): (cwd: string) => boolean {
  const wanted = normalize(project)
  const known = new Map<string, boolean>()
  return (cwd) => {
    const before = known.get(cwd)
    if (before !== undefined) return before
    const path = normalize(cwd)
    const isMatch = `${path}/`.startsWith(`${wanted}/`) || path.split('/').at(-1) === wanted
    known.set(cwd, isMatch)
    return isMatch
  }
}

/** A path with `/`, and without one at its end. */
function normalize(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '')
}

function toDay(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const day = parseDay(text)
  if (day === undefined)
    throw new TypeError(`Invalid day ${text}: expected a date such as 2026-11-01`)
  return day
}
