import {describe, expect, test} from 'vitest'
import {formatMoney} from '../core/text/figures.ts'
import {colored, plain} from './colors.ts'
import {ascii, unicode} from './symbols.ts'
import {formatDollars, formatStatusline, type StatusFacts} from './usage-statusline.ts'

const NOW = Date.parse('2026-11-16T14:21Z')
const full: StatusFacts = {
  model: 'claude-opus-5-5',
  sessionUsd: 0.71,
  today: {costUsd: 18.42, isEstimate: true},
  block: {endsAt: NOW + 39 * 60_000, usedShare: 0.72},
  contextShare: 0.61,
}

function format(facts: StatusFacts, width = 80, colors = plain, symbols = unicode): string {
  return formatStatusline(facts, {colors, symbols, width, now: NOW})
}

test.each([
  [80, 'opus-5-5 · $0.71 session · ≈$18.42 today · block 39m left 72% · ctx 61%'],
  [71, 'opus-5-5 · $0.71 session · ≈$18.42 today · block 39m left 72% · ctx 61%'],
  [70, 'opus-5-5 · $0.71 session · ≈$18.42 today · block 39m left 72%'],
  [60, 'opus-5-5 · $0.71 session · ≈$18.42 today'],
  [40, 'opus-5-5 · $0.71 session · ≈$18.42 today'],
  [39, 'opus-5-5 · $0.71'],
  [5, 'opus-5-5 · $0.71'],
])('on %i columns drops parts from the right: %s', (width, line) => {
  expect(format(full, width)).toBe(line)
})

describe('parts', () => {
  test('are left out if they are not known', () => {
    expect(format({})).toBe('')
    expect(format({model: 'gpt-5.5'})).toBe('gpt-5.5')
    expect(format({sessionUsd: 1.5})).toBe('$1.50 session')
    expect(format({contextShare: 0.07})).toBe('ctx 7%')
    expect(format({...full, block: {endsAt: NOW - 1}})).not.toContain('block')
    expect(format({block: {endsAt: NOW + 7_500_000}})).toBe('block 2h 05m left')
  })

  test.each([
    ['claude-sonnet-4-5-20250929', 'sonnet-4-5'],
    ['claude-opus-5-5[1m]', 'opus-5-5'],
    ['claude-haiku-4-5-20251001[1m]', 'haiku-4-5'],
    ['Opus 5.5', 'Opus 5.5'],
    ['a\u001b[31m', String.raw`a\x1b[31m`],
  ])('have a short name for the model %j', (model, name) => {
    expect(format({model})).toBe(name)
  })

  test('warn at 80 and at 95 percent, with a sign and a colour', () => {
    const today = {costUsd: 41.2, isEstimate: true, budgetUsd: 40}
    const line = format({
      ...full,
      today,
      block: {endsAt: NOW + 2_340_000, usedShare: 0.96},
      contextShare: undefined,
    })
    expect(line).toBe('opus-5-5 · $0.71 session · ▲ ≈$41.20 of $40 today · block 39m left 96% ▲')
    expect(format({contextShare: 0.8}, 80, colored)).toBe('\u001b[33mctx 80% ▲\u001b[0m')
    expect(format({contextShare: 0.95}, 80, colored)).toBe('\u001b[1;31mctx 95% ▲\u001b[0m')
    expect(format({contextShare: 0.79}, 80, colored)).toBe('ctx 79%')
    expect(format({today: {...today, costUsd: 31}})).toBe('≈$31.00 today')
  })

  test('have other signs without UTF-8', () => {
    expect(format({...full, contextShare: 0.9}, 80, plain, ascii)).toBe(
      'opus-5-5 - $0.71 session - ~$18.42 today - block 39m left 72% - ctx 90% !',
    )
  })
})

test('formats money like other views', () => {
  for (const usd of [
    0, 0.0042, 0.01, 0.71, 18.42, 99.994, 100, 139.4, 999.6, 1234.5, 1_234_567.8,
  ]) {
    expect(formatDollars(usd)).toBe(formatMoney(usd))
  }
})
