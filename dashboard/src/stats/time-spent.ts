import type {TimelineLane} from '../model/timeline-data.ts'

/** How a run spent its time. The parts add up: simultaneous activities count as the first of these. */
export interface TimeSpent {
  /** Waiting for an answer, a limit or a retry. */
  waiting: number
  tools: number
  subAgents: number
  /** The model was thinking or writing. */
  model: number
  /** No activity was seen. */
  rest: number
}

/** A closed interval. */
interface Span {
  start: number
  end: number
}

/** Computes how an agent spent its time between two moments, from its lane. */
export function splitTime(
  lane: Pick<TimelineLane, 'tools' | 'model' | 'waits'> | undefined,
  from: number,
  to: number,
): TimeSpent {
  const {tools = [], model = [], waits = []} = lane ?? {}
  let covered: Span[] = []
  let sum = 0
  const take = (spans: readonly {start: number; end?: number | undefined}[]): number => {
    covered = mergeSpans(covered, joinSpans(spans, from, to))
    const before = sum
    sum = covered.reduce((total, {start, end}) => total + end - start, 0)
    return sum - before
  }
  return {
    waiting: take(waits),
    tools: take(tools.filter(({tool}) => tool !== 'Task')),
    subAgents: take(tools.filter(({tool}) => tool === 'Task')),
    model: take(model),
    rest: Math.max(0, to - from - sum),
  }
}

/** Merges overlapping spans; open ones extend to the end. */
function joinSpans(
  spans: readonly {start: number; end?: number | undefined}[],
  from: number,
  to: number,
): Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const start = Math.max(from, span.start)
    const end = Math.min(to, span.end ?? to)
    if (end > start) append(joined, start, end)
  }
  return joined
}

/** Merges two sorted lists. */
function mergeSpans(one: readonly Span[], other: readonly Span[]): Span[] {
  const merged: Span[] = []
  let left = 0
  let right = 0
  for (;;) {
    const first = one[left]
    const second = other[right]
    if (first === undefined && second === undefined) return merged
    const isFirst = second === undefined || (first !== undefined && first.start <= second.start)
    const next = isFirst ? first : second
    if (isFirst) left++
    else right++
    if (next !== undefined) append(merged, next.start, next.end)
  }
}

function append(spans: Span[], start: number, end: number): void {
  const last = spans.at(-1)
  if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
  else spans.push({start, end})
}
