/** A period, open until it has an end; or a moment. */
export type Span = {start: number; end?: number | undefined; hasFailed?: boolean} | {at: number}

/** Spans of one row in columns, ordered by start. */
export interface SpanRow {
  /** The index of each in the array of spans. */
  indices: number[]
  starts: number[]
  /** Infinite while it is open. */
  ends: number[]
  /** The latest end up to and including each span: ascending, so it can be searched. */
  reach: number[]
  /** The number of failures up to and including each span. */
  failures: number[]
  /** The positions of open spans. */
  open: number[]
  /** Whether some spans overlap, because no row was free. */
  isOverlapping: boolean
}

/** Spans and the rows they were packed into. */
export interface PackedSpans<T> {
  spans: readonly T[]
  rows: readonly SpanRow[]
}

/**
 * Creates a function that packs spans into rows, each into the first free one. It continues incrementally when it
 * gets the same spans with more at the end; a span never changes its row.
 */
export function createRowPacker<T extends Span>(
  limit: number,
): (spans: readonly T[]) => PackedSpans<T> {
  let rows: SpanRow[] = []
  let known: readonly Span[] = []
  let count = 0
  let firstStart = 0
  let lastStart = 0

  return (spans) => {
    if (isContinued(spans)) {
      for (const row of rows) refreshRow(row, spans, spans !== known)
    } else {
      rows = []
      count = 0
    }
    for (; count < spans.length; count++) {
      const span = spans[count]
      if (span === undefined) continue
      const start = startOf(span)
      if (count === 0) firstStart = start
      lastStart = start
      pushSpan(pickRow(rows, limit, start), count, span)
    }
    known = spans
    return {spans, rows}
  }

  function isContinued(spans: readonly Span[]): boolean {
    const first = spans[0]
    const last = spans[count - 1]
    if (first === undefined || last === undefined) return count === 0
    return startOf(first) === firstStart && startOf(last) === lastStart
  }
}

/** How many spans at the end of a row are read again, as they may have grown without being open. */
const RECENT = 32

/** Reads changed spans again: the open and the last ones, or all when the array is a different one. */
function refreshRow(row: SpanRow, spans: readonly Span[], isAll: boolean): void {
  const length = row.indices.length
  const from = isAll ? 0 : Math.max(0, length - RECENT)
  let changed = length
  for (let at = from; at < length && changed === length; at++) {
    if (hasChanged(row, at, spans)) changed = at
  }
  for (const at of row.open) {
    if (at < changed && hasChanged(row, at, spans)) changed = at
  }
  if (changed === length) return
  const indices = row.indices.slice(changed)
  for (const column of [row.indices, row.starts, row.ends, row.reach, row.failures]) {
    column.length = changed
  }
  row.open = row.open.filter((at) => at < changed)
  for (const index of indices) {
    const span = spans[index]
    if (span !== undefined) pushSpan(row, index, span)
  }
}

function hasChanged(row: SpanRow, at: number, spans: readonly Span[]): boolean {
  const span = spans[row.indices[at] ?? -1]
  if (span === undefined) return true
  const hadFailed = (row.failures[at] ?? 0) > (row.failures[at - 1] ?? 0)
  return endOf(span) !== row.ends[at] || hasFailed(span) !== hadFailed
}

function pickRow(rows: SpanRow[], limit: number, start: number): SpanRow {
  for (const row of rows) if ((row.reach.at(-1) ?? -Infinity) <= start) return row
  const last = rows.at(-1)
  if (last !== undefined && rows.length >= limit) {
    last.isOverlapping = true
    return last
  }
  const row = {
    indices: [],
    starts: [],
    ends: [],
    reach: [],
    failures: [],
    open: [],
    isOverlapping: false,
  }
  rows.push(row)
  return row
}

function pushSpan(row: SpanRow, index: number, span: Span): void {
  // A record out of order must not break the search.
  const start = Math.max(startOf(span), row.starts.at(-1) ?? -Infinity)
  const end = endOf(span)
  if (end === Infinity) row.open.push(row.indices.length)
  row.reach.push(Math.max(end, row.reach.at(-1) ?? -Infinity))
  row.failures.push((row.failures.at(-1) ?? 0) + (hasFailed(span) ? 1 : 0))
  row.indices.push(index)
  row.starts.push(start)
  row.ends.push(end)
}

function startOf(span: Span): number {
  return 'at' in span ? span.at : span.start
}

function endOf(span: Span): number {
  return 'at' in span ? span.at : (span.end ?? Infinity)
}

function hasFailed(span: Span): boolean {
  return 'hasFailed' in span && span.hasFailed === true
}
