import {describe, expect, test} from 'vitest'
import {makeRun} from '../../test/make-run.ts'
import {makeSections} from '../shell/sections.ts'
import {findDateRow} from './find-date-row.ts'
import {toTableItems} from './table-items.ts'

const NOW = Date.UTC(2026, 10, 18, 14, 0)
const over = (runId: string, startedAt: number) => makeRun({runId, startedAt, state: 'over'})
const runs = [
  makeRun({runId: 'live', startedAt: NOW - 9000}),
  over('a', Date.UTC(2026, 10, 18, 9)),
  over('b', Date.UTC(2026, 10, 12, 9)),
  over('c', Date.UTC(2026, 10, 10, 9)),
]
const count = (day: string, amount: number) => ({day, count: amount, costUsd: 0, isEstimate: false})
const days = [
  count('2026-11-18', 2),
  count('2026-11-12', 1),
  count('2026-11-10', 2),
  count('2026-10-30', 3),
  count('2026-10-20', 4),
]

function find(day: string): string | undefined {
  const totals = {total: 12, loadedFrom: Date.UTC(2026, 10, 10, 9), days}
  const sections = makeSections(runs, NOW, totals)
  const items = toTableItems(
    {sections, moved: new Map(), fresh: 0},
    new Map(runs.map((run) => [run.runId, run])),
  )
  return findDateRow(items, day, days)
}

describe('the row of a date', () => {
  test('is the heading if the section starts with it', () => {
    expect(find('2026-11-18')).toBe('section day-2026-11-18')
    expect(find('2026-11-17')).toBe('section month-2026-11')
  })

  test('is the last run that started until then', () => {
    expect(find('2026-11-11')).toBe('c')
  })

  test('is found by the counts of the days when it is not loaded', () => {
    expect(find('2026-10-31')).toBe('section month-2026-10')
    expect(find('2026-10-25')).toBe('missing month-2026-10 3')
    expect(find('2020-01-01')).toBe('missing month-2026-10 6')
  })
})
