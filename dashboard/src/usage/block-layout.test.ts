import {expect, test} from 'vitest'
import type {UsageBlock} from '../hub/usage-api.ts'
import {drawBlock, projectShare} from './block-layout.ts'

const HOUR = 3_600_000
const block: UsageBlock = {
  from: 0,
  to: 5 * HOUR,
  isOpen: true,
  tokens: 1000,
  costUsd: 5,
  isEstimate: true,
  projectedUsd: 10,
  burnUsdPerHour: 2,
  burnTokensPerMinute: 100,
  usedShare: 0.4,
  reportedAt: 0,
  models: [],
  points: [
    [HOUR, 2],
    [2 * HOUR, 5],
  ],
}
const frame = {width: 500, height: 106}

test('draws the cost until now, and the expected cost until the end', () => {
  expect(drawBlock(block, frame, 3 * HOUR)).toEqual({
    line: 'M0 106L100 86L200 56L300 56',
    area: 'M0 106L100 86L200 56L300 56L300 106L0 106z',
    projection: 'M300 56L500 6',
    end: {x: 300, y: 56},
  })
})

test('draws a closed or empty block without an expected cost', () => {
  expect(drawBlock(block, frame, 6 * HOUR).projection).toBe('')
  expect(drawBlock({...block, projectedUsd: null}, frame, HOUR).projection).toBe('')
  const empty = {...block, points: [], costUsd: null, projectedUsd: null}
  expect(drawBlock(empty, frame, HOUR).line).toBe('M0 106L100 106')
})

test('projects the share of the limit', () => {
  expect(projectShare(block)).toBe(0.8)
  expect(projectShare({...block, usedShare: null})).toBeUndefined()
  expect(projectShare({...block, costUsd: 0})).toBeUndefined()
})
