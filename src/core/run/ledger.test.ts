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

test('tokens add up, and thinking where it is told', () => {
  expect(reduce(usage(), usage()).tokens).toEqual({
    input: 2,
    output: 4,
    cacheRead: 6,
    cacheWrite: 8,
  })
  const thought = {type: 'usage', tokens: {...tokens, reasoning: 1}}
  expect(reduce(usage(), thought, usage(), thought).tokens?.reasoning).toBe(2)
})

test('tokens stay unknown when nothing but zeros is reported', () => {
  const zeros = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
  expect(reduce().tokens).toBe(undefined)
  expect(reduce({type: 'usage', tokens: zeros, costUsd: 0.5}).tokens).toBe(undefined)
  expect(reduce(usage(), {type: 'usage', tokens: zeros}).tokens).toEqual(tokens)
})

test.each([
  ['of nothing is not told', [], undefined],
  ['is not told with tokens only', [usage(), turn()], undefined],
  ['may be told to be 0', [usage(0)], 0],
  ['may be told to be 0 at the end of a turn', [usage(), turn(0)], 0],
  ['of parts adds up', [usage(0.25), usage(), usage(0.5)], 0.75],
  ['of parts is not told again by turns', [usage(0.25), turn(0.25), usage(0.5), turn(0.5)], 0.75],
  ['of turns is what the last one told', [turn(0.25), turn(0.75)], 0.75],
  ['of turns outlives a turn that tells none', [turn(0.25), turn()], 0.25],
  ['of a part takes the place of what turns told', [turn(0.25), usage(0.5)], 0.5],
])('the cost %s', (_, events, costUsd) => {
  expect(reduce(...events).costUsd).toBe(costUsd)
})

test('models have their shares, whatever they are called', () => {
  const {models} = reduce(usage(0.25, 'a'), usage(0.5, 'constructor'), usage(0.25, 'a'), usage(1))
  expect(models).toEqual({
    a: {tokens: {input: 2, output: 4, cacheRead: 6, cacheWrite: 8}, costUsd: 0.5},
    constructor: {tokens, costUsd: 0.5},
  })
  expect(reduce(usage(undefined, 'a'), usage(0, 'a')).models['a']?.costUsd).toBe(0)
})

test('other events leave the ledger as it is', () => {
  const ledger = reduce(usage(1))
  const news = {line: 1, at: 0, agent: 'x', type: 'status', status: 'notice', detail: ''} as const
  expect(reduceLedger(ledger, news)).toBe(ledger)
})

describe('what is unsettled', () => {
  const settled = reduce(usage(0.5))

  test('makes an estimate of what is told', () => {
    expect(withPendingUsage(settled, {tokens, costUsd: 0.25})).toEqual({
      tokens: {input: 2, output: 4, cacheRead: 6, cacheWrite: 8},
      costUsd: 0.75,
      isEstimate: true,
    })
  })

  test('may be nothing', () => {
    expect(withPendingUsage(settled, undefined)).toEqual({tokens, costUsd: 0.5, isEstimate: false})
    expect(withPendingUsage(initialLedger, undefined).costUsd).toBe(undefined)
    expect(withPendingUsage(reduce(usage(0)), undefined).costUsd).toBe(0)
  })

  test('may be all there is, or have no price', () => {
    expect(withPendingUsage(initialLedger, {tokens, costUsd: 0}).costUsd).toBe(0)
    expect(withPendingUsage(initialLedger, {tokens})).toMatchObject({isEstimate: true})
    expect(withPendingUsage(initialLedger, {tokens}).costUsd).toBe(undefined)
    expect(withPendingUsage(settled, {tokens})).toMatchObject({costUsd: 0.5, isEstimate: true})
  })
})
