import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createArrivalTimes} from './arrival-times.ts'
import type {TimedChunk} from '../timing.ts'

const CHUNKS: TimedChunk[] = [
  {at: 1, kind: 'out', end: 10},
  {at: 2, kind: 'err', end: 3},
  {at: 3, kind: 'out', end: 25},
  {at: 4, kind: 'err', end: 8},
]

test('finds the chunk of every byte of stdout and stderr', () => {
  const out = createArrivalTimes(CHUNKS, 'out')
  expect([0, 9, 10, 24].map((offset) => out.chunkAt(offset)?.at)).toEqual([1, 1, 3, 3])
  expect(out.chunkAt(25)).toBeUndefined()
  expect(out.last).toEqual({at: 3, kind: 'out', end: 25})
  const err = createArrivalTimes(CHUNKS, 'err')
  expect([0, 2, 3, 7].map((offset) => err.chunkAt(offset)?.at)).toEqual([2, 2, 4, 4])
  expect(err.last?.end).toBe(8)
})

test('returns nothing without chunks', () => {
  const none = createArrivalTimes(CHUNKS, 'answer')
  expect(none.chunkAt(0)).toBeUndefined()
  expect(none.last).toBeUndefined()
})

test('finds the first chunk that reaches a byte when ends go back', () => {
  const ends = fc.array(fc.integer({min: 1, max: 50}), {maxLength: 20})
  fc.assert(
    fc.property(ends, fc.nat({max: 60}), (list, offset) => {
      const chunks = list.map((end, at): TimedChunk => ({at, kind: 'out', end}))
      const arrivals = createArrivalTimes(chunks, 'out')
      expect(arrivals.chunkAt(offset)).toBe(chunks.find(({end}) => end > offset))
      expect(arrivals.last?.end ?? 0).toBe(Math.max(0, ...list))
    }),
  )
})
