import {describe, expect, test} from 'vitest'
import {createPriceFinder} from '../prices/find-price.ts'
import {createUsageBlocks, type BlockOptions} from './blocks.ts'
import type {UsageEntry, UsageRequest} from './report.ts'

const prices = createPriceFinder({big: {input: 10, output: 100}, small: {input: 1, output: 10}})

/** A request with the cost of one dollar. */
function request(at: string, fields: Partial<UsageRequest> = {}): UsageRequest {
  const tokens = {input: 100_000, output: 0, cacheRead: 0, cacheWrite: 0}
  return {at: Date.parse(at), model: 'big', tokens, toolCount: 0, ...fields}
}

function entry(requests: UsageRequest[], fields: Partial<UsageEntry> = {}): UsageEntry {
  const common = {id: 'a', kind: 'session' as const, agent: 'claude', cwd: '/p', startedAt: 0}
  return {...common, requests, ...fields}
}

function list(entries: UsageEntry[], now: string, options: Partial<BlockOptions> = {}) {
  return createUsageBlocks(entries, prices, {timezone: 'UTC', now: Date.parse(now), ...options})
}

const time = (at: number) => new Date(at).toISOString().slice(5, 16)

test('a block begins at the full hour of its first request and lasts five hours', () => {
  const blocks = list(
    [
      entry([request('2026-11-15T10:59Z'), request('2026-11-15T14:59:59Z')]),
      // Sessions at the same time share a block; the next one begins after its end.
      entry([request('2026-11-15T12:00Z'), request('2026-11-15T15:00Z')], {id: 'b'}),
      entry([request('2026-11-15T11:00Z')], {id: 'c', agent: 'codex'}),
    ],
    '2026-11-16T09:00Z',
  )
  expect(blocks.map(({from, to, tokens}) => [time(from), time(to), tokens])).toEqual([
    ['11-15T15:00', '11-15T20:00', 100_000],
    ['11-15T10:00', '11-15T15:00', 300_000],
  ])
})

describe('the open block', () => {
  const requests = [
    request('2026-11-16T10:05Z'),
    request('2026-11-16T12:00Z', {model: 'small'}),
    request('2026-11-16T14:00Z'),
    request('2026-11-16T14:20Z'),
  ]

  test('has a burn rate of the last 30 minutes and a projection', () => {
    const [block] = list([entry(requests)], '2026-11-16T14:21Z')
    expect(block).toMatchObject({
      isOpen: true,
      costUsd: 3.1,
      isEstimate: true,
      burnUsdPerHour: 4,
      usedShare: null,
      reportedAt: null,
      models: [
        {model: 'big', costUsd: 3},
        {model: 'small', costUsd: 0.1},
      ],
    })
    expect(block?.projectedUsd).toBeCloseTo(3.1 + 4 * (39 / 60), 10)
    expect(block?.burnTokensPerMinute).toBeCloseTo(200_000 / 30, 10)
  })

  test('has points for a chart that end now', () => {
    const [block] = list([entry(requests)], '2026-11-16T14:21Z')
    expect(block?.points.map(([at, costUsd]) => [time(at).slice(6), costUsd])).toEqual([
      ['10:00', 0],
      ['10:10', 1],
      ['12:05', 1.1],
      ['14:05', 2.1],
      ['14:21', 3.1],
    ])
  })

  test('is closed five hours after its start', () => {
    const [block] = list([entry(requests)], '2026-11-16T15:00Z')
    expect(block).toMatchObject({
      isOpen: false,
      projectedUsd: null,
      burnUsdPerHour: null,
      burnTokensPerMinute: null,
    })
  })

  test('has no cost if no model has a price', () => {
    const unpriced = [request('2026-11-16T14:00Z', {model: 'unknown-model'})]
    expect(list([entry(unpriced)], '2026-11-16T14:21Z')[0]).toMatchObject({
      costUsd: null,
      projectedUsd: null,
      burnUsdPerHour: null,
    })
  })

  test('has the share that was reported last', () => {
    const at = (text: string) => Date.parse(text)
    const [block] = list([entry(requests)], '2026-11-16T14:21Z', {
      reportedLimits: [
        {at: at('2026-11-16T14:18Z'), usedShare: 0.72, resetsAt: at('2026-11-16T15:00Z')},
        {at: at('2026-11-16T11:00Z'), usedShare: 0.2},
        {at: at('2026-11-16T14:19Z'), usedShare: 0.9, resetsAt: at('2026-11-16T14:20Z')},
        {at: at('2026-11-16T09:00Z'), usedShare: 0.99},
      ],
    })
    expect(block).toMatchObject({usedShare: 0.72, reportedAt: at('2026-11-16T14:18Z')})
  })
})

test('a range selects blocks by the day of their start, and a project does not move them', () => {
  const entries = [
    entry([request('2026-11-15T22:00Z'), request('2026-11-16T01:00Z')]),
    entry([request('2026-11-16T02:30Z')], {id: 'b', cwd: '/other'}),
  ]
  const now = '2026-11-18T00:00Z'
  expect(list(entries, now, {since: '2026-11-16'})).toEqual([])
  expect(list(entries, now, {until: '2026-11-15'})[0]?.tokens).toBe(300_000)
  const [block] = list(entries, now, {project: '/other'})
  expect([block && time(block.from), block?.tokens]).toEqual(['11-15T22:00', 100_000])
})
