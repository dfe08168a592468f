import {expect, test} from 'vitest'
import {stateOfSession} from './session-state.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

test.each([
  ['live', 5 * SECOND, true],
  ['idle', 15 * SECOND, true],
  ['live', 9 * MINUTE, false],
  ['idle', 11 * MINUTE, false],
  ['ended', 61 * MINUTE, true],
] as const)('a session is %s %d ms after its last record', (state, age, isTurnOver) => {
  const writtenAt = NOW - age
  expect(stateOfSession({writtenAt, endedAt: writtenAt, isTurnOver}, NOW)).toBe(state)
})

test('a copied session has ended, unless it is being written', () => {
  const endedAt = NOW - 2 * DAY
  const stateAfter = (age: number) =>
    stateOfSession({writtenAt: NOW - age, endedAt, isTurnOver: false}, NOW)
  expect(stateAfter(MINUTE)).toBe('ended')
  expect(stateAfter(SECOND)).toBe('live')
})
