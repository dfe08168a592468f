import {describe, expect, test} from 'vitest'
import {createPriceFinder} from '../history/prices/find-price.ts'
import type {UsageEntry, UsageGroup, UsageReport} from '../history/usage/report.ts'
import {plain} from '../terminal/colors.ts'
import {unicode} from '../terminal/symbols.ts'
import {describeUsage, type UsageInput} from './describe-usage.ts'
import {resolveUsage, type UsageFlags} from './usage-options.ts'

const NOW = Date.parse('2026-11-16T14:21Z')
const DAY_MS = 86_400_000
const finder = createPriceFinder({
  'claude-opus-5-5': {input: 10, output: 100},
  'gpt-5.5': {input: 1, output: 10},
})
const prices = {...finder, pricesFrom: '2026-11-10'}

function session(
  title: string,
  agent: string,
  model: string,
  [input, output]: [number, number],
  at: number,
): UsageEntry {
  const tokens = {input, output, cacheRead: 0, cacheWrite: 0}
  return {
    id: `s-${title}`,
    kind: 'session',
    agent,
    title,
    cwd: `/home/dev/${title.split(' ')[0]}`,
    startedAt: at,
    requests: [{at, model, tokens, toolCount: 0}],
  }
}

const entries = [
  session('shop today', 'claude', 'claude-opus-5-5', [200_000, 30_000], NOW - 60_000),
  session('api today', 'codex', 'gpt-5.5', [90_000, 9000], NOW - 3_600_000),
  session('docs', 'opencode', 'local-x', [40_000, 2000], NOW - DAY_MS),
  ...Array.from({length: 9}, (_, index) =>
    session(
      `old ${index}`,
      'claude',
      'claude-opus-5-5',
      [10_000, 1000],
      NOW - (index + 2) * DAY_MS,
    ),
  ),
]

function show(
  group: UsageGroup,
  width: number | undefined,
  {flags = {}, ...options}: Partial<UsageInput> & {flags?: UsageFlags} = {},
) {
  const usage = resolveUsage({timezone: 'UTC', ...flags}, group, NOW)
  const style =
    width === undefined ? undefined : {width, symbols: unicode, colors: plain, hasColor: false}
  return describeUsage({group, usage, entries, prices, now: NOW, ...options}, style)
}

test('shows the last seven days, the month and the prices', () => {
  expect(show('day', 80, {monthUsd: 20}).text).toBe(
    `
DAY        AGENTS                        IN    OUT   CACHE  SESSIONS        COST
Tue 10 Nov claude                       10k     1k       0         1      ≈$0.20
Wed 11 Nov claude                       10k     1k       0         1      ≈$0.20
Thu 12 Nov claude                       10k     1k       0         1      ≈$0.20
Fri 13 Nov claude                       10k     1k       0         1      ≈$0.20
Sat 14 Nov claude                       10k     1k       0         1      ≈$0.20
Sun 15 Nov opencode                     40k     2k       0         1  — no price
Mon 16 Nov claude codex                290k    39k       0         2      ≈$5.18
────────────────────────────────────────────────────────────────────────────────
30 days    3 agents                    420k    50k       0        12      ≈$6.98

November ≈$6.98 of $20                                           forecast ≈$9.57
≈ estimate: tokens × list price of 2026-11-10. No price: local-x (42k tokens
  not in the cost).
`.trimStart(),
  )
})

test('shows other groups by cost, and how many rows are hidden', () => {
  const {text} = show('model', 80)
  expect(text).toBe(
    `
MODEL                AGENTS              IN    OUT   CACHE  SESSIONS        COST
opus-5-5             claude            290k    39k       0        10      ≈$6.80
gpt-5.5              codex              90k     9k       0         1      ≈$0.18
local-x              opencode           40k     2k       0         1  — no price
`.trimStart(),
  )
  const many = Array.from({length: 30}, (_, index) =>
    session(`many ${index}`, 'claude', 'claude-opus-5-5', [10_000, 1000], NOW),
  )
  const lines = show('session', 80, {entries: many}).text.trimEnd().split('\n')
  expect(lines).toHaveLength(22)
  expect(lines.at(-1)).toBe('10 more sessions. All of them: --all')
  expect(show('session', 80, {entries: many, all: true}).text.trimEnd().split('\n')).toHaveLength(
    31,
  )
})

test('names projects by their folder, and by their path if the name is not unique', () => {
  const same = [...entries, {...session('x', 'claude', 'gpt-5.5', [1, 1], NOW), cwd: '/mnt/shop'}]
  const labels = show('project', 80, {entries: same}).text.split('\n')
  expect(labels.map((line) => line.slice(0, 20).trim())).toEqual(
    expect.arrayContaining(['old', '/home/dev/shop', '/mnt/shop', 'docs']),
  )
})

test('shows the models of agents', () => {
  const [head, first] = show('agent', 80).text.split('\n')
  expect(head).toMatch(/^AGENT +MODELS +IN/)
  expect(first).toMatch(/^claude +opus-5-5 +290k/)
})

test.each([60, 80, 100])('fits %i columns', (width) => {
  for (const group of ['day', 'week', 'month', 'session', 'project', 'model', 'agent'] as const) {
    for (const breakdown of [false, true]) {
      const {text} = show(group, width, {breakdown, monthUsd: 5})
      expect(Math.max(...text.split('\n').map(({length}) => length))).toBeLessThanOrEqual(width)
    }
  }
})

test('omits the month if the report does not include all usage until today', () => {
  for (const flags of [{agent: ['claude']}, {project: 'shop'}, {until: 'yesterday'}]) {
    expect(show('day', 80, {flags}).text).not.toContain('November')
  }
})

describe('for a program', () => {
  test('prints tabs, full numbers and whether the cost is an estimate', () => {
    const {text, notices} = show('agent', undefined)
    expect(text.split('\n')).toEqual([
      'AGENT\tAGENTS\tIN\tOUT\tCACHE\tSESSIONS\tCOST\tisEstimate',
      'claude\tclaude\t290000\t39000\t0\t10\t6.8\ttrue',
      'codex\tcodex\t90000\t9000\t0\t1\t0.18\ttrue',
      'opencode\topencode\t40000\t2000\t0\t1\t\tfalse',
      '',
    ])
    expect(notices).toEqual(['No price: local-x (42k tokens not in the cost).'])
  })

  test('prints a row for each agent and model with --breakdown', () => {
    const {text} = show('day', undefined, {breakdown: true, flags: {since: 'today'}})
    expect(text.split('\n')).toEqual([
      'DAY\tAGENT\tMODEL\tIN\tOUT\tCACHE\tSESSIONS\tCOST\tisEstimate',
      '2026-11-16\tclaude\tclaude-opus-5-5\t200000\t30000\t0\t1\t5\ttrue',
      '2026-11-16\tcodex\tgpt-5.5\t90000\t9000\t0\t1\t0.18\ttrue',
      '',
    ])
  })

  test('prints a report as one JSON object', () => {
    const report = JSON.parse(show('day', undefined, {json: true}).text) as UsageReport
    expect(Object.keys(report)).toEqual(['rows', 'total', 'unpricedModels', 'pricesFrom'])
    expect(report.rows).toHaveLength(11)
    expect(report.unpricedModels).toEqual(['local-x'])
    expect(report.rows[0]).not.toHaveProperty('breakdown')
    expect(show('day', 80, {json: true}).text).toBe(show('day', undefined, {json: true}).text)
  })

  test('prints the rates of blocks as JSON', () => {
    const flags = {since: 'today'}
    const report = JSON.parse(show('block', 80, {json: true, flags}).text) as UsageReport
    expect(report.rows).toEqual([
      expect.objectContaining({
        key: '2026-11-16T14:00:00.000Z',
        tokens: {input: 200_000, output: 30_000, cacheRead: 0, cacheWrite: 0, reasoning: 0},
        costUsd: 5,
        models: ['claude-opus-5-5'],
        from: Date.parse('2026-11-16T14:00Z'),
        to: Date.parse('2026-11-16T19:00Z'),
        isOpen: true,
        burnUsdPerHour: 10,
        usedShare: null,
      }),
    ])
  })
})

test('shows blocks in the time zone of the report', () => {
  const [first] = show('block', 80, {flags: {timezone: 'Asia/Kolkata'}}).text.split('\n')
  expect(first).toMatch(/^Current block {2}19:30 to 00:30 +4h 39m left$/)
})

describe('without usage', () => {
  const range = {since: '2026-08-01', until: '2026-08-07'}

  test('names the range and the oldest session', () => {
    const text = 'No usage from 2026-08-01 to 2026-08-07. The oldest session is from 2026-11-06.\n'
    expect(show('day', 80, {flags: range}).text).toBe(text)
    expect(show('day', undefined, {flags: range}).text).toBe(text)
  })

  test('names the newest session if all are older, and filters that match nothing', () => {
    const late = {since: '2026-11-20', until: '2026-11-21'}
    expect(show('day', 80, {flags: late}).text).toContain('The newest session is from 2026-11-16.')
    expect(show('day', 80, {flags: {project: 'none', agent: ['pi']}}).text).toContain(
      'No session matches --agent pi --project none.',
    )
    expect(show('day', 80, {entries: []}).text).toContain('There are no sessions yet.')
  })

  test('prints no rows as JSON', () => {
    const report = JSON.parse(show('day', 80, {flags: range, json: true}).text) as UsageReport
    expect(report).toMatchObject({
      rows: [],
      total: {costUsd: null, requests: 0},
      unpricedModels: [],
    })
  })
})

describe('options', () => {
  test('resolve days in the time zone of the report', () => {
    const range = (flags: UsageFlags) =>
      resolveUsage(flags, 'day', Date.parse('2026-11-16T23:30Z')).query
    expect(range({since: 'today', timezone: 'Asia/Kolkata'})).toMatchObject({
      since: '2026-11-17',
      until: '2026-11-17',
    })
    expect(range({last: '7', timezone: 'UTC'})).toMatchObject({
      since: '2026-11-10',
      until: '2026-11-16',
    })
    expect(range({since: '7d', until: 'yesterday', timezone: 'UTC'})).toMatchObject({
      since: '2026-11-09',
      until: '2026-11-15',
    })
  })

  test('report a range that ends before it starts, and unknown agents', () => {
    const resolve = (flags: UsageFlags) => () => resolveUsage(flags, 'day', NOW)
    expect(resolve({since: '2026-11-05', until: '2026-11-01'})).toThrow(
      '--since 2026-11-05 is after --until 2026-11-01. Choose an earlier day',
    )
    expect(resolve({agent: ['claud']})).toThrow(
      '--agent claud: unknown agent. Known agents: amp, claude',
    )
  })

  test('resolve a relative path of a project', () => {
    const project = (text: string) => resolveUsage({project: text}, 'day', NOW).query.project
    expect(project('.')).toBe(process.cwd())
    expect(project('shop')).toBe('shop')
    expect(project('~/shop')).toMatch(/^\/.*\/shop$/)
  })
})
