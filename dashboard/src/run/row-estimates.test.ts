import {expect, test, vi} from 'vitest'
import type {Entry} from '../model/entry.ts'
import {createRowEstimates} from './row-estimates.ts'

function makeRow(line: number, text = ''): Entry {
  return {type: 'prompt', id: `${line}:0`, at: line, line, lastLine: line, depth: 0, text}
}

test('estimates only the rows from the first one that changed', () => {
  const isOpen = vi.fn<() => boolean>(() => false)
  const estimates = createRowEstimates()
  const rows = [makeRow(1), makeRow(2, 'x'.repeat(500))]
  estimates.update(rows, isOpen)
  expect(estimates.getHeight(1)).toBeGreaterThan(estimates.getHeight(0))
  expect(isOpen).toHaveBeenCalledTimes(2)
  estimates.update([...rows, makeRow(3)], isOpen)
  expect(isOpen).toHaveBeenCalledTimes(3)
  expect([0, 1, 2].map(estimates.getId)).toEqual(['1:0', '2:0', '3:0'])
})

test('forgets rows that are gone and follows rows that move', () => {
  const estimates = createRowEstimates()
  const [first, second] = [makeRow(1, 'x'.repeat(500)), makeRow(2)]
  estimates.update([first, second], () => false)
  const height = estimates.getHeight(0)
  estimates.update([second, first], () => false)
  expect([0, 1].map(estimates.getId)).toEqual(['2:0', '1:0'])
  expect(estimates.getHeight(1)).toBe(height)
  estimates.update([second], () => false)
  expect(estimates.getId(1)).toBe('')
})
