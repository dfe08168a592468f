import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {createStreamParser} from '../../src/agents/stream-parser.ts'
import {serverMessage} from '../../src/hub/protocol/server-messages.ts'
import {
  createOutputEvent,
  type RunMessage,
  type ServerMessage,
} from '../../src/core/protocol/server-message.ts'

// Requirements of the document about streaming types that no other test covers by name. docs/seeds.md refers to these
// tests.

const line = (record: unknown) => `${JSON.stringify(record)}\n`
const call = (id: string, name: string, input?: unknown) =>
  line({type: 'assistant', message: {content: [{type: 'tool_use', id, name, input}]}})
const answer = (id: string, content: unknown) =>
  line({type: 'user', message: {content: [{type: 'tool_result', tool_use_id: id, content}]}})

/** The messages of a line, without progress updates. */
function parse(parser: ReturnType<typeof createStreamParser>, text: string): RunMessage[] {
  return parser.parseLine(text, 'w', 'r').filter(({type}) => type !== 'progress_update')
}

test('createStreamParser accepts the four lines of the example, which have a block in place of the message', () => {
  const parser = createStreamParser({now: () => 0})
  const text = {type: 'assistant', message: {type: 'text', text: "I'll help you..."}}
  const called = {type: 'tool_use', id: 'toolu_01', name: 'Read', input: {file_path: 'a'}}
  const returned = {type: 'tool_result', tool_use_id: 'toolu_01', content: '...'}
  const lines = [
    {type: 'system', subtype: 'init', cwd: '/workspace', session_id: '...'},
    text,
    {type: 'assistant', message: called},
    {type: 'user', message: returned},
  ]
  expect(lines.flatMap((record) => parse(parser, line(record)))).toMatchObject([
    {type: 'agent_output', content: "I'll help you..."},
    {type: 'agent_tool_call', toolUseId: 'toolu_01', tool: 'Read', input: {file_path: 'a'}},
    {type: 'agent_tool_result', toolUseId: 'toolu_01', success: true, contentPreview: '...'},
  ])
})

test.each(['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob', 'WebFetch', 'WebSearch', 'Other'])(
  'a call of %s has that tool name, also without input',
  (tool) => {
    const name = tool === 'Other' ? 'SomethingNew' : tool
    expect(parse(createStreamParser(), call('t', name))).toMatchObject([
      {type: 'agent_tool_call', toolUseId: 't', tool, name, input: {}},
    ])
  },
)

test('the duration of a tool ends with its own result, also among other calls', () => {
  let time = 1000
  const parser = createStreamParser({now: () => time})
  parse(parser, call('a', 'Bash'))
  time += 250
  parse(parser, call('b', 'Read'))
  time += 500
  const results = parse(parser, answer('b', '')).concat(parse(parser, answer('a', '')))
  expect(results.map((message) => 'durationMs' in message && message.durationMs)).toEqual([
    500, 750,
  ])
})

test('records for the program only are not output of the agent', () => {
  const parser = createStreamParser()
  const internal = [
    {type: 'system', subtype: 'init', session_id: 's'},
    {type: 'system', subtype: 'hook_started', hook_name: 'x'},
    {type: 'user', message: {content: 'Fix the tests'}},
    {type: 'user', isSynthetic: true, message: {content: [{type: 'text', text: 'a reminder'}]}},
    {type: 'assistant', message: {content: [{type: 'text', text: ''}]}},
  ]
  expect(internal.flatMap((record) => parse(parser, line(record)))).toEqual([])
})

describe('a stream', () => {
  test('yields a message as soon as its line is complete', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    async function* source() {
      yield call('a', 'Read')
      await released
      yield answer('a', 'x')
    }
    const seen: string[] = []
    const reading = (async () => {
      for await (const {type} of createStreamParser().parseStream(source(), 'w', 'r'))
        seen.push(type)
    })()
    while (seen.length < 2) await turn()
    expect(seen).toEqual(['agent_tool_call', 'progress_update'])
    release()
    await reading
    expect(seen).toContain('agent_tool_result')
  })

  test('continues after a malformed line', async () => {
    const text = call('a', 'Read') + 'half a li\n' + answer('a', 'x')
    const seen: string[] = []
    for await (const {type} of createStreamParser().parseStream([text], 'w', 'r')) seen.push(type)
    expect(seen.filter((type) => type !== 'progress_update')).toEqual([
      'agent_tool_call',
      'agent_tool_result',
    ])
  })
})

test('the hub sends every message type of the document', () => {
  const wanted = [
    'agent_tool_call',
    'agent_tool_result',
    'agent_output',
    'file_changed',
    'progress_update',
  ] as const satisfies ServerMessage['type'][]
  const types = serverMessage.options.map(({shape}) => shape.type.value)
  expect(types).toEqual(expect.arrayContaining([...wanted]))
})

test('createOutputEvent needs only the text', () => {
  const message: ServerMessage = createOutputEvent('w', 'r', 'Hello.')
  expect(message).toMatchObject({
    type: 'agent_output',
    workOrderId: 'w',
    runId: 'r',
    content: 'Hello.',
  })
})
