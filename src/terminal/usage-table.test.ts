import {describe, expect, test} from 'vitest'
import {plain} from './colors.ts'
import type {ScreenStyle} from './layout.ts'
import {ascii, unicode} from './symbols.ts'
import {textWidth} from './text-width.ts'
import {createTokenFormat, formatBudget, formatCost, formatTokenCount} from './usage-figures.ts'
import {formatMoreRows, formatOutlook, formatPeriod, formatPriceNotes} from './usage-notes.ts'
import {formatUsageTable, type UsageLine, type UsageTable} from './usage-table.ts'

const M = 1_000_000

function style(width: number, symbols = unicode): ScreenStyle {
  return {width, symbols, colors: plain, hasColor: false}
}

function line(
  label: string,
  names: string,
  [input, output, cacheRead]: [number, number, number],
  sessions: number,
  costUsd: number | null,
): UsageLine {
  const tokens = {input, output, cacheRead, cacheWrite: 0}
  return {label, names: names.split(' '), tokens, sessions, costUsd, isEstimate: true}
}

const SIX = 'claude codex gemini opencode copilot qwen'
const FIVE = 'claude codex gemini opencode copilot'

const days: UsageTable = {
  head: 'DAY',
  labelWidth: {min: 10, normal: 10},
  lines: [
    line('Tue 10 Nov', SIX, [2.41 * M, 418_000, 44.9 * M], 14, 32.75),
    line('Wed 11 Nov', FIVE, [1.98 * M, 331_000, 35.2 * M], 13, 21.96),
    line('Thu 12 Nov', FIVE, [1.77 * M, 302_000, 31 * M], 12, 19.55),
    line('Fri 13 Nov', SIX, [1.2 * M, 214_000, 20.8 * M], 11, 13.7),
    line('Sat 14 Nov', 'claude codex', [0.49 * M, 88_000, 8.61 * M], 3, 5.94),
    line('Sun 15 Nov', 'claude codex', [0.47 * M, 81_000, 8.12 * M], 4, 5.82),
    line('Mon 16 Nov', 'claude codex opencode', [1.66 * M, 271_000, 27.4 * M], 24, 18.42),
  ],
  total: {
    ...line('30 days', '', [49.2 * M, 8.32 * M, 635 * M], 318, 425),
    names: '6 agents',
  },
}

const models: UsageTable = {
  head: 'MODEL',
  labelWidth: {min: 16, normal: 20},
  lines: [
    line('opus-5-5', 'claude', [9.1 * M, 1.61 * M, 142 * M], 71, 139),
    line('sonnet-5-5', 'claude opencode', [8.77 * M, 1.38 * M, 118 * M], 52, 48.3),
    line('gpt-5.5-codex', 'codex', [5.02 * M, 0.88 * M, 61.4 * M], 33, 38.12),
    line('gemini-3-pro', 'gemini', [2.31 * M, 0.31 * M, 18.8 * M], 12, 8.9),
    line('haiku-5', 'claude', [1.02 * M, 0.14 * M, 21.7 * M], 9, 4.7),
    line('kimi-k3-preview', 'opencode', [0.21 * M, 0.02 * M, 1.41 * M], 2, null),
  ],
}

describe('table of usage', () => {
  test('by day fits 80 columns', () => {
    expect(formatUsageTable(days, style(80)).join('\n')).toBe(
      `
DAY        AGENTS                        IN    OUT   CACHE  SESSIONS       COST
Tue 10 Nov claude codex gemini +3     2.41M   418k   44.9M        14    ≈$32.75
Wed 11 Nov claude codex gemini +2     1.98M   331k   35.2M        13    ≈$21.96
Thu 12 Nov claude codex gemini +2     1.77M   302k   31.0M        12    ≈$19.55
Fri 13 Nov claude codex gemini +3     1.20M   214k   20.8M        11    ≈$13.70
Sat 14 Nov claude codex               0.49M    88k   8.61M         3     ≈$5.94
Sun 15 Nov claude codex               0.47M    81k   8.12M         4     ≈$5.82
Mon 16 Nov claude codex opencode      1.66M   271k   27.4M        24    ≈$18.42
────────────────────────────────────────────────────────────────────────────────
30 days    6 agents                   49.2M  8.32M    635M       318      ≈$425
`.trim(),
    )
  })

  test('by model fits 80 columns, also without a price', () => {
    expect(formatUsageTable(models, style(80)).join('\n')).toBe(
      `
MODEL                AGENTS              IN    OUT   CACHE  SESSIONS        COST
opus-5-5             claude           9.10M  1.61M    142M        71       ≈$139
sonnet-5-5           claude opencode  8.77M  1.38M    118M        52     ≈$48.30
gpt-5.5-codex        codex            5.02M  0.88M   61.4M        33     ≈$38.12
gemini-3-pro         gemini           2.31M  0.31M   18.8M        12      ≈$8.90
haiku-5              claude           1.02M  0.14M   21.7M         9      ≈$4.70
kimi-k3-preview      opencode         0.21M  0.02M   1.41M         2  — no price
`.trim(),
    )
  })

  test('has no agents on 60 columns', () => {
    const {lines} = days
    expect(formatUsageTable({...days, lines: lines.slice(-2)}, style(60, ascii)).join('\n')).toBe(
      `
DAY                   IN    OUT   CACHE  SESSIONS       COST
Sun 15 Nov         0.47M    81k   8.12M         4     ~$5.82
Mon 16 Nov         1.66M   271k   27.4M        24    ~$18.42
------------------------------------------------------------
30 days            49.2M  8.32M    635M       318      ~$425
`.trim(),
    )
    const rows = models.lines.slice(-2)
    expect(formatUsageTable({...models, lines: rows}, style(60)).join('\n')).toBe(
      `
MODEL                IN    OUT   CACHE  SESSIONS        COST
haiku-5           1.02M   140k   21.7M         9      ≈$4.70
kimi-k3-preview   0.21M    20k   1.41M         2  — no price
`.trim(),
    )
    const sessions = {...models, labelWidth: {min: 24, normal: 20}, lines: rows.slice(0, 1)}
    expect(formatUsageTable(sessions, style(60)).join('\n')).toBe(
      `
MODEL                           IN    OUT   CACHE       COST
haiku-5                      1.02M   140k   21.7M     ≈$4.70
`.trim(),
    )
  })

  test.each([20, 30, 40, 50, 60, 70, 79, 80, 100, 200])('never exceeds %i columns', (width) => {
    const long = line('日本語'.repeat(30), SIX, [1, 2, 3], 1234, 12_345)
    const parts = [line('model'.repeat(20), 'opencode', [1, 2, 3], 1, null)]
    for (const table of [days, models, {...models, lines: [{...long, parts}]}]) {
      for (const text of formatUsageTable(table, style(width))) {
        expect(textWidth(text)).toBeLessThanOrEqual(width)
      }
    }
  })

  test('widens the first column on a wide terminal', () => {
    const label = 'Explain how the ledger closes a month'
    const [head, row] = formatUsageTable(
      {...models, lines: [line(label, 'claude', [1000, 100, 0], 1, 0.5)]},
      style(120),
    )
    expect(row).toBe(`${label} claude              1k    100       0         1     ≈$0.50`)
    expect(head?.length).toBe(row?.length)
  })

  test('shows the usage of agents and models below a row', () => {
    const parts = [
      line('opus-5-5', 'claude', [0.3 * M, 50_000, 6 * M], 2, 5),
      line('local-model-with-a-long-name', 'opencode', [0.17 * M, 31_000, 2.12 * M], 2, null),
    ]
    const [first = line('', '', [0, 0, 0], 0, 0)] = days.lines
    const table = {...days, lines: [{...first, parts}], total: undefined}
    expect(formatUsageTable(table, style(80)).join('\n')).toBe(
      `
DAY        AGENTS                        IN    OUT   CACHE  SESSIONS        COST
Tue 10 Nov claude codex gemini +3     2.41M   418k   44.9M        14     ≈$32.75
  claude opus-5-5                     0.30M    50k   6.00M         2      ≈$5.00
  opencode local-model-with-a-long-…  0.17M    31k   2.12M         2  — no price
`.trim(),
    )
  })

  test('escapes control characters', () => {
    const table = {...models, lines: [line('a\u001b[31mb', 'claude', [1, 1, 1], 1, 1)]}
    expect(formatUsageTable(table, style(80))[1]).toContain(String.raw`a\x1b[31mb`)
  })
})

describe('notes', () => {
  const outlook = {
    month: '2026-11',
    spentUsd: 239,
    isEstimate: true,
    forecast: {usd: 446},
    budget: {monthUsd: 420, spentUsd: 239, reachedOn: '2026-11-29'},
  }

  test('have the current month with its budget and forecast', () => {
    expect(formatOutlook(outlook, style(80))).toEqual([
      'November ≈$239 of $420                  forecast ≈$446, over budget about 29 Nov',
    ])
    expect(formatOutlook(outlook, style(60))).toEqual([
      'November ≈$239 of $420',
      'forecast ≈$446, over budget about 29 Nov',
    ])
  })

  test('have only known facts about the month', () => {
    const spent = {...outlook, budget: {monthUsd: 99.5, spentUsd: 239, reachedOn: '2026-11-09'}}
    const [left, right] = formatOutlook(spent, style(60))
    expect([left, right]).toEqual([
      'November ≈$239 of $99.50',
      'forecast ≈$446, over budget since 9 Nov',
    ])
    const bare = {...outlook, forecast: null, budget: null}
    expect(formatOutlook(bare, style(80))).toEqual(['November ≈$239'])
  })

  test('explain the estimate and name models without a price', () => {
    const unpriced = [
      {model: 'kimi-k3-preview', tokens: 1_640_000},
      {model: 'qwen3-coder-local', tokens: 280_000},
    ]
    const prices = {isEstimate: true, pricesFrom: '2026-11-10', unpriced}
    expect(formatPriceNotes(prices, style(80))).toEqual([
      '≈ estimate: tokens × list price of 2026-11-10. No price: kimi-k3-preview,',
      '  qwen3-coder-local (1.92M tokens not in the cost).',
    ])
    expect(formatPriceNotes({...prices, unpriced: []}, style(80, ascii))).toEqual([
      '~ estimate: tokens x list price of 2026-11-10.',
    ])
    expect(formatPriceNotes({...prices, isEstimate: false, unpriced: []}, style(80))).toEqual([])
  })

  test('count the rows that are not shown', () => {
    expect(formatMoreRows(1, 'session')).toBe('1 more session. All of them: --all')
    expect(formatMoreRows(1298, 'session')).toBe('1,298 more sessions. All of them: --all')
  })
})

test.each([
  ['2026-11-10', 'day', 'Tue 10 Nov'],
  ['2025-11-10', 'day', '2025-11-10'],
  ['2026-11-02', 'week', '2 Nov'],
  ['2026-11', 'month', 'Nov 2026'],
] as const)('the label of %s by %s is %s', (key, group, label) => {
  expect(formatPeriod(key, group, '2026')).toBe(label)
})

test('the numbers of a column have the unit of the largest one', () => {
  const format = (...counts: number[]) => counts.map(createTokenFormat(counts))
  expect(format(2_410_000, 490_000, 0, 1200)).toEqual(['2.41M', '0.49M', '0', '1.2k'])
  expect(format(418_000, 88_312, 640)).toEqual(['418k', '88k', '640'])
  expect(format(9400, 895)).toEqual(['9.4k', '895'])
  expect(format()).toEqual([])
  expect(formatTokenCount(1_252_000_000)).toBe('1.25B')
})

test('costs without a price and budgets in whole dollars have no cents', () => {
  expect(formatCost({costUsd: null, isEstimate: false}, unicode)).toBe('— no price')
  expect(formatCost({costUsd: 0.0042, isEstimate: true}, unicode)).toBe('≈$0.0042')
  expect([420, 40, 99.5, 1200].map(formatBudget)).toEqual(['$420', '$40', '$99.50', '$1,200'])
})
