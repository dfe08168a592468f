import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {findNearestDays} from './nearest-days.ts'

test('finds the nearest days with usage on both sides of a range', () => {
  const days = ['2026-11-01', '2026-11-03', '2026-11-12', '2026-11-10']
  const cells = days.map((day) => makeCell({day}))
  expect(findNearestDays(cells, {from: '2026-11-05', to: '2026-11-08'})).toEqual({
    before: '2026-11-03',
    after: '2026-11-10',
  })
  expect(findNearestDays(cells, {from: '2026-11-13', to: '2026-11-14'})).toEqual({
    before: '2026-11-12',
    after: undefined,
  })
  expect(findNearestDays([], {from: '2026-11-13', to: '2026-11-14'})).toEqual({})
})
