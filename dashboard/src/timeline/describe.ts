import {formatClock, formatCount, formatNumber, formatOffset, formatTime} from '../ui/figures.ts'
import type {Target} from './find-target.ts'
import type {TimelineData} from '../model/timeline-data.ts'
import type {Track} from './tracks.ts'

/** Describes a target in two lines: its name and its time. */
export function describeTarget(
  {type, placed, cluster, index}: Target,
  startedAt: number,
  edge: number,
): {title: string; detail: string} {
  const end = Math.min(cluster.end, edge)
  const parts = [formatOffset(cluster.start - startedAt), formatClock(cluster.start)]
  if (type !== 'marks' && cluster.count === 1) parts.unshift(formatTime(end - cluster.start))
  const detail = parts.join(' · ')
  const {track} = placed
  if (cluster.count > 1) return {title: describeMany(type, cluster.count, cluster.failed), detail}
  if (type === 'model') {
    return {title: track.model.spans[index]?.isThinking === true ? 'Thinking' : 'Writing', detail}
  }
  const label = track[type].spans[index]?.label ?? ''
  const state = cluster.failed > 0 ? ', failed' : cluster.end === Infinity ? ', running' : ''
  return {title: `${label}${type === 'tools' ? state : ''}`, detail}
}

/** Describes the complete timeline in a sentence. */
export function summarizeTimeline(
  data: TimelineData,
  tracks: readonly Track[],
  edge: number,
): string {
  let calls = 0
  let failed = 0
  let waits = 0
  const agents = data.lanes.filter((lane) => lane.kind === 'agent').length
  for (const lane of data.lanes) {
    calls += lane.tools.length
    waits += lane.waits.length
  }
  const isUnfolded = tracks.length > data.lanes.length
  for (const {kind, tools} of tracks) {
    if (kind === 'fold' && isUnfolded) continue
    for (const row of tools.rows) failed += row.failures.at(-1) ?? 0
  }
  const parts = [
    `${formatCount(calls, 'tool call')} in ${formatCoarse(edge - data.startedAt)}`,
    failed > 0 ? `${formatNumber(failed)} failed` : '',
    waits > 0 ? formatCount(waits, 'wait') : '',
    agents > 0 ? formatCount(agents, 'sub-agent') : '',
    data.turns.length > 0 ? formatCount(data.turns.length + 1, 'result') : '',
    data.lanes.some((lane) => lane.silentSince !== undefined) ? 'silent at the end' : '',
  ]
  return `Timeline: ${parts.filter((part) => part !== '').join(', ')}. Arrow keys go from bar to bar.`
}

const WORDS = {tools: 'call', waits: 'wait', marks: 'mark', model: 'answer'} as const

function describeMany(type: Target['type'], count: number, failed: number): string {
  const words = formatCount(count, WORDS[type])
  return failed > 0 ? `${words}, ${formatNumber(failed)} failed` : words
}

/** Full minutes, so that a screen reader does not announce it every second. */
function formatCoarse(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'under a minute'
  return minutes < 60 ? `${minutes} m` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
