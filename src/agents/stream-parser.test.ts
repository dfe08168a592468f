import {createReadStream, readFileSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import type {MalformedEvent} from '../core/events/events.ts'
import type {ProgressUpdateEvent, RunMessage} from '../core/protocol/server-message.ts'
import {createStreamParser, type StreamParserOptions} from './stream-parser.ts'

const capture = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const line = (record: unknown) => JSON.stringify(record)
const call = (id: string, name: string, input: unknown) =>
  line({type: 'assistant', message: {content: [{type: 'tool_use', id, name, input}]}})
const answer = (id: string, content: string, more = {}) =>
  line({
    type: 'user',
    message: {content: [{type: 'tool_result', tool_use_id: id, content, ...more}]},
  })

/** A parser with a clock that advances 100 ms per read. */
function createParser(progressIntervalMs = Number.POSITIVE_INFINITY) {
  let time = 1_000_000
  const parser = createStreamParser({progressIntervalMs, now: () => (time += 100)})
  const first = parser.parseLine(line({type: 'assistant', message: {content: 'Hi'}}), 'w', 'r')
  return {parser, first, parse: (text: string) => parser.parseLine(text, 'w', 'r')}
}

async function collect(source: AsyncIterable<RunMessage>): Promise<RunMessage[]> {
  const messages: RunMessage[] = []
  for await (const message of source) messages.push(message)
  return messages
}

describe('a line', () => {
  test('with a tool call is a message with all its fields', () => {
    const {parse} = createParser()
    expect(parse(call('t', 'Read', {file_path: 'a'}))).toEqual([
      {
        type: 'agent_tool_call',
        workOrderId: 'w',
        runId: 'r',
        seq: 2,
        timestamp: expect.stringMatching(/^1970-01-01T00:16:40/) as string,
        toolUseId: 't',
        tool: 'Read',
        name: 'Read',
        input: {file_path: 'a'},
      },
    ])
    expect(parse(call('b', 'Bash', {command: 'ls'}))).toMatchObject([
      {tool: 'Bash', input: {command: 'ls'}},
    ])
    expect(parse(call('w', 'Write', {}))).toMatchObject([{tool: 'Write', seq: 4}])
    expect(parse(call('x', 'Agent', {}))).toMatchObject([{tool: 'Other', name: 'Agent'}])
  })

  test('with a result has success, a preview, the length and the duration', () => {
    const {parse} = createParser()
    parse(call('t', 'Bash', {}))
    const [result] = parse(answer('t', 'x'.repeat(600)))
    expect(result).toMatchObject({
      type: 'agent_tool_result',
      toolUseId: 't',
      success: true,
      contentPreview: 'x'.repeat(500),
      contentLength: 600,
    })
    expect(result?.type === 'agent_tool_result' && result.durationMs > 0).toBe(true)
    expect(parse(answer('u', 'No such file', {is_error: true}))).toMatchObject([
      {success: false, contentPreview: 'No such file', durationMs: 0},
    ])
  })

  test('with text is output, also in deltas', () => {
    const {parser, first, parse} = createParser()
    expect(first).toMatchObject([
      {type: 'agent_output', content: 'Hi', seq: 1},
      {type: 'progress_update'},
    ])
    const delta = (text: string) =>
      line({
        type: 'stream_event',
        event: {type: 'content_block_delta', delta: {type: 'text_delta', text}},
      })
    expect([...parse(delta('Hel')), ...parse(delta('lo'))]).toEqual([])
    expect(parse(call('t', 'Read', {}))).toMatchObject([
      {type: 'agent_output', content: 'Hello'},
      {type: 'agent_tool_call'},
    ])
    expect(parser.parseLine(line({type: 'assistant', message: {content: ''}}), 'w', 'r')).toEqual(
      [],
    )
  })

  test('with a written file is a changed file, by its relative path', () => {
    const {parse} = createParser()
    parse(line({type: 'system', subtype: 'init', session_id: 's', cwd: '/home/p'}))
    parse(call('t', 'Write', {file_path: '/home/p/src/a.ts', content: 'x'}))
    expect(parse(answer('t', 'ok'))).toMatchObject([
      {type: 'file_changed', path: 'src/a.ts', action: 'created'},
      {type: 'agent_tool_result'},
    ])
  })

  test.each(['{"half', '', '{"type":"novel"}', '{"type":"system","subtype":"status"}', 'prose'])(
    'gives no message for other content: %j',
    (text) => {
      expect(createParser().parse(text)).toEqual([])
    },
  )
})

test('a malformed line is passed to onMalformed', () => {
  const bad: [number, string][] = []
  const onMalformed = ({line: at, raw}: MalformedEvent) => bad.push([at, raw])
  const parser = createStreamParser({onMalformed})
  for (const text of ['{"half', '', '{"type":"novel"}', 'prose']) parser.parseLine(text, 'w', 'r')
  expect(bad).toEqual([
    [1, '{"half'],
    [4, 'prose'],
  ])
})

describe('a stream', () => {
  test('emits its messages in order and ends at 100 %', async () => {
    const text = capture('claude/fixtures/2.1.325/write-edit-bash.jsonl')
    const parser = createStreamParser({progressIntervalMs: 0, now: () => 0})
    const messages = await collect(parser.parseStream([text], 'w', 'r'))
    const run = messages.filter(({type}) => type !== 'progress_update')
    expect(run.map(({type}) => type)).toEqual([
      'agent_output',
      'agent_tool_call',
      'file_changed',
      'agent_tool_result',
      'agent_tool_call',
      'file_changed',
      'agent_tool_result',
      'agent_tool_call',
      'agent_tool_result',
      'agent_output',
    ])
    expect(run.map(({seq}) => seq)).toEqual(run.map((_, index) => index + 1))
    const progress = messages.flatMap((message) =>
      message.type === 'progress_update' ? [message.percentage] : [],
    )
    expect(progress.at(-1)).toBe(100)
    expect(progress.slice(0, -1)).toEqual(progress.slice(0, -1).toSorted((a, b) => a - b))
    expect(Math.max(...progress.slice(0, -1))).toBeLessThan(100)
    expect(messages.at(-1)).toMatchObject({
      seq: 10,
      currentPhase: 'Finished',
      estimatedRemainingSeconds: 0,
    })
  })

  test('emits progress at the given interval', async () => {
    const text = capture('claude/fixtures/2.1.325/write-edit-bash.jsonl')
    let time = 0
    const options = {agent: 'claude', progressIntervalMs: 1000, now: () => (time += 200)}
    const messages = await collect(createStreamParser(options).parseStream([text], 'w', 'r'))
    const times = messages.flatMap((message) =>
      message.type === 'progress_update' ? [Date.parse(message.timestamp)] : [],
    )
    expect(times.length).toBeGreaterThan(2)
    for (const [index, at] of times.slice(1, -1).entries()) {
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(1000)
    }
  })

  test('produces the same messages for another agent', async () => {
    const text = capture('codex/fixtures/0.166.0/shell_fail.jsonl')
    const parser = createStreamParser({agent: 'codex', now: () => 0})
    const messages = await collect(parser.parseStream([text], 'w', 'r'))
    expect(messages.filter(({type}) => type !== 'progress_update')).toMatchObject([
      {type: 'agent_tool_call', tool: 'Bash'},
      {type: 'agent_tool_result', success: false},
      {type: 'agent_output', content: 'The command failed with code 3.'},
    ])
  })

  test('emits incomplete deltas at its end', async () => {
    const delta = line({type: 'content_block_delta', delta: {type: 'text_delta', text: 'Hel'}})
    const messages = await collect(
      createStreamParser({now: () => 0}).parseStream([delta], 'w', 'r'),
    )
    expect(messages).toMatchObject([
      {type: 'progress_update'},
      {type: 'agent_output', content: 'Hel', seq: 1},
      {type: 'progress_update', percentage: 100, seq: 1},
    ])
  })

  test('throws a failure after all earlier messages', async () => {
    async function* source() {
      yield `${call('t', 'Read', {})}\n`
      yield `${line({type: 'content_block_delta', delta: {type: 'text_delta', text: 'tail'}})}\n`
      throw new Error('the pipe broke')
    }
    const seen: RunMessage[] = []
    await expect(async () => {
      const messages = createStreamParser().parseStream(source(), 'w', 'r')
      for await (const message of messages) seen.push(message)
    }).rejects.toThrow('the pipe broke')
    expect(seen.filter(({type}) => type !== 'progress_update')).toMatchObject([
      {type: 'agent_tool_call', toolUseId: 't'},
      {type: 'agent_output', content: 'tail'},
      {type: 'agent_tool_result', toolUseId: 't', success: false},
    ])
  })

  test('may be a readline interface', async () => {
    const url = new URL('claude/fixtures/2.1.325/read-ok.jsonl', import.meta.url)
    const messages = await collect(
      createStreamParser({now: () => 0}).parseStream(
        createInterface(createReadStream(url)),
        'w',
        'r',
      ),
    )
    const types = messages.map(({type}) => type).filter((type) => type !== 'progress_update')
    expect(types).toEqual(['agent_output', 'agent_tool_call', 'agent_tool_result', 'agent_output'])
  })

  test('keeps concurrent messages apart', async () => {
    const delta = (text: string, parent: string | null) =>
      line({
        type: 'stream_event',
        parent_tool_use_id: parent,
        event: {type: 'content_block_delta', delta: {type: 'text_delta', text}},
      })
    const begin = line({type: 'stream_event', event: {type: 'message_start', message: {id: 'm2'}}})
    const text = [
      delta('main', null),
      delta('sub', 'a'),
      delta(' on', null),
      begin,
      delta('next', null),
    ]
    const messages = await collect(createStreamParser().parseStream([text.join('\n')], 'w', 'r'))
    const outputs = messages.flatMap((message) =>
      message.type === 'agent_output' ? [message.content] : [],
    )
    expect(outputs).toEqual(['main on', 'sub', 'next'])
  })
})

test('paths are relative to the working directory, on Windows too', () => {
  const {parse} = createParser()
  parse(line({type: 'system', subtype: 'init', session_id: 's', cwd: 'C:\\w'}))
  parse(call('t', 'Write', {file_path: 'C:\\w\\a.ts', content: 'x'}))
  expect(parse(answer('t', 'ok'))).toMatchObject([{path: 'a.ts'}, {}])
  parse(call('u', 'Write', {file_path: '/elsewhere', content: 'x'}))
  expect(parse(answer('u', 'ok'))).toMatchObject([{path: '/elsewhere'}, {}])
})

test('an input that is not an object becomes an empty one', () => {
  expect(createParser().parse(call('t', 'Bash', 'ls'))).toMatchObject([{input: {}}])
})

test('an invalid time becomes the epoch', () => {
  const parser = createStreamParser({agent: 'opencode'})
  const text = line({
    type: 'text',
    timestamp: 1e300,
    sessionID: 's',
    part: {type: 'text', text: 'x'},
  })
  expect(parser.parseLine(text, 'w', 'r')).toMatchObject([
    {timestamp: '1970-01-01T00:00:00.000Z'},
    {},
  ])
})

test('an unknown agent throws a TypeError', () => {
  expect(() => createStreamParser({agent: 'vim'})).toThrow('Unknown agent: vim')
})

describe('progress of a stream', () => {
  /** The progress messages of a stream that prints one line and ends after `count` of them. */
  async function collectSilent(
    options: StreamParserOptions,
    text: string,
    count: number,
    onLine = () => {},
  ): Promise<ProgressUpdateEvent[]> {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    async function* silent() {
      yield `${text}\n`
      onLine()
      await ended
    }
    const progress: ProgressUpdateEvent[] = []
    const parser = createStreamParser({progressIntervalMs: 5, ...options})
    for await (const message of parser.parseStream(silent(), 'w', 'r')) {
      if (message.type === 'progress_update') progress.push(message)
      if (progress.length === count) end()
    }
    return progress
  }

  test('is sent while no line arrives', async () => {
    const progress = await collectSilent({}, call('t', 'Bash', {command: 'npm test'}), 4)
    const phases = progress.slice(0, 4).map(({currentPhase}) => currentPhase)
    expect(phases).toEqual(phases.map(() => 'Running tests'))
    expect(progress.at(-1)).toMatchObject({percentage: 100})
  })

  test('counts the time that passes without a line', async () => {
    let time = 0
    const text = line({type: 'assistant', message: {content: 'One'}})
    const [first, second] = await collectSilent({now: () => time}, text, 2, () => {
      time += 20 * 60_000
    })
    expect(first).toMatchObject({percentage: 0, elapsedSeconds: 0})
    expect(second).toMatchObject({percentage: 89, elapsedSeconds: 1200})
  })

  test('is measured by the given ground', async () => {
    let time = 0
    const source = [line({type: 'assistant', message: {content: 'One'}})]
    const parser = createStreamParser({ground: {earlierMs: [4000]}, now: () => (time += 250)})
    const messages = await collect(parser.parseStream(source, 'w', 'r'))
    const first = messages.find((message) => message.type === 'progress_update')
    expect(first?.percentage).toBeGreaterThan(5)
    expect(first).toHaveProperty('estimatedRemainingSeconds')
  })

  test('stops when the consumer stops while no line arrives', async () => {
    const parser = createStreamParser({progressIntervalMs: 10})
    const stream = parser.parseStream(new ReadableStream<string>(), 'w', 'r')
    await stream.next()
    await stream.return()
    expect((await stream.next()).done).toBe(true)
  })
})

test('a line over maxLineBytes is malformed, and the stream continues', async () => {
  const malformed: MalformedEvent[] = []
  const parser = createStreamParser({
    maxLineBytes: 100,
    onMalformed: (event) => malformed.push(event),
  })
  const source = [`${'x'.repeat(101)}\n`, line({type: 'assistant', message: {content: 'Hi'}})]
  const messages = await collect(parser.parseStream(source, 'w', 'r'))
  expect(malformed).toMatchObject([{reason: 'line-too-long', size: 101}])
  expect(messages).toMatchObject([{content: 'Hi'}, {type: 'progress_update'}, {percentage: 100}])
})

test('reports a line over maxLineBytes as malformed when it comes as a text', async () => {
  const malformed: MalformedEvent[] = []
  const options = {maxLineBytes: 100, onMalformed: (event: MalformedEvent) => malformed.push(event)}
  const long = line({type: 'assistant', message: {content: 'é'.repeat(50)}})
  const size = Buffer.byteLength(long.trimEnd())
  expect(createStreamParser(options).parseLine(long, 'w', 'r')).toEqual([])
  const lines = createInterface({input: Readable.from([`${long}\n`, long])})
  await collect(createStreamParser(options).parseStream(lines, 'w', 'r'))
  expect(malformed).toMatchObject([{size}, {size}, {size}])
  expect(malformed.every(({reason}) => reason === 'line-too-long')).toBe(true)
})

test('emits thinking with includeThinking, before the next message', async () => {
  const url = new URL('claude/fixtures/2.1.325/thinking.jsonl', import.meta.url)
  const read = async (includeThinking: boolean) => {
    const parser = createStreamParser({now: () => 0, includeThinking})
    const messages = await collect(parser.parseStream(readFileSync(url, 'utf8'), 'w', 'r'))
    return messages.filter(({type}) => type !== 'progress_update')
  }
  const all = await read(true)
  expect(all.map(({seq, type}) => [seq, type])).toEqual([
    [0, 'agent_thinking'],
    [1, 'agent_output'],
    [2, 'agent_tool_call'],
    [3, 'agent_tool_result'],
    [3, 'agent_thinking'],
    [4, 'agent_output'],
  ])
  expect(await read(false)).toEqual(all.filter(({type}) => type !== 'agent_thinking'))
  const cut = line({type: 'assistant', message: {content: [{type: 'thinking', thinking: 'Hm'}]}})
  const rest = await collect(
    createStreamParser({now: () => 0, includeThinking: true}).parseStream(cut, 'w', 'r'),
  )
  expect(rest.filter(({type}) => type === 'agent_thinking')).toMatchObject([
    {seq: 0, content: 'Hm'},
  ])
})
