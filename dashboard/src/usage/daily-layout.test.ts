import {expect, test} from 'vitest'
import {describeColumns, toBars, toFrame, yOf} from './daily-layout.ts'

const amount = (value: number | null) => ({value, isEstimate: true})
const frame = toFrame({width: 246, count: 2, top: 20, ticks: ['$0', '$10', '$20']})
const columns = [
  {from: '2026-11-15', to: '2026-11-15', total: amount(15), parts: [amount(10), amount(5)]},
  {from: '2026-11-16', to: '2026-11-16', total: amount(null), parts: [undefined, amount(null)]},
]

test('leaves space for the labels of the axis', () => {
  expect(frame).toMatchObject({left: 30, unit: 108, upper: 10, lower: 210})
  expect([0, 10, 20].map((value) => yOf(frame, value))).toEqual([210, 110, 10])
})

test('stacks the parts of a column and omits parts without a value', () => {
  expect(toBars(columns, frame)).toEqual([
    {column: 0, part: 0, x: 70, y: 110, width: 28, height: 99},
    {column: 0, part: 1, x: 70, y: 60, width: 28, height: 49},
  ])
})

test('describes the highest column', () => {
  expect(describeColumns(columns, 'spend', 1)).toBe('Highest: Sun 15 Nov, ≈ $15.00.')
  expect(describeColumns(columns.slice(1), 'spend', 1)).toBe('No usage.')
})
