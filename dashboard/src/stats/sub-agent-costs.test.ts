import {expect, test} from 'vitest'
import {subAgentCostsAt} from './sub-agent-costs.ts'

test('sums the last reported cost of each sub-agent at a moment', () => {
  const samples = [
    {at: 1, toolId: 'a', tokens: 10, costUsd: 0.1},
    {at: 2, toolId: 'b', tokens: 5, costUsd: null},
    {at: 3, toolId: 'a', tokens: 30, costUsd: 0.3},
  ]
  const at = (moment: number) =>
    Array.from(subAgentCostsAt(samples, moment), ([id, {tokens}]) => [id, tokens])
  expect(at(0)).toEqual([])
  expect(at(2)).toEqual([
    ['a', 10],
    ['b', 5],
  ])
  expect(at(Number.POSITIVE_INFINITY)).toEqual([
    ['a', 30],
    ['b', 5],
  ])
})
