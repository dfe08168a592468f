import type {TimelineLane} from '../model/timeline-data.ts'

/** Where the time of a run went. The parts are all of it: what happens at once counts as the first of these. */
export interface TimeSpent {
  /** It waited for an answer, a limit, another try. */
  waiting: number
  tools: number
  subAgents: number
  /** The model thought or wrote. */
  model: number
  /** Nothing was seen to happen. */
  rest: number
}

/** A time that has an end. */
interface Span {
  start: number
  end: number
}

/** Says where the time of an agent went between two moments, as its lane shows it. */
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

/** Makes spans that overlap one; those that go on go up to the end. */
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

/** Both lists as one, in order. */
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
