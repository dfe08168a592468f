import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {makeSections, type Totals} from './sections.ts'

/** A Monday; the next day is the first with an earlier day of its week. */
const NOW = Date.UTC(2026, 10, 16, 14, 0)
const HOUR = 3_600_000
const DAY = 24 * HOUR

function over(runId: string, hoursAgo: number, fields: Partial<RunSummary> = {}): RunSummary {
  const startedAt = NOW - hoursAgo * HOUR
  const times = {startedAt, durationMs: 60_000, endedAt: startedAt + 60_000}
  return makeRun({runId, state: 'over', verdict: 'succeeded', ...times, ...fields})
}

const urgent = makeRun({
  runId: 'urgent',
  startedAt: NOW - 900,
  requests: [{requestId: 'r', name: 'Bash', askedAt: 0}],
})
const stuck = makeRun({runId: 'stuck', startedAt: NOW - 950, isStuck: true})
const old = makeRun({runId: 'old', startedAt: NOW - 800, costUsd: 3})
const young = makeRun({runId: 'young', startedAt: NOW - 100, costUsd: 1})

function show(runs: readonly RunSummary[], totals?: Totals, now = NOW): string[] {
  return makeSections(runs, now, totals).map(
    ({title, runIds, missing}) =>
      `${title}: ${[...runIds, ...(missing > 0 ? [`+${missing}`] : [])].join(' ')}`,
  )
}

describe('sections', () => {
  test('have live runs first, those that need attention before the newest', () => {
    const idle = makeRun({runId: 'idle', kind: 'session', state: 'idle', startedAt: NOW - 9 * DAY})
    expect(show([old, urgent, idle, young, stuck])).toEqual(['Live: urgent stuck young old idle'])
  })

  test('have ended runs by the day of their start, before this week by month', () => {
    const runs = [
      over('e', 1),
      over('y', 20),
      over('w', 80),
      over('o', 600),
      over('l', 9000),
      young,
    ]
    expect(show(runs)).toEqual([
      'Live: young',
      'Today: e',
      'Yesterday: y',
      'November: w',
      'October: o',
      'November 2025: l',
    ])
  })

  test('name the earlier days of this week', () => {
    const thursday = NOW + 3 * DAY
    expect(show([over('m', 1), over('t', -24), over('s', 20)], undefined, thursday)).toEqual([
      'Tuesday 17 November: t',
      'Monday 16 November: m',
      'November: s',
    ])
  })

  test('count runs that are not loaded, without those that are live', () => {
    const days = [
      {day: '2026-11-16', count: 3, costUsd: 4, isEstimate: false},
      {day: '2026-11-15', count: 4, costUsd: 2, isEstimate: true},
      {day: '2026-10-02', count: 1, costUsd: null, isEstimate: false},
      {day: '2026-10-01', count: 1, costUsd: 0.5, isEstimate: false},
    ]
    const loaded = [young, over('e', 1), over('f', 2), over('y', 20)]
    const totals = {total: 9, loadedFrom: NOW - 20 * HOUR, days}
    expect(show(loaded, totals)).toEqual([
      'Live: young',
      'Today: e f',
      'Yesterday: y +3',
      'October: +2',
    ])
    expect(makeSections(loaded, NOW, totals).map(({count, cost}) => [count, cost])).toEqual([
      [1, undefined],
      [2, {usd: 3, isEstimate: false}],
      [4, {usd: 2, isEstimate: true}],
      [2, {usd: 0.5, isEstimate: false}],
    ])
  })

  test('expect no further run on days that are loaded, also when the counts are older', () => {
    const days = [
      {day: '2026-11-16', count: 5, costUsd: 1, isEstimate: false},
      {day: '2026-11-15', count: 9, costUsd: 1, isEstimate: false},
    ]
    const loaded = [over('e', 1), over('y', 20)]
    expect(show(loaded, {total: 4, loadedFrom: NOW - 20 * HOUR, days})).toEqual([
      'Today: e',
      'Yesterday: y +8',
    ])
    expect(show(loaded, {total: 2, loadedFrom: NOW - 20 * HOUR, days})).toEqual([
      'Today: e',
      'Yesterday: y',
    ])
  })

  test('have runs that are not loaded at the end when the hub does not count them', () => {
    const sections = makeSections([over('e', 1), over('y', 20)], NOW, {
      total: 7,
      loadedFrom: NOW - 20 * HOUR,
    })
    expect(sections.map(({count, missing}) => [count, missing])).toEqual([
      [1, 0],
      [undefined, 5],
    ])
  })
})
