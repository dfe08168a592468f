import {expect, test} from 'vitest'
import {plain} from './colors.ts'
import {ascii, unicode} from './symbols.ts'
import {textWidth} from './text-width.ts'
import {formatUsageBlocks, type BlockClock, type ShownBlock} from './usage-block.ts'

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`)

const clock: BlockClock = {
  now: at('16T14:21'),
  dayAt: (time) => new Date(time).toISOString().slice(0, 10),
  clockAt: (time) => new Date(time).toISOString().slice(11, 16),
}

function style(width: number, symbols = unicode) {
  return {width, symbols, colors: plain, hasColor: false}
}

function closed(start: string, end: string, facts: Partial<ShownBlock>): ShownBlock {
  return {
    from: at(start),
    to: at(end),
    isOpen: false,
    tokens: 0,
    costUsd: 0,
    isEstimate: true,
    projectedUsd: null,
    burnUsdPerHour: null,
    burnTokensPerMinute: null,
    usedShare: null,
    reportedAt: null,
    models: [],
    ...facts,
  }
}

const open = closed('16T10:00', '16T15:00', {
  isOpen: true,
  tokens: 14_600_000,
  costUsd: 11.62,
  projectedUsd: 14.27,
  burnUsdPerHour: 4.07,
  burnTokensPerMinute: 41_200,
  usedShare: 0.72,
  reportedAt: at('16T14:18'),
  models: [
    {model: 'claude-opus-5-5', costUsd: 9.8},
    {model: 'claude-sonnet-5-5', costUsd: 1.82},
  ],
})
const earlier = [
  closed('15T19:00', '16T00:00', {tokens: 4_100_000, costUsd: 2.61}),
  closed('15T10:00', '15T15:00', {tokens: 5_020_000, costUsd: 3.04, usedShare: 0.21}),
  closed('14T13:00', '14T18:00', {tokens: 6_770_000, costUsd: 4.4, usedShare: 0.3}),
]

const TABLE = `
BLOCK                        TOKENS      COST   LIMIT
15 Nov 19:00 to 24:00         4.10M    ≈$2.61   not reported
15 Nov 10:00 to 15:00         5.02M    ≈$3.04   21%
14 Nov 13:00 to 18:00         6.77M    ≈$4.40   30%`.trim()

test('shows the open block and the ones before it on 80 columns', () => {
  expect(formatUsageBlocks([open, ...earlier], clock, style(80)).join('\n')).toBe(
    `
Current block  10:00 to 15:00                                           39m left
Time           ███████████████████████████████████░░░░░  87%
Limit          █████████████████████████████░░░░░░░░░░░  72%  reported 3m ago
Spend          ≈$11.62  at the end ≈$14.27
Burn rate      ≈$4.07/h, 41.2k tokens/min (last 30m)
Models         opus-5-5 ≈$9.80, sonnet-5-5 ≈$1.82

At this rate the block ends at 88% of the limit.

${TABLE}
`.trim(),
  )
})

test('shows the open block on 60 columns without UTF-8', () => {
  expect(formatUsageBlocks([open], clock, style(60, ascii)).join('\n')).toBe(
    `
Current block  10:00 to 15:00                       39m left
Time           #################...  87%
Limit          ##############......  72%  reported 3m ago
Spend          ~$11.62  at the end ~$14.27
Burn rate      ~$4.07/h, 41.2k tokens/min (last 30m)
Models         opus-5-5 ~$9.80, sonnet-5-5 ~$1.82

At this rate the block ends at 88% of the limit.
`.trim(),
  )
})

test('has no limit unless it was reported, and no cost without a price', () => {
  const block = {
    ...open,
    usedShare: null,
    reportedAt: null,
    costUsd: null,
    projectedUsd: null,
    burnUsdPerHour: null,
    models: [{model: '', costUsd: null}],
  }
  expect(formatUsageBlocks([block], clock, style(80)).slice(2)).toEqual([
    'Spend          — no price',
    'Burn rate      41.2k tokens/min (last 30m)',
    'Models         unknown — no price',
  ])
})

test('predicts when the limit is reached', () => {
  const predict = (usedShare: number) =>
    formatUsageBlocks([{...open, usedShare}], clock, style(80)).at(-1)
  expect(predict(0.95)).toBe('At this rate the limit is reached at 14:30.')
  expect(predict(1)).toBe('The limit is reached. It is reset at 15:00.')
})

test('without an open block, names the end of the last one', () => {
  const lines = formatUsageBlocks(earlier, clock, style(80))
  expect(lines.join('\n')).toBe(`No block is open. The last one ended at 00:00.\n\n${TABLE}`)
  expect(formatUsageBlocks(earlier.slice(1), clock, style(80))[0]).toBe(
    'No block is open. The last one ended at 15 Nov 15:00.',
  )
  expect(formatUsageBlocks([], clock, style(80))).toEqual(['No block is open.'])
})

test.each([40, 50, 60, 80, 120])('fits %i columns', (width) => {
  const models = Array.from({length: 9}, (_, index) => ({
    model: `a-long-model-${index}`,
    costUsd: 1,
  }))
  for (const line of formatUsageBlocks([{...open, models}, ...earlier], clock, style(width))) {
    expect(textWidth(line)).toBeLessThanOrEqual(Math.max(width, 62))
  }
})
