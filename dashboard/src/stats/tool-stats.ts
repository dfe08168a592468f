import type {ToolKind} from '../../../src/core/events/events.ts'
import type {Entry, ToolEntry} from '../model/entry.ts'
import {nameTool} from '../../../src/core/words/tool-words.ts'

/** Statistics of all calls of one tool. Simultaneous calls count separately. */
export interface ToolStat {
  /** Its display name. */
  name: string
  tool: ToolKind
  count: number
  failed: number
  /** How many of them are open. */
  running: number
  /** Including open calls. */
  totalMs: number
  /** The median of finished calls; absent when none has finished. */
  p50Ms: number | undefined
  /** The 95th percentile. */
  p95Ms: number | undefined
}

/** The current time, and the end of a replay. */
export interface Moment {
  /** The position of a replay; absent without one. */
  until: number | undefined
  /** The end of open calls. */
  at: number
}

interface Group extends Omit<ToolStat, 'p50Ms' | 'p95Ms'> {
  durations: number[]
}

/** Sums up the calls of each tool, the slowest first. */
export function countTools(
  entries: readonly Entry[],
  {until = Number.POSITIVE_INFINITY, at}: Moment,
): ToolStat[] {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    if (entry.type !== 'tool' || entry.at > until) continue
    const group = groupOf(entry)
    group.count++
    const {endAt, isUnfinished} = entry
    if (endAt === undefined || endAt > until) {
      group.running++
      group.totalMs += Math.max(0, Math.min(at, until) - entry.at)
      continue
    }
    const duration = Math.max(0, entry.durationMs ?? endAt - entry.at)
    group.totalMs += duration
    if (isUnfinished) continue
    // The duration of unfinished calls is unknown.
    group.durations.push(duration)
    if (entry.ok === false) group.failed++
  }
  return Array.from(groups.values(), toStat).toSorted(
    (one, other) => other.totalMs - one.totalMs || other.count - one.count,
  )

  function groupOf(entry: ToolEntry): Group {
    const {tool} = entry
    const name = nameTool(entry)
    const key = `${tool} ${name}`
    const known = groups.get(key)
    if (known !== undefined) return known
    const group = {name, tool, count: 0, failed: 0, running: 0, totalMs: 0, durations: []}
    groups.set(key, group)
    return group
  }
}

/** The percentile of sorted values: always one of them. */
export function pickPercentile(ordered: ArrayLike<number>, percent: number): number | undefined {
  const rank = Math.ceil((percent * ordered.length) / 100)
  return ordered[Math.max(0, rank - 1)]
}

function toStat({durations, ...stat}: Group): ToolStat {
  const ordered = Float64Array.from(durations).toSorted()
  return {...stat, p50Ms: pickPercentile(ordered, 50), p95Ms: pickPercentile(ordered, 95)}
}
