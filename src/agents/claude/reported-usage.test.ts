import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {countTokens, initialLedger, reduceLedger, type Ledger} from '../../core/run/ledger.ts'
import {numberAt, type JsonObject} from '../../core/wire/json.ts'
import {claude} from './index.ts'

const folder = new URL('fixtures/', import.meta.url)
const captures = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.jsonl') && !file.endsWith('.stdin.jsonl'))
  .map((file) => file.replaceAll('\\', '/').replace(/\.jsonl$/, ''))
  .toSorted()

function linesOf(name: string): string[] {
  return readFileSync(new URL(`${name}.jsonl`, folder), 'utf8').split('\n')
}

function resultsOf(name: string): JsonObject[] {
  return linesOf(name)
    .filter((line) => line.includes('"total_cost_usd"') || line.includes('"cost_usd"'))
    .map((line) => JSON.parse(line) as JsonObject)
}

function parse(lines: readonly string[]): AgentEvent[] {
  const parser = createEventParser(claude, {now: () => 0})
  return lines.flatMap((line) => parser.parse(line))
}

function ledgerOf(events: readonly AgentEvent[]): Ledger {
  return events.reduce(reduceLedger, initialLedger)
}

/** The increase of each result, in dollars and input tokens. */
function increments(events: readonly AgentEvent[]): [string, number | undefined, number][] {
  return events.flatMap((event) =>
    event.type === 'usage'
      ? [[event.model ?? '', event.costUsd && round(event.costUsd), event.tokens.input]]
      : [],
  )
}

function round(costUsd: number): number {
  return Math.round(costUsd * 1e9) / 1e9
}

const NONE = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
const OPUS = 'claude-opus-5-5'
const OPUS_1M = 'claude-opus-4-8[1m]'
const SONNET = 'claude-sonnet-4-20250514'
const HAIKU = 'claude-3-5-haiku-20241022'

/** Recordings whose last total is not the whole story: what each result added, by hand. */
const BY_HAND: Record<string, [string, number, number][]> = {
  // Several turns in one process.
  '1.0.128/stdin-multi': [
    [SONNET, 0.011643, 12],
    [SONNET, 0.023286, 24],
    [HAIKU, 0.0031048, 12],
    [SONNET, 0.011643, 12],
  ],
  '2.1.197/stdin-multi': [
    [OPUS_1M, 0.019405, 12],
    [OPUS_1M, 0.03881, 24],
    [OPUS_1M, 0.019405, 12],
  ],
  '2.1.325/stdin-multi': [
    [OPUS, 0.013476, 12],
    [OPUS, 0.026952, 24],
    [OPUS, 0.013476, 12],
  ],
  '2.1.325/stdin-noreplay': [
    [OPUS, 0.013476, 12],
    [OPUS, 0.013476, 12],
  ],
  '2.1.325/bash-background': [
    [OPUS, 0.026952, 24],
    [OPUS, 0.013476, 12],
  ],
  // Compacting is billed; this version reports its cost at once, its tokens with the next turn.
  '1.0.128/slash-compact': [
    [SONNET, 0.011643, 12],
    [SONNET, 0.023286, 24],
    [HAIKU, 0.0031048, 12],
    ['', 0.011643, 0],
    [SONNET, 0.011643, 24],
  ],
  '2.1.197/slash-compact': [
    [OPUS_1M, 0.019405, 12],
    [OPUS_1M, 0.03881, 24],
    [OPUS_1M, 0.019405, 12],
    [OPUS_1M, 0.019405, 12],
  ],
  '2.1.325/slash-compact': [
    [OPUS, 0.013476, 12],
    [OPUS, 0.026952, 24],
    [OPUS, 0.013476, 12],
    [OPUS, 0.013476, 12],
  ],
  // A cleared conversation: this version continues its counts, the next one resets them.
  '2.1.197/slash-clear': [
    [OPUS_1M, 0.019405, 12],
    [OPUS_1M, 0.019405, 12],
    ['', 0, 0],
    [OPUS_1M, 0.019405, 12],
  ],
  '2.1.325/slash-clear': [
    [OPUS, 0.013476, 12],
    [OPUS, 0.013476, 12],
    ['', 0, 0],
    [OPUS, 0.013476, 12],
  ],
  '2.1.325/slash-clear-cost': [
    [OPUS, 0.000869, 101],
    [OPUS, 0.000893, 102],
    ['', 0, 0],
  ],
  '2.1.325/control-deny-interrupt': [
    [OPUS, 0.000869, 101],
    [OPUS, 0.000893, 102],
  ],
  // The agents of a workflow are reported with the first result; the second repeats the total.
  '2.1.325/workflow': [
    [OPUS, 0.005574, 621],
    ['', 0, 0],
  ],
  // A resumed run begins with the total of the one before.
  '2.1.325/resume-2': [[OPUS, 0.013476, 12]],
  '2.1.325/resume-fork': [[OPUS, 0.013476, 12]],
  // Sub-agents, and two models.
  '1.0.128/subagent': [
    [SONNET, 0.046572, 48],
    [HAIKU, 0.0031048, 12],
  ],
  '2.1.197/subagent': [[OPUS_1M, 0.07762, 48]],
  '2.1.325/subagent': [[OPUS, 0.053904, 48]],
  // The first versions report no tokens.
  '0.2.126/write-edit-bash': [['', 0.0496768, 0]],
}

test.each(Object.entries(BY_HAND))('the usage of %s is reported in parts', (name, expected) => {
  expect(increments(parse(linesOf(name)))).toEqual(expected)
})

test.each(captures.filter((name) => BY_HAND[name] === undefined))(
  'the usage of %s is that of its only result',
  (name) => {
    const results = resultsOf(name)
    expect(results.length).toBeLessThan(2)
    const [result = {}] = results
    const costUsd = numberAt(result, 'total_cost_usd') ?? numberAt(result, 'cost_usd')
    const ledger = ledgerOf(parse(linesOf(name)))
    expect(ledger.costUsd && round(ledger.costUsd)).toBe(costUsd && round(costUsd))
    const reported = Object.values(result['modelUsage'] ?? {}) as Record<string, number>[]
    const sum = (field: string) => reported.reduce((total, use) => total + (use[field] ?? 0), 0)
    const tokens = {
      input: sum('inputTokens'),
      output: sum('outputTokens'),
      cacheRead: sum('cacheReadInputTokens'),
      cacheWrite: sum('cacheCreationInputTokens'),
    }
    // Zeros are no report.
    expect(ledger.tokens ?? NONE).toMatchObject(tokens)
    expect(ledger.tokens === undefined).toBe(countTokens(tokens) === 0)
  },
)

test.each([
  ['1.0.128/slash-compact', 0.0613198],
  ['1.0.128/stdin-multi', 0.0496768],
  ['2.1.197/slash-clear', 0.058215],
  ['2.1.325/slash-clear', 0.040428],
  ['2.1.325/slash-compact', 0.06738],
])('the cost of %s is $%d', (name, costUsd) => {
  expect(ledgerOf(parse(linesOf(name))).costUsd).toBeCloseTo(costUsd, 9)
})

describe('usage of older versions', () => {
  const use = (inputTokens: number, costUSD?: number, more = {}) => ({
    inputTokens,
    outputTokens: 1,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD,
    ...more,
  })
  const result = (total: number | undefined, modelUsage?: unknown, more = {}) => ({
    type: 'result',
    total_cost_usd: total,
    modelUsage,
    ...more,
  })
  const read = (...records: unknown[]) => parse(records.map((record) => JSON.stringify(record)))
  const usage = (input: number) => ({usage: {input_tokens: input, output_tokens: 1}})

  test.each<[string, unknown[], [string, number | undefined, number][]]>([
    [
      'restarts from 0 when the total falls',
      [result(3, {a: use(30, 3)}), result(1, {a: use(40, 1)})],
      [
        ['a', 3, 30],
        ['a', 1, 40],
      ],
    ],
    [
      'restarts from 0 when a count falls',
      [result(3, {a: use(30, 3)}), result(4, {a: use(10, 4)})],
      [
        ['a', 3, 30],
        ['a', 4, 10],
      ],
    ],
    [
      'restarts from 0 when the conversation is cleared',
      [result(3, {a: use(30, 3)}), {type: 'conversation_reset'}, result(5, {a: use(50, 5)})],
      [
        ['a', 3, 30],
        ['a', 5, 50],
      ],
    ],
    [
      'has a rest without a model when the models do not explain the total',
      [result(3, {a: use(30, 2)})],
      [
        ['a', 2, 30],
        ['', 1, 0],
      ],
    ],
    [
      'has the costs of the models when there is no total',
      [result(undefined, {a: use(30, 2)}), result(undefined, {a: use(40, 3)})],
      [
        ['a', 2, 30],
        ['a', 1, 10],
      ],
    ],
    [
      'is in `usage` when there are no models',
      [result(1, undefined, usage(10)), result(3, undefined, usage(20))],
      [
        ['', 1, 10],
        ['', 2, 20],
      ],
    ],
    ['may have no cost', [result(undefined, undefined, usage(10))], [['', undefined, 10]]],
    [
      'may be 0',
      [result(0, {}), result(0)],
      [
        ['', 0, 0],
        ['', 0, 0],
      ],
    ],
    ['may not be reported at all', [result(undefined), result(undefined, {})], []],
  ])('%s', (_, records, expected) => {
    expect(increments(read(...records))).toEqual(expected)
  })

  test('has thinking tokens when they are reported', () => {
    const events = read(
      result(1, {a: use(10, 1, {thinkingTokens: 5})}),
      result(2, {a: use(20, 2, {thinkingTokens: 8})}),
    )
    const reported = events.flatMap((event) =>
      event.type === 'usage' ? [event.tokens.reasoning] : [],
    )
    expect(reported).toEqual([5, 3])
  })

  test('adds up over a long run', () => {
    let total = 0
    const records = Array.from({length: 1000}, (_, index) => {
      total += 0.0123456789
      return result(total, {a: use(index, total / 3), b: use(index, total - total / 3)})
    })
    expect(ledgerOf(read(...records)).costUsd).toBeCloseTo(total, 9)
  })
})
