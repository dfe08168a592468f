import {createRowPacker, type PackedSpans} from './pack-rows.ts'
import type {
  ModelSpan,
  TimelineData,
  TimelineLane,
  TimelineMark,
  ToolSpan,
  WaitSpan,
} from '../model/timeline-data.ts'

/** A lane with its spans packed into rows; or several finished lanes merged into one. */
export interface Track {
  id: string
  kind: TimelineLane['kind'] | 'fold'
  label: string
  detail: string
  monogram?: string | undefined
  tools: PackedSpans<ToolSpan>
  model: PackedSpans<ModelSpan>
  waits: PackedSpans<WaitSpan>
  marks: PackedSpans<TimelineMark>
  silentSince?: number | undefined
}

/** The number of lanes from which finished ones are collapsed. */
const MAX_LANES = 8
const ROW_LIMITS = {main: 4, agent: 1, background: 3} as const
const FOLD_ID = 'folded lanes'

/**
 * Creates a function that turns lanes into tracks, incrementally. With `isHeld` no further lane is collapsed, so that
 * nothing moves under the pointer.
 */
export function createTrackBuilder(): (
  data: TimelineData,
  options: {isUnfolded: boolean; isHeld: boolean},
) => readonly Track[] {
  const packers = new Map<string, ReturnType<typeof createLanePacker>>()
  const packFold = createLanePacker('agent')
  let folded: ReadonlySet<string> = new Set()
  let foldKey = ''
  let foldTrack: Track | undefined

  return (data, {isUnfolded, isHeld}) => {
    const wanted = pickFolded(data.lanes)
    if (!isHeld || !isSubset(folded, wanted)) folded = wanted
    const tracks: Track[] = []
    const hidden: TimelineLane[] = []
    let foldAt = 0
    for (const lane of data.lanes) {
      if (folded.has(lane.id)) {
        if (hidden.length === 0) foldAt = tracks.length
        hidden.push(lane)
        if (!isUnfolded) continue
      }
      tracks.push(packLane(lane))
    }
    if (hidden.length > 0) tracks.splice(foldAt, 0, fold(hidden))
    return tracks
  }

  function packLane(lane: TimelineLane): Track {
    let pack = packers.get(lane.id)
    if (pack === undefined) packers.set(lane.id, (pack = createLanePacker(lane.kind)))
    return {...pack(lane), id: lane.id, kind: lane.kind, monogram: lane.monogram}
  }

  function fold(lanes: readonly TimelineLane[]): Track {
    const key = lanes.map((lane) => `${lane.id} ${lane.tools.length}`).join('\n')
    if (foldTrack === undefined || key !== foldKey) {
      foldKey = key
      foldTrack = {...packFold(joinLanes(lanes)), id: FOLD_ID, kind: 'fold'}
    }
    return foldTrack
  }
}

/** The finished sub-agents, when there are too many lanes. A single one is not collapsed. */
function pickFolded(lanes: readonly TimelineLane[]): ReadonlySet<string> {
  if (lanes.length <= MAX_LANES) return new Set()
  const done = lanes.filter((lane) => lane.kind === 'agent' && lane.isDone)
  return new Set(done.length > 1 ? done.map((lane) => lane.id) : [])
}

function isSubset(part: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const one of part) if (!all.has(one)) return false
  return true
}

function joinLanes(lanes: readonly TimelineLane[]): TimelineLane {
  const tools = lanes.flatMap((lane) => lane.tools)
  return {
    id: FOLD_ID,
    kind: 'agent',
    label: `${lanes.length} sub-agents, done`,
    detail: '',
    isDone: true,
    tools: tools.toSorted((one, other) => one.start - other.start),
    model: [],
    waits: [],
    marks: [],
  }
}

function createLanePacker(kind: TimelineLane['kind']) {
  const tools = createRowPacker<ToolSpan>(ROW_LIMITS[kind])
  const model = createRowPacker<ModelSpan>(1)
  const waits = createRowPacker<WaitSpan>(1)
  const marks = createRowPacker<TimelineMark>(1)
  return (lane: TimelineLane) => ({
    label: lane.label,
    detail: lane.detail,
    silentSince: lane.silentSince,
    tools: tools(lane.tools),
    model: model(lane.model),
    waits: waits(lane.waits),
    marks: marks(lane.marks),
  })
}
