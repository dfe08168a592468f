import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {isShown, makeSections, type SectionOptions, type Show} from './sections.ts'

const NOW = Date.UTC(2026, 10, 16, 14, 0)
const HOUR = 3_600_000

function over(runId: string, hoursAgo: number, fields: Partial<RunSummary> = {}): RunSummary {
  const startedAt = NOW - hoursAgo * HOUR
  const times = {startedAt, durationMs: 60_000, endedAt: startedAt + 60_000}
  return makeRun({runId, state: 'over', verdict: 'succeeded', ...times, ...fields})
}

const urgent = makeRun({
  runId: 'urgent',
  startedAt: NOW - 5,
  requests: [{requestId: 'r', name: 'Bash', askedAt: 0}],
})
const stuck = makeRun({runId: 'stuck', startedAt: NOW - 9, isStuck: true})
const old = makeRun({runId: 'old', startedAt: NOW - 900, costUsd: 3})
const young = makeRun({runId: 'young', startedAt: NOW - 100, costUsd: 1})
const retry = makeRun({runId: 'retry', waiting: {why: 'api-retry', detail: '', since: 0}})

function show(runs: readonly RunSummary[], options: Partial<SectionOptions> = {}): string[] {
  const sections = makeSections(runs, {sort: 'newest', isByWorkOrder: false, now: NOW, ...options})
  return sections.map(({title, note, runIds}) => {
    return `${note === undefined ? title : `${title} (${note})`}: ${runIds.join(' ')}`
  })
}

describe('sections', () => {
  test('are ordered by urgency, then by day', () => {
    const runs = [
      over('e', 1),
      old,
      retry,
      urgent,
      over('y', 20),
      young,
      stuck,
      over('w', 80),
      over('l', 9000),
    ]
    expect(show(runs)).toEqual([
      'Needs you: urgent stuck',
      'Working: young old',
      'Waiting: retry',
      'Ended today: e',
      'Yesterday: y',
      'Friday 13 November: w',
      'Thursday 6 November 2025: l',
    ])
  })

  test('sort their runs by the selected order', () => {
    expect(show([young, old], {sort: 'cost'})).toEqual(['Working: old young'])
    expect(show([young, old], {sort: 'time'})).toEqual(['Working: old young'])
    expect(show([over('a', 1), over('b', 2, {durationMs: 120_000})], {sort: 'time'})).toEqual([
      'Ended today: b a',
    ])
  })

  test('group runs that share a work order', () => {
    const runs = [
      over('a', 3, {workOrderId: 'wo-1', costUsd: 1}),
      over('b', 2, {workOrderId: 'wo-1', costUsd: 0.5, isEstimate: true}),
      {...young, workOrderId: 'wo-2'},
      {...urgent, workOrderId: 'wo-2'},
      over('c', 1),
    ]
    expect(show(runs, {isByWorkOrder: true})).toEqual([
      'wo-2 (2 runs · $1.00): urgent young',
      'wo-1 (2 runs · ≈ $1.50): b a',
      'Ended today: c',
    ])
  })
})

test('each chip shows the runs of its state', () => {
  const bad = over('bad', 1, {verdict: 'truncated'})
  const all = [urgent, stuck, old, retry, over('e', 1), bad]
  const count = (chip: Show) => all.filter((run) => isShown(run, chip)).length
  expect([
    count('all'),
    count('needs-you'),
    count('working'),
    count('waiting'),
    count('failed'),
  ]).toEqual([6, 2, 1, 1, 1])
})
