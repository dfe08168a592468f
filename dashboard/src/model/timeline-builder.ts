import {NOTICE_WORDS} from '../../../src/core/words/status-words.ts'
import {nameTool} from '../../../src/core/words/tool-words.ts'
import type {
  ModelSpan,
  TimelineData,
  TimelineLane,
  TimelineMark,
  ToolSpan,
  WaitSpan,
} from './timeline-data.ts'
import type {EntryId, NoticeEntry, RequestEntry, TaskEntry, ToolEntry} from './entry.ts'

/** Builds the lanes of a run. */
export type TimelineBuilder = ReturnType<typeof createTimelineBuilder>

/** The lanes of a run so far; lanes and their spans change in place. */
export type GrowingTimeline = Pick<TimelineBuilder, 'lanes' | 'turns'>

export interface GrowingLane extends Omit<TimelineLane, 'detail'> {
  label: string
  isDone: boolean
  tools: ToolSpan[]
  model: ModelSpan[]
  waits: WaitSpan[]
  marks: TimelineMark[]
}

/** Shorter pauses are not shown. */
const NO_PAUSE_MS = 250

export function createTimelineBuilder() {
  const main = createLane('', 'main', 'Main')
  const lanes: GrowingLane[] = [main]
  const byId = new Map([['', main]])
  const tools = new Map<EntryId, ToolSpan>()
  const waits = new Map<EntryId, WaitSpan>()
  const tasks = new Map<EntryId, ToolSpan>()
  /** When turns after the first started. */
  const turns: number[] = []
  let background: GrowingLane | undefined
  /** The earliest start of the activity of each agent. */
  const idleSince = new Map<string, number>()

  return {
    lanes,
    turns,
    /** Adds model activity: text, a call or thinking. */
    work(speaker = '', at: number, isThinking: boolean): void {
      const {model} = laneOf(speaker)
      const since = idleSince.get(speaker) ?? at
      idleSince.set(speaker, at)
      const last = model.at(-1)
      if (
        last !== undefined &&
        last.isThinking === isThinking &&
        since - last.end <= NO_PAUSE_MS &&
        at >= last.end
      ) {
        last.end = at
      } else model.push({start: Math.min(since, at), end: at, isThinking})
    },
    startTool(entry: ToolEntry): void {
      const {id, at, tool, name, summary, parentId = ''} = entry
      const label = summary === '' ? nameTool({tool, name}) : lastName(summary)
      const span: ToolSpan = {id, start: at, tool, label, hasFailed: false}
      laneOf(parentId).tools.push(span)
      tools.set(id, span)
      if (tool === 'Task') openLane(entry.toolId, summary || name, at)
    },
    endTool({id, toolId, tool, endAt, ok, isUnfinished, parentId = ''}: ToolEntry): void {
      const span = tools.get(id)
      if (span === undefined) return
      tools.delete(id)
      span.end = endAt
      span.hasFailed = ok === false && !isUnfinished
      idleSince.set(parentId, endAt ?? 0)
      const lane = tool === 'Task' ? byId.get(toolId) : undefined
      if (lane !== undefined) lane.isDone = true
    },
    startWait(entry: NoticeEntry | RequestEntry): void {
      const {id, at, parentId = ''} = entry
      const kind = entry.type === 'request' ? 'request' : entry.kind
      const label = kind === 'request' ? 'Waited for an answer' : NOTICE_WORDS[kind]
      const span: WaitSpan = {id, start: at, kind, label}
      laneOf(parentId).waits.push(span)
      waits.set(id, span)
    },
    endWait(id: EntryId, at: number): void {
      const span = waits.get(id)
      if (span === undefined) return
      waits.delete(id)
      span.end = at
      idleSince.set('', at)
    },
    startTask({id, at, description}: TaskEntry): void {
      if (background === undefined) {
        background = createLane('background', 'background', 'In background')
        lanes.push(background)
      }
      background.isDone = false
      // Background tasks are commands.
      const span: ToolSpan = {id, start: at, tool: 'Bash', label: description, hasFailed: false}
      background.tools.push(span)
      tasks.set(id, span)
    },
    endTask({id, endAt, ok}: TaskEntry): void {
      const span = tasks.get(id)
      if (span === undefined || background === undefined) return
      tasks.delete(id)
      span.end = endAt
      span.hasFailed = ok === false
      background.isDone = tasks.size === 0
    },
    mark: (mark: TimelineMark) => void main.marks.push(mark),
    startTurn: (at: number) => void turns.push(at),
    /** Marks the time of the agent up to here as idle. */
    rest: (at: number) => void idleSince.set('', at),
  }

  function laneOf(id: string): GrowingLane {
    return byId.get(id) ?? main
  }

  function openLane(id: string, label: string, at: number): void {
    const lane = createLane(id, 'agent', label)
    byId.set(id, lane)
    idleSince.set(id, at)
    // The background lane stays last.
    if (background === undefined) lanes.push(lane)
    else lanes.splice(lanes.indexOf(background), 0, lane)
  }
}

/** Cuts the start of a path, because its end identifies it. */
function lastName(summary: string): string {
  return /^[\w./~-]+$/.test(summary)
    ? (summary.split('/').findLast((part) => part !== '') ?? summary)
    : summary
}

function createLane(id: string, kind: GrowingLane['kind'], label: string): GrowingLane {
  return {id, kind, label, isDone: false, tools: [], model: [], waits: [], marks: []}
}

/** The lanes to draw, now or at an earlier moment. */
export function describeTimeline(
  {lanes, turns}: GrowingTimeline,
  range: {startedAt: number; endedAt?: number | undefined; until?: number | undefined},
  detailOf: (lane: GrowingLane) => Pick<TimelineLane, 'detail' | 'monogram' | 'silentSince'>,
): TimelineData {
  const {startedAt, endedAt, until} = range
  const seen = lanes.map((lane) => {
    return {...(until === undefined ? lane : cutLane(lane, until)), ...detailOf(lane)}
  })
  if (until === undefined) return {startedAt, endedAt, lanes: seen, turns}
  const begun = seen.filter(
    ({kind, tools, model}) => kind === 'main' || tools.length > 0 || model.length > 0,
  )
  return {startedAt, endedAt, lanes: begun, turns: turns.filter((at) => at <= until)}
}

function cutLane(lane: GrowingLane, until: number): GrowingLane {
  return {
    ...lane,
    tools: cutSpans(lane.tools, until, (span) => ({...span, end: undefined, hasFailed: false})),
    waits: cutSpans(lane.waits, until, (span) => ({...span, end: undefined})),
    model: cutSpans(lane.model, until, (span) => ({...span, end: until})),
    marks: lane.marks.filter(({at}) => at <= until),
  }
}

/** The spans that had started, with the ends known at that moment. */
function cutSpans<T extends {start: number; end?: number | undefined}>(
  spans: readonly T[],
  until: number,
  cut: (span: T) => T,
): T[] {
  return spans
    .filter(({start}) => start <= until)
    .map((span) => (span.end !== undefined && span.end > until ? cut(span) : span))
}
