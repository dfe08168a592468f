import {countTokens, type Usage} from '../../../src/core/run/ledger.ts'
import {summarizeRun, type RunSummary} from '../../../src/core/run/run-summary.ts'
import {explainWaiting} from '../../../src/core/run/waiting.ts'
import {lastBy} from '../model/last-by.ts'
import type {RunSnapshot, Sample} from '../model/run-model.ts'

/** The summary of a run at a moment or now: for a replay, and without a hub. */
export function summarizeAt(
  runId: string,
  model: RunSnapshot,
  until: number = Number.POSITIVE_INFINITY,
): RunSummary {
  const {start, end, lastAt} = model
  const isOver = end !== undefined && end.at <= until
  const at = Math.min(until, end?.at ?? lastAt)
  const startedAt = start?.startedAt ?? at
  const state = isOver ? model.state : model.stateAt(at)
  const sample = lastBy(model.spending, at)
  return summarizeRun({
    runId,
    workOrderId: runId,
    origin: {
      agent: start?.agent ?? null,
      monogram: start?.monogram,
      title: start?.title ?? '',
      cwd: start?.cwd ?? '',
      startedAt,
      host: start?.host,
    },
    state,
    usage: toSpent(sample),
    progress: {percentage: isOver ? 100 : 0, phase: ''},
    waiting: isOver ? undefined : explainWaiting(state, at, state.lastAt ?? at),
    ending: isOver ? end : undefined,
  })
}

function toSpent(sample: Sample | undefined): Usage {
  if (sample === undefined) return {isEstimate: false}
  const {input, output, cacheRead, cacheWrite, costUsd, isEstimate} = sample
  const tokens = {input, output, cacheRead, cacheWrite}
  return {
    tokens: countTokens(tokens) === 0 ? undefined : tokens,
    costUsd: costUsd ?? undefined,
    isEstimate,
  }
}

/** The context size at a moment, as last reported; a failed request reports none. */
export function contextAt(spending: readonly Sample[], at: number): number | undefined {
  return spending.findLast((sample) => sample.at <= at && (sample.context ?? 0) > 0)?.context
}
