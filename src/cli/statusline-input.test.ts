import {describe, expect, test} from 'vitest'
import {parseStatus, readStatus} from './statusline-input.ts'

/** As Claude Code 2.1 sends it. */
const STATUS = {
  session_id: '6c3f2f0e-58a4-4a57-9d0c-51c4ad4a2f6e',
  transcript_path: '/home/dev/.claude/projects/-home-dev-shop/6c3f2f0e.jsonl',
  cwd: '/home/dev/shop',
  model: {id: 'claude-opus-5-5', display_name: 'Opus 5.5'},
  workspace: {current_dir: '/home/dev/shop', project_dir: '/home/dev/shop'},
  version: '2.1.325',
  cost: {
    total_cost_usd: 0.71,
    total_duration_ms: 1320,
    total_lines_added: 4,
    total_lines_removed: 2,
  },
  context_window: {
    context_window_size: 200_000,
    used_percentage: 61,
    current_usage: {
      input_tokens: 8,
      cache_creation_input_tokens: 992,
      cache_read_input_tokens: 19_000,
    },
  },
  exceeds_200k_tokens: false,
  rate_limits: {
    five_hour: {used_percentage: 72.4, resets_at: 1_794_841_200},
    seven_day: {used_percentage: 12, resets_at: 1_795_200_000},
  },
}

test('reads model, cost, context and limit', () => {
  expect(readStatus(STATUS)).toEqual({
    model: 'claude-opus-5-5',
    sessionUsd: 0.71,
    block: {endsAt: 1_794_841_200_000, usedShare: 0.7240000000000001},
    contextShare: 0.61,
  })
})

describe('every field may be missing or of another type', () => {
  test.each([
    {},
    {model: null, cost: [], context_window: 'full', rate_limits: 7},
    {model: {}, cost: {}, context_window: {}, rate_limits: {five_hour: null}},
    {cost: {total_cost_usd: -1}, context_window: {used_percentage: 'x', context_window_size: 0}},
    {
      cost: {total_cost_usd: '1'},
      rate_limits: {five_hour: {resets_at: 'never', used_percentage: 1}},
    },
  ])('%j', (status) => {
    expect(Object.values(readStatus(status)).filter((value) => value !== undefined)).toEqual([])
  })

  test('the name of the model replaces its id', () => {
    expect(readStatus({model: {display_name: 'Opus'}}).model).toBe('Opus')
    expect(readStatus({model: 'opus'}).model).toBe('opus')
  })

  test('the context is calculated from the usage', () => {
    const {used_percentage: _, ...context} = STATUS.context_window
    expect(readStatus({context_window: context}).contextShare).toBe(0.1)
  })

  test('a limit can have a date, and no share', () => {
    const resets = {resets_at: '2026-11-16T15:00:00Z'}
    expect(readStatus({rate_limits: {five_hour: resets}}).block).toEqual({
      endsAt: 1_794_841_200_000,
      usedShare: undefined,
    })
  })
})

test('parses only complete objects', () => {
  expect(parseStatus('\ufeff{"a":1}\n')).toEqual({a: 1})
  for (const text of ['', '{', '{"a":{}', '[]', '1', '{}}', 'null']) {
    expect(parseStatus(text)).toBe(undefined)
  }
})
