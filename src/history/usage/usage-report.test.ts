import {describe, expect, test} from 'vitest'
import type {UsageReport as AnswerReport} from '../../hub/protocol/history.ts'
import {usageReport} from '../../hub/protocol/history.ts'
import {createPriceFinder} from '../prices/find-price.ts'
import type {UsageEntry, UsageGroup, UsageQuery, UsageRequest} from './report.ts'
import {createUsageReport, type ReportOptions} from './usage-report.ts'

const prices = createPriceFinder({
  big: {input: 10, output: 100, cacheRead: 1, cacheWrite: 20},
  small: {input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2},
})

function request(at: string, fields: Partial<UsageRequest> = {}): UsageRequest {
  const tokens = {input: 1000, output: 100, cacheRead: 0, cacheWrite: 0}
  return {at: Date.parse(at), model: 'big', tokens, toolCount: 0, ...fields}
}

function entry(id: string, fields: Partial<UsageEntry>): UsageEntry {
  const {requests = []} = fields
  const [first] = requests
  const startedAt = first?.at ?? 0
  return {
    id,
    kind: 'session',
    agent: 'claude',
    cwd: '/home/dev/shop',
    startedAt,
    requests,
    ...fields,
  }
}

function report(entries: readonly UsageEntry[], options: Partial<ReportOptions> = {}) {
  return createUsageReport(entries, prices, {group: 'day', timezone: 'UTC', ...options}).report
}

function keys(entries: readonly UsageEntry[], group: UsageGroup, query: Partial<UsageQuery> = {}) {
  return report(entries, {group, ...query}).rows.map(({key}) => key)
}

test('has the shape of the answer of the hub', () => {
  const answer: AnswerReport = report([entry('a', {requests: [request('2026-11-16T10:00Z')]})])
  expect(usageReport.parse(answer)).toEqual(answer)
  expect(answer).toEqual({
    rows: [
      {
        key: '2026-11-16',
        tokens: {input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0},
        costUsd: 0.02,
        isEstimate: true,
        requests: 1,
        sessions: 1,
        agents: ['claude'],
        models: ['big'],
      },
    ],
    total: {
      tokens: {input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0},
      costUsd: 0.02,
      isEstimate: true,
      requests: 1,
      sessions: 1,
      agents: ['claude'],
      models: ['big'],
    },
    unpricedModels: [],
    pricesFrom: prices.pricesFrom,
  })
})

describe('rows', () => {
  const entries = [
    entry('late', {
      agent: 'codex',
      cwd: '/home/dev/api',
      requests: [request('2026-11-16T10:00Z', {model: 'small'})],
    }),
    entry('early', {requests: [request('2026-11-02T23:30Z'), request('2026-11-15T09:00Z')]}),
  ]

  test.each<[UsageGroup, string[]]>([
    ['day', ['2026-11-02', '2026-11-15', '2026-11-16']],
    ['week', ['2026-11-02', '2026-11-09', '2026-11-16']],
    ['month', ['2026-11']],
    ['session', ['early', 'late']],
    ['project', ['/home/dev/shop', '/home/dev/api']],
    ['model', ['big', 'small']],
    ['agent', ['claude', 'codex']],
    ['block', ['2026-11-02T23:00:00.000Z', '2026-11-15T09:00:00.000Z']],
  ])('by %s are in order of time or cost', (group, expected) => {
    expect(keys(entries, group)).toEqual(expected)
  })

  test('count a request in its own day, in the time zone of the report', () => {
    expect(keys(entries, 'day', {timezone: 'Europe/Berlin'})[0]).toBe('2026-11-03')
    expect(keys(entries, 'week', {timezone: 'America/New_York'})[0]).toBe('2026-11-02')
    expect(keys(entries, 'month', {timezone: 'UTC'})).toEqual(['2026-11'])
  })

  test('include the first and the last day of a range', () => {
    const query = {since: '2026-11-02', until: '2026-11-15'}
    expect(keys(entries, 'day', query)).toEqual(['2026-11-02', '2026-11-15'])
    expect(keys(entries, 'day', {since: '2026-11-17'})).toEqual([])
  })

  test('count a session once in each row and in the total', () => {
    const {rows, total} = report(entries)
    expect(rows.map(({sessions}) => sessions)).toEqual([1, 1, 1])
    expect(total.sessions).toBe(2)
    expect(total.requests).toBe(3)
  })

  test('have a key for unknown models, projects and agents', () => {
    const unknown = [
      entry('a', {
        agent: null,
        cwd: undefined,
        requests: [request('2026-11-16T10:00Z', {model: undefined})],
      }),
    ]
    expect(keys(unknown, 'model')).toEqual([''])
    expect(keys(unknown, 'project')).toEqual([''])
    expect(keys(unknown, 'agent')).toEqual(['unknown'])
    expect(report(unknown).rows[0]?.models).toEqual([])
    expect(report(unknown).unpricedModels).toEqual(['unknown'])
  })

  test('contain the usage of each agent and model on request', () => {
    const [row] = report(
      [
        entry('a', {
          requests: [
            request('2026-11-16T10:00Z', {model: 'small'}),
            request('2026-11-16T11:00Z'),
            request('2026-11-16T12:00Z', {model: 'small'}),
          ],
        }),
        entry('b', {agent: 'codex', requests: [request('2026-11-16T10:00Z')]}),
      ],
      {hasBreakdown: true},
    ).rows
    expect(
      row?.breakdown?.map(({agent, model, requests, sessions}) => [
        agent,
        model,
        requests,
        sessions,
      ]),
    ).toEqual([
      ['claude', 'big', 1, 1],
      ['codex', 'big', 1, 1],
      ['claude', 'small', 2, 1],
    ])
    expect(row?.agents).toEqual(['claude', 'codex'])
    expect(row?.models).toEqual(['big', 'small'])
  })
})

describe('cost', () => {
  const total = (...requests: UsageRequest[]) => report([entry('a', {requests})]).total

  test('is that of the agent if it recorded one', () => {
    const {costUsd, isEstimate} = total(request('2026-11-16T10:00Z', {costUsd: 0.5}))
    expect([costUsd, isEstimate]).toEqual([0.5, false])
  })

  test('is an estimate if any part of it is', () => {
    const {costUsd, isEstimate} = total(
      request('2026-11-16T10:00Z', {costUsd: 0.5}),
      request('2026-11-16T11:00Z'),
    )
    expect(costUsd).toBeCloseTo(0.52, 10)
    expect(isEstimate).toBe(true)
  })

  test('is null if nothing has a price, and the models are named', () => {
    const answer = report([
      entry('a', {
        requests: [
          request('2026-11-16T10:00Z', {model: 'kimi-k9'}),
          request('2026-11-15T10:00Z'),
          request('2026-11-16T11:00Z', {
            model: 'empty',
            tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
          }),
        ],
      }),
    ])
    expect(answer.rows.map(({costUsd}) => costUsd)).toEqual([0.02, null])
    expect(answer.total.costUsd).toBe(0.02)
    expect(answer.unpricedModels).toEqual(['kimi-k9'])
  })
})

describe('filters', () => {
  const at = '2026-11-16T10:00Z'
  const entries = [
    entry('a', {cwd: '/home/dev/shop', requests: [request(at)]}),
    entry('b', {cwd: '/home/dev/shop/web', agent: 'codex', requests: [request(at)]}),
    entry('c', {cwd: '/home/dev/shopping', agent: 'pi', requests: [request(at)]}),
    entry('d', {cwd: String.raw`C:\dev\shop`, requests: [request(at)]}),
  ]

  test.each([
    ['shop', ['a', 'd']],
    ['/home/dev/shop', ['a', 'b']],
    ['/home/dev/shop/', ['a', 'b']],
    ['/home/dev', ['a', 'b', 'c']],
    ['web', ['b']],
    [String.raw`C:\dev`, ['d']],
    ['dev', []],
  ])('select project %s', (project, ids) => {
    expect(keys(entries, 'session', {project}).toSorted()).toEqual(ids)
  })

  test('select entries by agent', () => {
    expect(keys(entries, 'session', {agents: ['codex', 'pi']}).toSorted()).toEqual(['b', 'c'])
  })
})

test('damaged times do not end the report', () => {
  const requests = [NaN, Infinity, -1e300].map((at) => ({...request('2026-11-16T10:00Z'), at}))
  for (const group of ['day', 'week', 'month', 'block'] as const) {
    expect(
      report([entry('a', {requests})], {group, timezone: 'Europe/Berlin'}).total.requests,
    ).toBe(3)
  }
})

test('adds up 100,000 requests in a fraction of a second', () => {
  const start = Date.parse('2026-08-20T00:00Z')
  const entries = Array.from({length: 2500}, (_, session) =>
    entry(`s${session}`, {
      requests: Array.from({length: 40}, (__, index) =>
        request(new Date(start + session * 3_000_000 + index * 60_000).toISOString()),
      ),
    }),
  )
  const times = Array.from({length: 3}, () => {
    const before = performance.now()
    report(entries, {timezone: 'Europe/Berlin'})
    return performance.now() - before
  })
  // It takes about 20 ms on an idle machine.
  expect(Math.min(...times)).toBeLessThan(250)
})
