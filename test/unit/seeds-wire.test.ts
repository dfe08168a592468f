import {describe, expect, test} from 'vitest'
import {
  contentString,
  decodeClaudeStream,
  inputString,
  parseRawEvent,
  textContent,
  toolResultBlocks,
  toolUseBlocks,
  type ClaudeEvent,
  type RawClaudeEvent,
} from '../../src/claude.ts'

// Requirements for Claude's own lines that no other test covers by name. docs/seeds.md refers to these tests.

const parse = (value: object) => parseRawEvent(JSON.stringify(value)).event

const text = {type: 'text', text: 'Reading.'}
const toolUse = {type: 'tool_use', id: 't1', name: 'Read', input: {file_path: 'a', deep: [{b: 1}]}}
const toolResult = {type: 'tool_result', tool_use_id: 't1', content: 'A', is_error: false}
const usage = {
  input_tokens: 1,
  output_tokens: 2,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 4,
}
const init = {
  type: 'system',
  subtype: 'init',
  cwd: '/tmp',
  tools: ['Read'],
  model: 'm',
  session_id: 's',
  mcp_servers: [{name: 'lab', status: 'connected'}, 'plain'],
  permissionMode: 'default',
  claude_code_version: '2.1',
  agents: ['a'],
  skills: ['b'],
  slash_commands: ['c'],
}
const message = {
  id: 'm1',
  type: 'message',
  role: 'assistant',
  content: [text, toolUse],
  model: 'm',
  stop_reason: 'tool_use',
  usage,
}
const result = {
  type: 'result',
  subtype: 'success',
  result: 'done',
  session_id: 's',
  is_error: false,
  cost_usd: 0.04,
  total_cost_usd: 0.05,
  duration_ms: 10,
  duration_api_ms: 8,
  num_turns: 2,
  usage,
}

describe('a type that was asked for', () => {
  test.each([
    [init],
    [{type: 'assistant', message, session_id: 's'}],
    [{type: 'user', message: {content: [toolResult]}, tool_use_result: 'a string'}],
    [{type: 'user', message: {content: [toolResult]}, tool_use_result: {stdout: 'an object'}}],
    [toolUse],
    [toolResult],
    [{type: 'content_block_start', index: 1, content_block: text}],
    [{type: 'content_block_delta', index: 1, delta: {type: 'text_delta', text: 'a'}}],
    [{type: 'content_block_delta', index: 1, delta: {type: 'of_the_future', data: 'kept'}}],
    [{type: 'content_block_stop', index: 1}],
    [{type: 'message_start', message}],
    [{type: 'message_stop'}],
    [result],
  ])('has types for all of its fields, and no extras: %j', (line) => {
    const event = parse(line)
    expect(event).toEqual(line)
    expect(extrasOf(event)).toEqual({})
    expect(extrasOf(parse({...line, new_field: 'kept'}))).toEqual({new_field: 'kept'})
  })

  test('has readable fields', () => {
    expect(describeEvent(parse(init))).toBe('s m /tmp Read lab,plain default 2.1 a b c')
    expect(describeEvent(parse({type: 'assistant', message}))).toBe(
      'm1 message assistant m tool_use',
    )
    expect(describeEvent(parse(result))).toBe('success done s false 0.04 0.05 10 8 2 1 2 3 4')
  })

  test('accepts missing fields and fields of other types', () => {
    for (const type of ['system', 'assistant', 'user', 'result', 'content_block_delta']) {
      expect(parse({type}).type).toBe(type)
      const odd = {type, message: 7, index: 'x', delta: [], cwd: null, tools: {}, is_error: 'no'}
      expect(parse(odd)).toEqual(odd)
    }
  })
})

describe('a stream', () => {
  const lines = [
    JSON.stringify(init),
    '  ',
    'not json',
    JSON.stringify({type: 'assistant', message}),
  ]

  test('yields one event at a time until its end', async () => {
    const events = decodeClaudeStream(lines.join('\n'))
    const types: (string | undefined)[] = []
    for (let count = 0; count < 4; count++) types.push((await events.next()).value?.event.type)
    expect(types).toEqual(['system', 'blank', 'malformed', 'assistant'])
    expect(await events.next()).toEqual({done: true, value: undefined})
  })

  test('can be filtered for valid lines with one condition', async () => {
    const good: ClaudeEvent[] = []
    for await (const {event} of decodeClaudeStream(lines.join('\n'))) {
      if (event.type !== 'blank' && event.type !== 'malformed') good.push(event)
    }
    expect(good).toEqual([init, {type: 'assistant', message}])
  })

  test('accepts lines far over 64 KB, in any script, with trailing white space', async () => {
    const content = 'größer 玻璃 👩‍👩‍👧\n'.repeat(100_000)
    const line = JSON.stringify({type: 'user', message: {content: [{...toolResult, content}]}})
    const [record] = await collect(`${line} \t\r\n`)
    expect(line.length).toBeGreaterThan(1 << 20)
    expect(toolResultBlocks(record?.event ?? {type: 'blank'}).map(contentString)).toEqual([content])
    expect(record?.raw).toBe(`${line} \t\r\n`)
  })

  test('keeps the exact input of a tool, also numbers that JavaScript cannot represent', async () => {
    const line =
      '{"type":"tool_use","id":"t","name":"n","input":{"big": 12345678901234567890,"a":{"b":[]}}}'
    const [record] = await collect(line)
    expect(record?.raw).toBe(line)
    expect(toolUseBlocks(parse(toolUse)).map(inputString)).toEqual([
      JSON.stringify(toolUse.input, null, 2),
    ])
  })

  test('separates the text and the tool calls of one message', () => {
    const event = parse({type: 'assistant', message})
    expect(textContent(event)).toBe('Reading.')
    expect(toolUseBlocks(event)).toEqual([toolUse])
  })
})

async function collect(source: string): Promise<RawClaudeEvent[]> {
  const records: RawClaudeEvent[] = []
  for await (const record of decodeClaudeStream([Buffer.from(source)])) records.push(record)
  return records
}

function extrasOf(event: ClaudeEvent): unknown {
  return 'extras' in event ? event.extras : 'none'
}

/** Reads the fields by their names, which only compiles if they are typed. */
function describeEvent(event: ClaudeEvent): string {
  if (event.type === 'system' && (event.subtype === undefined || event.subtype === 'init')) {
    const servers = event.mcp_servers?.map((it) => (typeof it === 'string' ? it : it.name))
    const {session_id, model, cwd, tools, permissionMode, claude_code_version} = event
    const {agents, skills, slash_commands} = event
    const names = [agents, skills, slash_commands]
    return [
      session_id,
      model,
      cwd,
      tools,
      servers,
      permissionMode,
      claude_code_version,
      ...names,
    ].join(' ')
  }
  if (event.type === 'result') {
    const {subtype, session_id, is_error, cost_usd, total_cost_usd, duration_ms} = event
    const {input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens} =
      event.usage ?? {}
    const tokens = [
      input_tokens,
      output_tokens,
      cache_read_input_tokens,
      cache_creation_input_tokens,
    ]
    const numbers = [cost_usd, total_cost_usd, duration_ms, event.duration_api_ms, event.num_turns]
    return [subtype, event.result, session_id, is_error, ...numbers, ...tokens].join(' ')
  }
  if (event.type !== 'assistant' || typeof event.message !== 'object') return ''
  if (event.message === null || !('role' in event.message)) return ''
  const {id, type, role, model, stop_reason} = event.message
  return [id, type, role, model, stop_reason].join(' ')
}
