import {expect, test} from 'vitest'
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
