import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {initialLedger, reduceLedger, withPendingUsage, type Ledger} from './ledger.ts'

function reduce(...events: Record<string, unknown>[]): Ledger {
  return events.reduce<Ledger>(
    (ledger, event) => reduceLedger(ledger, {line: 1, at: 0, agent: 'x', ...event} as AgentEvent),
    initialLedger,
  )
}

const tokens = {input: 1, output: 2, cacheRead: 3, cacheWrite: 4}
const usage = (costUsd?: number, model?: string) => ({type: 'usage', tokens, costUsd, model})
const turn = (costUsd?: number) => ({type: 'turn-end', ok: true, text: '', costUsd})

test('the ledger adds up tokens, and reasoning where it is reported', () => {
  expect(reduce(usage(), usage()).tokens).toEqual({
    input: 2,
    output: 4,
    cacheRead: 6,
    cacheWrite: 8,
  })
  const thought = {type: 'usage', tokens: {...tokens, reasoning: 1}}
  expect(reduce(usage(), thought, usage(), thought).tokens?.reasoning).toBe(2)
})

test('tokens stay unknown when only zeros are reported', () => {
  const zeros = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
  expect(reduce().tokens).toBe(undefined)
  expect(reduce({type: 'usage', tokens: zeros, costUsd: 0.5}).tokens).toBe(undefined)
  expect(reduce(usage(), {type: 'usage', tokens: zeros}).tokens).toEqual(tokens)
})

test.each([
  ['is unknown without events', [], undefined],
  ['is unknown when only tokens are reported', [usage(), turn()], undefined],
  ['can be reported as 0', [usage(0)], 0],
  ['can be reported as 0 at the end of a turn', [usage(), turn(0)], 0],
  ['is the sum of usage events', [usage(0.25), usage(), usage(0.5)], 0.75],
  [
    'of usage events is not added again by turns',
    [usage(0.25), turn(0.25), usage(0.5), turn(0.5)],
    0.75,
  ],
  ['of turns is the cost of the last turn', [turn(0.25), turn(0.75)], 0.75],
  ['of turns is kept after a turn without a cost', [turn(0.25), turn()], 0.25],
  ['of a usage event replaces the cost of earlier turns', [turn(0.25), usage(0.5)], 0.5],
])('the cost %s', (_, events, costUsd) => {
  expect(reduce(...events).costUsd).toBe(costUsd)
})

test('the ledger has the usage of each model, whatever its name', () => {
  const {models} = reduce(usage(0.25, 'a'), usage(0.5, 'constructor'), usage(0.25, 'a'), usage(1))
  expect(models).toEqual({
    a: {tokens: {input: 2, output: 4, cacheRead: 6, cacheWrite: 8}, costUsd: 0.5},
    constructor: {tokens, costUsd: 0.5},
  })
  expect(reduce(usage(undefined, 'a'), usage(0, 'a')).models['a']?.costUsd).toBe(0)
})

test('other events do not change the ledger', () => {
  const ledger = reduce(usage(1))
  const news = {line: 1, at: 0, agent: 'x', type: 'status', status: 'notice', detail: ''} as const
  expect(reduceLedger(ledger, news)).toBe(ledger)
})

describe('pending usage', () => {
  const settled = reduce(usage(0.5))

  test('turns the reported usage into an estimate', () => {
    expect(withPendingUsage(settled, {tokens, costUsd: 0.25})).toEqual({
      tokens: {input: 2, output: 4, cacheRead: 6, cacheWrite: 8},
      costUsd: 0.75,
      isEstimate: true,
    })
  })

  test('leaves the reported usage unchanged when there is none', () => {
    expect(withPendingUsage(settled, undefined)).toEqual({tokens, costUsd: 0.5, isEstimate: false})
    expect(withPendingUsage(initialLedger, undefined).costUsd).toBe(undefined)
    expect(withPendingUsage(reduce(usage(0)), undefined).costUsd).toBe(0)
  })

  test('counts without reported usage, and without a price', () => {
    expect(withPendingUsage(initialLedger, {tokens, costUsd: 0}).costUsd).toBe(0)
    expect(withPendingUsage(initialLedger, {tokens})).toMatchObject({isEstimate: true})
    expect(withPendingUsage(initialLedger, {tokens}).costUsd).toBe(undefined)
    expect(withPendingUsage(settled, {tokens})).toMatchObject({costUsd: 0.5, isEstimate: true})
  })
})
