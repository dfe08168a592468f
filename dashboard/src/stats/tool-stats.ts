import type {ToolKind} from '../../../src/core/events/events.ts'
import type {Entry, ToolEntry} from '../model/entry.ts'
import {nameTool} from '../../../src/core/words/tool-words.ts'

/** What is known of all calls of one tool. Calls at the same time count each. */
export interface ToolStat {
  /** The word for it. */
  name: string
  tool: ToolKind
  count: number
  failed: number
  /** How many of them go on. */
  running: number
  /** With those that go on. */
  totalMs: number
  /** Half of those that came to an end took no longer; absent when none has. */
  p50Ms: number | undefined
  /** And 95 of 100 took no longer than this. */
  p95Ms: number | undefined
}

/** What time it is, and how far one looks. */
export interface Moment {
  /** The moment of a replay; absent when there is none. */
  until: number | undefined
  /** What goes on has gone on up to here. */
  at: number
}

interface Group extends ToolStat {
  durations: number[]
}

/** Adds up the calls of each tool, the one that took longest first. */
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
    // How long the others would have taken, nobody knows.
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
    const group: Group = {
      name,
      tool,
      count: 0,
      failed: 0,
      running: 0,
      totalMs: 0,
      p50Ms: undefined,
      p95Ms: undefined,
      durations: [],
    }
    groups.set(key, group)
    return group
  }
}

/** The smallest of ordered values that so many percent of them do not exceed: always one that was seen. */
export function pickPercentile(ordered: ArrayLike<number>, percent: number): number | undefined {
  const rank = Math.ceil((percent * ordered.length) / 100)
  return ordered[Math.max(0, rank - 1)]
}

function toStat({durations, ...stat}: Group): ToolStat {
  const ordered = Float64Array.from(durations).toSorted()
  return {...stat, p50Ms: pickPercentile(ordered, 50), p95Ms: pickPercentile(ordered, 95)}
}
