import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import type {Draft} from '../../core/events/adapter.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {initialRunState, reduceRunState} from '../../core/run/run-state.ts'
import {isRecord, type JsonObject} from '../../core/wire/json.ts'
import {createTranscriptTranslator} from './transcript-translate.ts'

function read(...rows: JsonObject[]): {drafts: Draft[]; costUsd: number | undefined} {
  const translator = createTranscriptTranslator({openTool: () => undefined})
  const drafts = [...rows.flatMap(translator.translate), ...(translator.end?.() ?? [])]
  return {drafts, costUsd: translator.pendingUsage?.()?.costUsd}
}

function readFile(name: string): Draft[] {
  const path = fileURLToPath(new URL(`transcripts/${name}.jsonl`, import.meta.url))
  const rows = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  return read(...rows.filter(isRecord)).drafts
}

/** The tokens that all usage adds up to. */
function tokensOf(drafts: readonly Draft[]) {
  const events = drafts.map((draft) => ({line: 1, at: 0, agent: 'claude', ...draft}) as AgentEvent)
  return events.reduce(reduceRunState, initialRunState).ledger.tokens
}

const typesOf = (drafts: readonly Draft[]): string[] => drafts.map(({type}) => type)

function answer(fields: JsonObject, message: JsonObject = {}): JsonObject {
  const usage = {input_tokens: 100, output_tokens: 10}
  const defaults = {
    id: 'm',
    model: 'claude-opus-5-5',
    content: [{type: 'text', text: 'Hi.'}],
    usage,
  }
  return {type: 'assistant', requestId: 'r', message: {...defaults, ...message}, ...fields}
}

describe('usage', () => {
  // The figures are from the log of the model server.
  test.each([
    ['interactive', {input: 2314, output: 597, cacheRead: 6048, cacheWrite: 2698, reasoning: 0}],
    ['blocks', {input: 1395, output: 499, cacheRead: 4659, cacheWrite: 1723, reasoning: 74}],
  ])('equals the sum of the requests of a real session: %s', (name, tokens) => {
    expect(tokensOf(readFile(name))).toEqual(tokens)
  })

  test('counts a request once, by the row with the largest output', () => {
    const {drafts, costUsd} = read(
      answer({}, {usage: {input_tokens: 100, output_tokens: 1}}),
      answer({}, {usage: {input_tokens: 100, output_tokens: 40}}),
      answer({}, {usage: {input_tokens: 100, output_tokens: 3}}),
    )
    expect(tokensOf(drafts)).toMatchObject({input: 100, output: 40})
    expect(costUsd).toBeCloseTo((100 * 4 + 40 * 20) / 1e6, 12)
  })

  test.each([
    ['another message', answer({}, {id: 'n'})],
    ['another request', answer({requestId: 's'})],
  ])('counts %s too', (_, row) => {
    expect(tokensOf(read(answer({}), row).drafts)).toMatchObject({input: 200, output: 20})
  })

  test('is empty for messages of the program itself', () => {
    const {drafts, costUsd} = read(
      answer({}, {model: '<synthetic>', usage: {input_tokens: 0, output_tokens: 0}}),
    )
    expect(typesOf(drafts)).not.toContain('usage')
    expect(costUsd).toBe(undefined)
  })

  test('has no cost when the price of a model is not known', () => {
    const {costUsd} = read(answer({}), answer({requestId: 's'}, {model: 'other'}))
    expect(costUsd).toBe(undefined)
  })
})

describe('the conversation', () => {
  test('has the prompts, responses, calls and turns of a real session', () => {
    const drafts = readFile('interactive').filter(({type}) => type !== 'usage')
    expect(
      typesOf(drafts)
        .join(' ')
        .split(/ (?=session-start)/),
    ).toEqual([
      'session-start status tool-start tool-end text turn-end',
      'session-start status text status',
      'session-start status text turn-end',
    ])
    expect(drafts.filter(({type}) => type === 'status')).toMatchObject([
      {detail: 'prompt: What has changed?'},
      {detail: 'prompt: Tell me more'},
      {status: 'interrupted'},
      {detail: 'prompt: Shorter please'},
    ])
    expect(drafts[0]).toMatchObject({cwd: '/home/dev/project', agentVersion: '2.1.325'})
  })

  test('ends a turn once, after all rows of its response', () => {
    const end = {stop_reason: 'end_turn'}
    const thinking = answer({}, {...end, content: [{type: 'thinking', thinking: 'hm'}]})
    const {drafts} = read(thinking, answer({}, end))
    expect(typesOf(drafts)).toEqual(['session-start', 'usage', 'thinking', 'text', 'turn-end'])
  })

  test('does not end a turn while a tool is called', () => {
    expect(typesOf(read(answer({}, {stop_reason: 'tool_use'})).drafts)).not.toContain('turn-end')
  })

  test('ends a turn that failed with its error', () => {
    const failed = answer({isApiErrorMessage: true, error: 'invalid_request'})
    expect(read(failed).drafts.at(-1)).toMatchObject({
      type: 'turn-end',
      ok: false,
      subtype: 'invalid_request',
      errors: ['Hi.'],
    })
  })

  test.each([
    ['in a field', {toolDenialKind: 'user-rejected'}, 'No.'],
    ['in words', {}, "The user doesn't want to proceed with this tool use. The tool use was …"],
  ])('has a denied call when a row has %s', (_, fields, content) => {
    const result = {type: 'tool_result', tool_use_id: 't', is_error: true, content}
    const {drafts} = read({type: 'user', ...fields, message: {content: [result]}})
    expect(drafts).toMatchObject([
      {type: 'permission-denied', toolId: 't'},
      {type: 'tool-end', toolId: 't', ok: false, denied: true},
    ])
  })

  test('has no denial for a failed call', () => {
    const result = {type: 'tool_result', tool_use_id: 't', is_error: true, content: 'Exit code 1'}
    const {drafts} = read({type: 'user', message: {content: [result]}})
    expect(drafts).toMatchObject([{type: 'tool-end', ok: false, exitCode: 1}])
    expect(drafts[0]).not.toHaveProperty('denied')
  })

  test('reports a retried request', () => {
    const row = {
      type: 'system',
      subtype: 'api_error',
      error: {formatted: '529 Overloaded'},
      retryAttempt: 1,
      maxRetries: 10,
      retryInMs: 574,
    }
    expect(read(row).drafts).toEqual([
      {
        type: 'status',
        status: 'api-retry',
        detail: '529 Overloaded',
        attempt: 1,
        of: 10,
        delayMs: 574,
      },
    ])
  })

  test('ignores rows that are damaged or not part of it', () => {
    const {drafts} = read({type: 'api-request-blob', message: {content: 'x'}}, {type: 'mode'}, {})
    expect(drafts).toEqual([])
    expect(() => read({type: 'user', message: 1}, {type: 'assistant'})).not.toThrow()
  })
})
