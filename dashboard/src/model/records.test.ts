import {expect, test} from 'vitest'
import type {LineItem} from '../../../src/replay/run-item.ts'
import {createRecordTable} from './records.ts'

const item = (line: number, kind: string, isOdd = false): LineItem => ({
  type: 'line',
  n: line + 1,
  at: line * 1000,
  line,
  offset: line * 10,
  size: 10,
  kind,
  events: isOdd ? [{type: 'unknown', raw: 'x', reason: kind}] : [],
})

test('finds lines by index and by number, also when the last lines arrive first', () => {
  const table = createRecordTable()
  for (const line of [500, 501, 502])
    table.add(item(line, line === 501 ? 'odd' : 'user', line === 501))
  expect([table.count, table.size, table.unknownCount, table.malformedCount]).toEqual([3, 30, 1, 0])
  expect(table.at(0)).toMatchObject({line: 500, kind: 'user', isOdd: false})
  expect(table.find(501)).toEqual({
    line: 501,
    at: 501_000,
    size: 10,
    kind: 'odd',
    isOdd: true,
  })
  expect([table.find(499), table.find(503), table.at(3)]).toEqual([undefined, undefined, undefined])
})
