import {expect, test} from 'vitest'
import {splitWindows} from '../../replay/line-window.ts'
import {joinRanges, readRecordsQuery} from './records-query.ts'

const rights = {view: true, answer: false, ingest: false}
const linesOf = (lines: string) => readRecordsQuery(new URLSearchParams({lines}), rights)

test('sorts ranges of lines and joins those that touch or overlap', () => {
  expect(
    joinRanges([
      [20, 25],
      [3, 3],
      [24, 30],
      [4, 6],
      [3, 3],
      [32, 32],
    ]),
  ).toEqual([
    [3, 6],
    [20, 30],
    [32, 32],
  ])
})

test('reads a line that is asked for a thousand times once', () => {
  const query = linesOf(Array.from({length: 999}, () => '3001').join(','))
  expect(query).toEqual({type: 'lines', ranges: [[3001, 3001]]})
})

test('reads ranges in one window when the lines between them are read for the warm-up anyway', () => {
  const ranges = joinRanges([
    [1, 1],
    [2001, 2001],
    [4002, 4005],
    [9000, 9000],
  ])
  expect(splitWindows(ranges)).toEqual([
    [
      [1, 1],
      [2001, 2001],
    ],
    [[4002, 4005]],
    [[9000, 9000]],
  ])
})
