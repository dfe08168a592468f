import {
  initialRunState,
  reduceRunState,
  resolveRequest,
  type RunState,
} from '../../../src/core/run/run-state.ts'
import type {
  EndItem,
  FileItem,
  LineItem,
  RunItem,
  SlimEvent,
  SpentSoFar,
  StartItem,
  SubAgentSpent,
} from '../../../src/replay/run-item.ts'
import {lastBy} from './last-by.ts'
import {createFeedBuilder, type FeedLists, type SeenEvent} from './feed-builder.ts'
import {createRecordTable, type RecordTable} from './records.ts'
import type {FilterCounts} from './rows.ts'

/** Builds the model of one run from its items, incrementally. */
export type RunModel = ReturnType<typeof createRunModel>

/** The model of a run at a time. Its lists only grow, in place: a later snapshot shares them. */
export interface RunSnapshot extends FeedLists {
  lastItem: number
  start: StartItem | undefined
  end: EndItem | undefined
  lastAt: number
  state: RunState
  /** How many entries each filter shows. */
  counts: FilterCounts
  /** Changes whenever a file changed. */
  fileVersion: number
  records: RecordTable
  /** The usage over time. */
  spending: readonly Sample[]
  /** The usage of each sub-agent over time. */
  subAgentSpending: readonly SubAgentSample[]
  /** File changes seen on disk, in order. */
  seenFiles: readonly FileItem[]
  /** The state at a moment, as far as it is known. */
  stateAt(at: number): RunState
}

/** The usage up to a moment. */
export interface Sample extends Omit<SpentSoFar, 'subAgents'> {
  at: number
}

/** The usage of a sub-agent up to a moment. */
export interface SubAgentSample extends SubAgentSpent {
  at: number
}

/** How many past states are kept; little happens between two of them. */
const MAX_KEPT_STATES = 4000

/** Creates the model of a run without items. */
export function createRunModel() {
  let lastItem = 0
  let start: StartItem | undefined
  let end: EndItem | undefined
  let lastAt = 0
  let state = initialRunState
  const feed = createFeedBuilder()
  const records = createRecordTable()
  const spending: Sample[] = []
  const subAgentSpending: SubAgentSample[] = []
  const seenFiles: FileItem[] = []
  let kept: {at: number; state: RunState}[] = []
  let keepEvery = 1
  let sinceKept = 0

  let snapshot = takeSnapshot()

  return {
    /** The current snapshot: a new object after each change. */
    get snapshot() {
      return snapshot
    },
    take(items: readonly RunItem[]): void {
      for (const item of items) {
        // Items repeated after a reconnect are ignored.
        if (item.n <= lastItem) continue
        lastItem = item.n
        lastAt = Math.max(lastAt, item.at)
        takeOne(item)
        keep(item.at)
      }
      snapshot = takeSnapshot()
    },
  }

  function takeSnapshot(): RunSnapshot {
    const lists = {...feed.lists, records, spending, subAgentSpending, seenFiles}
    const counts = {...feed.counts}
    const fileVersion = feed.fileChanges + seenFiles.length
    return {lastItem, start, end, lastAt, state, counts, fileVersion, ...lists, stateAt}
  }

  function stateAt(at: number): RunState {
    const last = lastBy(kept, at)
    // Changes since the last kept state are reduced from the latest one.
    return last !== undefined && last === kept.at(-1) ? state : (last?.state ?? initialRunState)
  }

  function takeOne(item: RunItem): void {
    switch (item.type) {
      case 'start':
        start = item
        state = {...state, activity: {...state.activity, since: item.at}}
        return feed.begin(item)
      case 'line':
        return takeLine(item)
      case 'answer':
        state = resolveRequest(state, item.requestId, item.at)
        return feed.answer(item)
      case 'file':
        seenFiles.push(item)
        return
      case 'end':
        end = item
        see(item.events, {prefix: 'end', line: records.count, at: item.at})
        return feed.end(item)
      default:
        item satisfies never
    }
  }

  function takeLine(item: LineItem): void {
    records.add(item)
    if (item.spent !== undefined) {
      const {subAgents = [], ...spent} = item.spent
      spending.push({at: item.at, ...spent})
      for (const one of subAgents) subAgentSpending.push({at: item.at, ...one})
    }
    see(item.events, {prefix: String(item.line), line: item.line, at: item.at})
  }

  function see(
    events: readonly SlimEvent[],
    {prefix, line, at}: {prefix: string; line: number; at: number},
  ): void {
    const agent = start?.agent ?? ''
    for (const [index, slim] of events.entries()) {
      // Nothing else uses the parsed object: copying it would take as long as everything else here.
      const event: SeenEvent = Object.assign(slim, {line, at, agent})
      feed.see(event, `${prefix}:${index}`)
      state = reduceRunState(state, event)
    }
  }

  function keep(at: number): void {
    if (++sinceKept < keepEvery) return
    sinceKept = 0
    kept.push({at, state})
    if (kept.length <= MAX_KEPT_STATES) return
    kept = kept.filter((_, index) => index % 2 === 0)
    keepEvery *= 2
  }
}
