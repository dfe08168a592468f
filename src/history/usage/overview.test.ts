import {describe, expect, test} from 'vitest'
import {usageOverview, type UsageOverview as AnswerOverview} from '../../hub/protocol/history.ts'
import {createPriceFinder} from '../prices/find-price.ts'
import {createMonthOutlook} from './outlook.ts'
import {createUsageOverview} from './overview.ts'
import type {UsageEntry, UsageRequest} from './report.ts'

const prices = createPriceFinder({big: {input: 10, output: 100, cacheRead: 1}})
const NOW = Date.parse('2026-11-16T12:00Z')
const DAY_MS = 86_400_000

/** A request with the cost of one dollar. */
function request(at: number, fields: Partial<UsageRequest> = {}): UsageRequest {
  const tokens = {input: 100_000, output: 0, cacheRead: 0, cacheWrite: 0}
  return {at, model: 'big', tokens, toolCount: 0, ...fields}
}

function entry(id: string, requests: UsageRequest[], fields: Partial<UsageEntry> = {}): UsageEntry {
  const startedAt = requests[0]?.at ?? NOW
  return {
    id,
    kind: 'session',
    agent: 'claude',
    title: id,
    cwd: '/shop',
    startedAt,
    requests,
    ...fields,
  }
}

/** A session with a request of a dollar at noon of each of the last days, today included. */
function daily(days: number): UsageEntry {
  return entry(
    'daily',
    Array.from({length: days}, (_, index) => request(NOW - (days - 1 - index) * DAY_MS)),
  )
}

describe('overview', () => {
  const cached = {input: 0, output: 0, cacheRead: 100_000, cacheWrite: 0}
  const entries = [
    entry('one', [
      request(Date.parse('2026-11-16T09:10Z')),
      request(Date.parse('2026-11-16T09:20Z'), {isSubAgent: true}),
      request(Date.parse('2026-11-09T09:00Z'), {tokens: cached}),
    ]),
    entry('two', [request(Date.parse('2026-11-16T09:30Z'), {costUsd: 5})], {
      kind: 'run',
      agent: 'codex',
    }),
    entry('three', [request(Date.parse('2026-11-16T11:00Z'), {model: 'new-model'})], {
      cwd: '/docs',
    }),
    entry('old', [request(Date.parse('2026-10-01T09:00Z'))]),
  ]
  const overview = createUsageOverview(entries, prices, {
    timezone: 'UTC',
    since: '2026-11-03',
    until: '2026-11-16',
    now: NOW,
    monthUsd: 100,
  })

  test('has the shape of the answer of the hub', () => {
    const answer: Omit<AnswerOverview, 'folders'> = overview
    expect(usageOverview.omit({folders: true}).parse(answer)).toEqual(answer)
  })

  test('has a cell for each day, agent, model and project', () => {
    expect(
      overview.cells.map(({day, agent, model, project, costUsd, requests, sessions}) =>
        [day, agent, model, project, costUsd, requests, sessions].join(' '),
      ),
    ).toEqual([
      '2026-11-09 claude big /shop 0.1 1 1',
      '2026-11-16 codex big /shop 5 1 1',
      '2026-11-16 claude big /shop 2 2 1',
      '2026-11-16 claude new-model /docs  1 1',
    ])
  })

  test('averages the cost of hours over the weekdays in the range', () => {
    expect(overview.hours).toHaveLength(7)
    expect(overview.hours.every((hours) => hours.length === 24)).toBe(true)
    expect(overview.hours[0]?.[9]).toBeCloseTo((2 + 5 + 0.1) / 2, 10)
    expect(overview.hours.flat().filter((costUsd) => costUsd > 0)).toHaveLength(1)
  })

  test('counts runs, sessions and projects in the range', () => {
    const {runCount, sessionCount, projects} = overview
    expect({runCount, sessionCount}).toEqual({runCount: 1, sessionCount: 2})
    expect(projects).toEqual([
      {project: '/shop', sessions: 2},
      {project: '/docs', sessions: 1},
    ])
  })

  test('lists the most expensive sessions first', () => {
    expect(overview.topSessions.map(({runId, costUsd, turns}) => [runId, costUsd, turns])).toEqual([
      ['two', 5, 1],
      ['one', 2.1, 2],
      ['three', null, 1],
    ])
  })

  test('has the savings of the cache, the open block and models without a price', () => {
    expect(overview.savedUsd).toBeCloseTo(0.9, 10)
    expect(overview.block).toMatchObject({from: Date.parse('2026-11-16T09:00Z'), costUsd: 2})
    expect(overview.unpriced).toEqual([{model: 'new-model', tokens: 100_000}])
  })
})

describe('month', () => {
  const outlook = (entries: UsageEntry[], monthUsd?: number) =>
    createMonthOutlook(entries, prices, {timezone: 'UTC', now: NOW, monthUsd})

  test('is forecast from the last 28 days', () => {
    const {month, spentUsd, isEstimate, forecast, budget} = outlook([daily(40)])
    expect({month, spentUsd, isEstimate, budget}).toEqual({
      month: '2026-11',
      spentUsd: 16,
      isEstimate: true,
      budget: null,
    })
    // Half of today and 14 days are left.
    expect(forecast).toEqual({lowUsd: 30.5, usd: 30.5, highUsd: 30.5})
  })

  test('has a range that grows with the differences between days', () => {
    const big = entry('big', [request(NOW - 3 * DAY_MS, {costUsd: 28})])
    const {forecast} = outlook([daily(40), big])
    expect(forecast?.usd).toBeCloseTo(44 + 2 * 14.5, 10)
    expect(forecast?.lowUsd).toBeLessThan(60)
    expect(forecast?.lowUsd).toBeGreaterThanOrEqual(44)
    expect(forecast?.highUsd).toBeGreaterThan(86)
  })

  test('has no forecast with less than seven complete days', () => {
    expect(outlook([daily(7)]).forecast).toBe(null)
    expect(outlook([daily(8)]).forecast).not.toBe(null)
    expect(outlook([]).spentUsd).toBe(null)
  })

  test.each([
    [100, null],
    [30.5, '2026-11-30'],
    [16.5, '2026-11-16'],
    [17, '2026-11-17'],
    [16, '2026-11-16'],
    [5, '2026-11-05'],
  ])('reaches a budget of %s dollars on %s', (monthUsd, day) => {
    expect(outlook([daily(40)], monthUsd).budget?.reachedOn).toBe(day)
  })
})
