import {expect, test} from 'vitest'
import {createByteBudget} from './byte-budget.ts'

function open(count: number) {
  const evicted: number[] = []
  const budget = createByteBudget({maxBytes: 100, freeBytes: 10})
  const accounts = Array.from({length: count}, (_, at) => budget.open(() => evicted.push(at)))
  const set = (at: number, bytes: number) => accounts[at]?.set(bytes)
  return {budget, accounts, evicted, set}
}

test('evicts the connection that has held bytes for the longest time', () => {
  const {budget, evicted, set} = open(3)
  set(0, 50)
  set(1, 40)
  set(2, 30)
  expect(evicted).toEqual([0])
  expect(budget.used).toBe(70)
})

test('counts the time of a connection from when it last held nothing', () => {
  const {evicted, set} = open(3)
  set(0, 50)
  set(1, 40)
  set(0, 0)
  set(0, 50)
  set(2, 30)
  expect(evicted).toEqual([1])
})

test('does not count a connection that holds little', () => {
  const {budget, evicted, set} = open(20)
  for (let at = 0; at < 20; at++) set(at, 10)
  expect(evicted).toEqual([])
  expect(budget.used).toBe(0)
})

test('evicts connections until the budget is met, including a single oversized one', () => {
  const {budget, evicted, set} = open(3)
  set(0, 50)
  set(1, 50)
  set(2, 101)
  expect(evicted).toEqual([0, 1, 2])
  expect(budget.used).toBe(0)
})

test('ignores a connection after it was evicted or closed', () => {
  const {budget, accounts, evicted, set} = open(2)
  set(0, 60)
  set(1, 60)
  set(0, 60)
  accounts[1]?.close()
  set(1, 60)
  expect(evicted).toEqual([0])
  expect(budget.used).toBe(0)
})
