import {expect, test} from 'vitest'
import {pathOfRuns} from './paths.ts'

const span = {from: '2026-10-18', to: '2026-11-16'}

test('leads to the list of the range with the chosen filters', () => {
  expect(pathOfRuns(span, {agent: '', project: ''})).toBe('/?date=2026-10-18..2026-11-16')
  expect(pathOfRuns(span, {agent: 'claude', project: '/a b'})).toBe(
    '/?agent=claude&project=%2Fa+b&date=2026-10-18..2026-11-16',
  )
})
