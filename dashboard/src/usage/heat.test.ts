import {expect, test} from 'vitest'
import {
  describeHeat,
  findBusiest,
  moveHeat,
  nameHeat,
  pickHeatTop,
  sumBands,
  toHeatLevel,
} from './heat.ts'

const quiet = Array.from({length: 7}, () => Array.from({length: 24}, () => 0))

test('chooses a round top below the maximum, so that the busiest hours reach it', () => {
  expect(pickHeatTop([[0, 2.3]])).toBe(1.8)
  expect(pickHeatTop([[0.013]])).toBe(0.01)
  expect(pickHeatTop([[150]])).toBe(120)
  expect(pickHeatTop(quiet)).toBe(0)
  expect(pickHeatTop([])).toBe(0)
})

test('colours hours without activity differently from those with little', () => {
  expect([0, 0.01, 0.5, 1.2, 1.8, 5].map((value) => toHeatLevel(value, 1.8))).toEqual([
    0, 1, 2, 3, 4, 4,
  ])
  expect(toHeatLevel(0, 0)).toBe(0)
})

test('finds the busiest hour', () => {
  const hours = quiet.with(
    2,
    Array.from({length: 24}, (_, hour) => (hour === 13 ? 1 : 0)),
  )
  expect(findBusiest(hours)).toEqual({weekday: 2, hour: 13})
  expect(findBusiest(quiet)).toBeUndefined()
})

test('moves around the week and the day', () => {
  expect(moveHeat({weekday: 0, hour: 0}, -1, -1)).toEqual({weekday: 6, hour: 23})
  expect(moveHeat({weekday: 6, hour: 23}, 1, 1)).toEqual({weekday: 0, hour: 0})
})

test('describes an hour in words', () => {
  expect(nameHeat({weekday: 1, hour: 13})).toBe('Tue 13–14 h')
  expect(describeHeat(1.204)).toBe('≈ $1.20 on average')
  expect(describeHeat(0)).toBe('no activity')
})

test('adds up bands of hours', () => {
  const values = Array.from({length: 24}, () => 1)
  expect(
    sumBands(values, [
      [0, 4],
      [4, 24],
    ]),
  ).toEqual([4, 20])
})
