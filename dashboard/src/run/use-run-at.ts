import {useMemo} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {describeTimeline} from '../model/timeline-builder.ts'
import {formatCount} from '../ui/figures.ts'
import {monogramOf} from '../ui/monogram-of.ts'
import {summarizeAt} from './summary-at.ts'

/** A run now, or at a moment of a replay. */
export type RunAt = ReturnType<typeof useRunAt>

/** Summary and timeline of a run, at a moment of a replay when one is given. */
export function useRunAt(snapshot: RunSnapshot, summary: RunSummary, until: number | undefined) {
  const startedAt = snapshot.start?.startedAt ?? summary.startedAt
  // The summary has it before all lines are loaded.
  const endedAt = snapshot.end?.at ?? summary.endedAt
  const run = useMemo(() => {
    if (until === undefined) return summary
    const {runId, title, workOrderId, kind} = summary
    return {...summarizeAt(runId, snapshot, until), title, workOrderId, kind}
  }, [summary, until, snapshot])
  const {agent, monogram, model, isStuck, waiting} = run
  const silentSince = isStuck && waiting?.why === 'silent' ? waiting.since : undefined
  const timelineData = useMemo(
    () =>
      describeTimeline(snapshot.timeline, {startedAt, endedAt, until}, ({kind, tools}) => {
        const detail = formatCount(tools.length, 'tool')
        if (kind !== 'main') return {detail}
        const facts = model === undefined ? detail : `${model} · ${detail}`
        return {detail: facts, monogram: monogramOf({agent, monogram}), silentSince}
      }),
    [snapshot, startedAt, endedAt, until, agent, monogram, model, silentSince],
  )
  const isOver = snapshot.end !== undefined || summary.state === 'over'
  return {snapshot, until, run, startedAt, endedAt, isOver, timelineData}
}
