import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {addTokens, withPendingUsage} from '../../core/run/ledger.ts'
import type {PendingUsage} from '../../core/events/adapter.ts'
import {claude} from './index.ts'

const folder = new URL('fixtures/', import.meta.url)
const captures = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.jsonl') && !file.endsWith('.stdin.jsonl'))
  .map((file) => file.replaceAll('\\', '/').replace(/\.jsonl$/, ''))
  .toSorted()

const NONE = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

interface Comparison {
  estimate: PendingUsage
  reported: PendingUsage
}

/** The estimate right before each result, and the usage of the result. */
function compare(name: string): Comparison[] {
  const parser = createEventParser(claude, {now: () => 0})
  const comparisons: Comparison[] = []
  for (const line of readFileSync(new URL(`${name}.jsonl`, folder), 'utf8').split('\n')) {
    const {tokens: estimated = NONE, costUsd: estimatedUsd} = withPendingUsage(
      {costUsd: 0},
      parser.pendingUsage,
    )
    const estimate = {tokens: estimated, costUsd: estimatedUsd}
    const used = parser.parse(line).filter((event) => event.type === 'usage')
    if (used.length === 0) continue
    const tokens = used.reduce((sum, event) => addTokens(sum, event.tokens), NONE)
    const costUsd = used.reduce((sum, event) => sum + (event.costUsd ?? 0), 0)
    comparisons.push({estimate, reported: {tokens, costUsd}})
    expect(parser.pendingUsage).toBe(undefined)
  }
  return comparisons
}

/** Recordings whose results report less than their lines, and the reason. */
const REPORTS_LESS = new Map([
  ['1.0.128/api-529-retry', 'the response to a second attempt is not counted'],
  ['2.1.325/cut-end', 'its model server reports fewer tokens than the text has'],
  ['2.1.325/sigint', 'an aborted response is not counted'],
])

/** Recordings with requests of which only the size is in the stream, without the kinds of its tokens. */
const ONLY_SIZES = [
  '1.0.128/slash-compact',
  '2.1.197/slash-compact',
  '2.1.325/hooks-stream',
  '2.1.325/slash-compact',
  '2.1.325/workflow',
]

test.each(ONLY_SIZES)('the sum of the estimate of %s is never too high', (name) => {
  for (const {estimate, reported} of compare(name)) {
    expect(estimate.costUsd).toBeLessThanOrEqual((reported.costUsd ?? 0) + 1e-9)
  }
})

const measured = captures.filter((name) => !name.startsWith('0.2') && !REPORTS_LESS.has(name))

test.each(measured.filter((name) => !ONLY_SIZES.includes(name)))(
  'the estimate of %s is never too high',
  (name) => {
    for (const {estimate, reported} of compare(name)) {
      expect(estimate.tokens.input).toBeLessThanOrEqual(reported.tokens.input)
      expect(estimate.tokens.output).toBeLessThanOrEqual(reported.tokens.output)
      expect(estimate.tokens.cacheRead).toBeLessThanOrEqual(reported.tokens.cacheRead)
      expect(estimate.tokens.cacheWrite).toBeLessThanOrEqual(reported.tokens.cacheWrite)
      expect(estimate.costUsd).toBeLessThanOrEqual((reported.costUsd ?? 0) + 1e-9)
    }
  },
)

test.each([
  // Lines with the final count.
  '1.0.128/plain-text',
  '1.0.128/grep-glob',
  '1.0.128/mcp',
  '1.0.128/permission-denied',
  // Streamed, which is the only way to the final count in later versions.
  '1.0.128/partial-text',
  '2.1.197/partial-thinking',
  '2.1.197/partial-tool',
  '2.1.325/partial-text',
  '2.1.325/partial-thinking',
  '2.1.325/partial-tool',
  // Nothing was used.
  '2.1.325/api-400',
  '2.1.325/slash-cost',
])('the estimate of %s is exact', (name) => {
  for (const {estimate, reported} of compare(name)) {
    const {input, output, cacheRead, cacheWrite} = reported.tokens
    expect(estimate.tokens).toMatchObject({input, output, cacheRead, cacheWrite})
    expect(estimate.costUsd).toBeCloseTo(reported.costUsd ?? -1, 9)
  }
})

test.each([
  '2.1.197/read-ok',
  '2.1.197/stdin-multi',
  '2.1.325/resume-2',
  '2.1.325/stdin-multi',
  '2.1.325/subagent-forward',
  '2.1.325/task-tools',
])('the estimate of %s, which is not streamed, is exact except for output', (name) => {
  for (const {estimate, reported} of compare(name)) {
    const {input, cacheRead, cacheWrite} = reported.tokens
    expect(estimate.tokens).toMatchObject({input, cacheRead, cacheWrite})
    expect(estimate.tokens.output).toBeLessThan(reported.tokens.output)
  }
})

test.each([
  ['1.0.128/bash-fail', 'small models at work beside the conversation', 24, 72],
  ['2.1.197/subagent', 'the last message of a sub-agent', 36, 48],
  ['2.1.325/sub-fg-two', 'the last messages of sub-agents', 412, 621],
  ['2.1.325/format-json', 'messages at all', 0, 12],
])('the lines of %s do not contain %s', (name, _, seen, used) => {
  const [first] = compare(name)
  expect(first?.estimate.tokens.input).toBe(seen)
  expect(first?.reported.tokens.input).toBe(used)
})

test.each(['0.2.126/plain-text', '0.2.126/read-ok'])('the cost of %s is exact', (name) => {
  const [first] = compare(name)
  expect(first?.estimate.costUsd).toBeCloseTo(first?.reported.costUsd ?? -1, 9)
})

describe('pending usage', () => {
  const usage = (input: number, output: number) => ({input_tokens: input, output_tokens: output})
  const message = (id: string, count: object, more = {}) => ({
    type: 'assistant',
    message: {id, model: 'claude-opus-5-5', role: 'assistant', content: [], usage: count},
    ...more,
  })
  const streamed = (event: object, more = {}) => ({type: 'stream_event', event, ...more})
  const read = (...records: object[]) => {
    const parser = createEventParser(claude, {now: () => 0})
    for (const record of records) parser.parse(JSON.stringify(record))
    return parser.pendingUsage
  }
  const sub = {parent_tool_use_id: 'toolu_1'}

  test('is undefined at first and after a result', () => {
    expect(read()).toBe(undefined)
    expect(read(message('a', usage(1, 1)), {type: 'result'})).toBe(undefined)
    expect(read(message('a', usage(0, 0), {}))).toBe(undefined)
  })

  test('counts a message once, including sub-agents', () => {
    const records = [
      message('a', usage(10, 1)),
      message('b', usage(5, 1), sub),
      message('a', usage(10, 1)),
      message('b', usage(5, 1), sub),
      message('c', usage(20, 1)),
    ]
    expect(read(...records)?.tokens).toMatchObject({input: 35, output: 3})
    expect(read(...records)?.costUsd).toBeCloseTo((35 * 4 + 3 * 20) / 1e6, 12)
  })

  test('takes the highest count of a message', () => {
    const start = streamed({
      type: 'message_start',
      message: {id: 'a', model: 'claude-opus-5-5', usage: {...usage(10, 1)}},
    })
    const end = streamed({
      type: 'message_delta',
      usage: {output_tokens: 9, output_tokens_details: {thinking_tokens: 4}},
    })
    const tokens = {input: 10, output: 9, cacheRead: 0, cacheWrite: 0, reasoning: 4}
    expect(
      read(start, message('a', usage(10, 1)), end, message('a', usage(10, 1)))?.tokens,
    ).toEqual(tokens)
    expect(read(end)).toBe(undefined)
  })

  test('uses the price of Claude Code for a model without a known price', () => {
    const other = message('b', usage(1000, 100))
    other.message.model = 'glm-4.6'
    expect(read(other)?.costUsd).toBeCloseTo((1000 * 4 + 100 * 20) / 1e6, 12)
  })

  describe('of requests without messages in the stream', () => {
    const cached = {...usage(6, 1), cache_read_input_tokens: 100_000}
    const progress = (size: number, toolId = 'toolu_2', type = 'task_progress') => ({
      type: 'system',
      subtype: type,
      task_id: `task-${toolId}`,
      tool_use_id: toolId,
      usage: {total_tokens: size, tool_uses: 1, duration_ms: 1},
    })
    const compaction = (size: number) => ({
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: {trigger: 'auto', pre_tokens: size},
    })

    test('counts a sub-agent of a sub-agent by its size: new tokens as input, earlier ones as cache reads', () => {
      const records = [message('a', cached), progress(30_000), progress(50_000), progress(50_000)]
      const tokens = {input: 6 + 10_000 + 20_000, cacheRead: 100_000 + 20_000 + 30_000}
      expect(read(...records)?.tokens).toMatchObject(tokens)
    })

    test('counts all of its first request as input when nothing is cached', () => {
      const records = [message('a', usage(10, 1)), progress(30_000, 'toolu_2', 'task_notification')]
      expect(read(...records)?.tokens).toMatchObject({input: 30_010, cacheRead: 0})
    })

    test('ignores the size of a sub-agent whose messages are in the stream', () => {
      const records = [
        message('a', usage(10, 1)),
        progress(500, 'toolu_1'),
        message('b', usage(5, 1), sub),
      ]
      expect(read(...records)?.tokens).toMatchObject({input: 15})
    })

    test('counts only growth after a result', () => {
      const records = [message('a', cached), progress(30_000), {type: 'result'}]
      expect(read(...records)).toBe(undefined)
      expect(read(...records, progress(31_000))?.tokens).toMatchObject({
        input: 1000,
        cacheRead: 30_000,
      })
    })

    test('counts the request that compacts the conversation', () => {
      expect(read(message('a', cached), compaction(100_100))?.tokens).toMatchObject({
        input: 6 + 94,
        cacheRead: 100_000 + 100_006,
      })
      expect(read(message('a', usage(150_000, 1)), compaction(150_000))?.tokens).toMatchObject({
        input: 300_000,
        cacheRead: 0,
      })
    })
  })

  test('adds up over any number of messages and sources', () => {
    const records = Array.from({length: 2000}, (_, index) =>
      message(`m${index}`, usage(1, 1), {
        parent_tool_use_id: index < 1000 ? null : `toolu_${index}`,
      }),
    )
    expect(read(...records)?.tokens).toMatchObject({input: 2000, output: 2000})
    expect(read(...records)?.costUsd).toBeCloseTo((2000 * 24) / 1e6, 9)
  })

  test('is known for each sub-agent, also after a result', () => {
    const parser = createEventParser(claude, {now: () => 0})
    const records = [
      message('a', usage(10, 1)),
      message('b', usage(5, 1), sub),
      message('b', usage(5, 1), sub),
      message('c', usage(7, 1), {parent_tool_use_id: 'toolu_2'}),
      message('d', usage(20, 1), sub),
    ]
    for (const record of records) parser.parse(JSON.stringify(record))
    const shares = {
      toolu_1: {tokens: {input: 25, output: 2, cacheRead: 0, cacheWrite: 0}},
      toolu_2: {tokens: {input: 7, output: 1, cacheRead: 0, cacheWrite: 0}},
    }
    expect(Object.fromEntries(parser.subAgentUsage)).toMatchObject(shares)
    expect(parser.subAgentUsage.get('toolu_1')?.costUsd).toBeCloseTo((25 * 4 + 2 * 20) / 1e6, 12)
    parser.parse(JSON.stringify({type: 'result'}))
    expect(Object.fromEntries(parser.subAgentUsage)).toMatchObject(shares)
    expect(createEventParser(claude).subAgentUsage.size).toBe(0)
  })

  test('is known for a limited number of sub-agents', () => {
    const parser = createEventParser(claude, {now: () => 0})
    for (let index = 0; index < 3000; index++) {
      const record = message(`m${index}`, usage(1, 1), {parent_tool_use_id: `toolu_${index}`})
      parser.parse(JSON.stringify(record))
    }
    expect(parser.subAgentUsage.size).toBeLessThanOrEqual(1024 + 256)
    expect(parser.subAgentUsage.has('toolu_0')).toBe(true)
  })

  test('is the same for repeated reads', () => {
    const parser = createEventParser(claude, {now: () => 0})
    parser.parse(JSON.stringify(message('a', usage(1, 1))))
    parser.parse(JSON.stringify(message('b', usage(1, 1))))
    expect(parser.pendingUsage).toEqual(parser.pendingUsage)
  })
})

test('the length of a message estimates its output when only the first token is counted', () => {
  const parser = createEventParser(claude, {now: () => 0})
  const usage = {input_tokens: 10, output_tokens: 1}
  const blocks = [
    {type: 'thinking', thinking: 'x'.repeat(400)},
    {type: 'text', text: 'x'.repeat(400)},
    {type: 'tool_use', id: 't', name: 'Write', input: {file_path: 'a', content: 'x'.repeat(3199)}},
  ]
  for (const block of blocks) {
    const message = {id: 'm', model: 'claude-opus-4-8', usage, content: [block]}
    parser.parse(JSON.stringify({type: 'assistant', message}))
  }
  expect(parser.pendingUsage?.tokens).toMatchObject({input: 10, output: 1000})
})

describe('an aborted message', () => {
  const usage = {input_tokens: 6, cache_creation_input_tokens: 13_000, output_tokens: 1}
  const message = {
    id: 'm',
    model: 'claude-opus-5-5',
    content: [{type: 'text', text: 'Now.'}],
    usage,
  }
  const interrupted = [{type: 'text', text: '[Request interrupted by user]'}]
  const user = (content: unknown) => ({type: 'user', message: {role: 'user', content}})
  const result = {type: 'result', subtype: 'error_during_execution', total_cost_usd: 0}

  function leftOf(...records: object[]): PendingUsage | undefined {
    const parser = createEventParser(claude, {now: () => 0})
    for (const record of [{type: 'assistant', message}, ...records]) {
      parser.parse(JSON.stringify(record))
    }
    return parser.pendingUsage
  }

  test('was billed, although the result does not report it', () => {
    const left = leftOf(user(interrupted), result)
    expect(left?.tokens).toMatchObject({input: 6, cacheWrite: 13_000})
    expect(left?.costUsd).toBeGreaterThan(0.06)
    expect(leftOf(user(interrupted), result, {...result, total_cost_usd: 0.5})).toEqual(left)
  })

  test('is not one with an answer, an interrupted tool or a reported end', () => {
    const answer = user([{type: 'tool_result', tool_use_id: 't', content: ''}])
    expect(leftOf(answer, user(interrupted), result)).toBe(undefined)
    const forTool = [{type: 'text', text: '[Request interrupted by user for tool use]'}]
    expect(leftOf(user(forTool), result)).toBe(undefined)
    const ended = {type: 'stream_event', event: {type: 'message_delta', delta: {}, usage}}
    expect(leftOf(ended, user(interrupted), result)).toBe(undefined)
  })
})
