import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {pi} from './index.ts'

/** The events of some lines, without where and when. */
function read(...records: object[]): object[] {
  const parser = createEventParser(pi, {now: () => 0})
  const events = [
    ...records.flatMap((record) => parser.parse(JSON.stringify(record))),
    ...parser.end(),
  ]
  expect(parser.drift()).toEqual([])
  return events.map(({line: _line, at: _at, agent: _agent, ...rest}) => rest)
}

function answer(content: object[], stopReason: string, more: object = {}): object {
  return {
    type: 'message_end',
    message: {role: 'assistant', content, model: 'mock-1', stopReason, timestamp: 1, ...more},
  }
}

function update(type: string, fields: object): object {
  // Each repeats the message so far, which is not to be read.
  const partial = {role: 'assistant', content: [{type: 'text', text: 'Recovered.'}]}
  return {
    type: 'message_update',
    assistantMessageEvent: {type, partial, ...fields},
    message: partial,
  }
}

const start = {type: 'agent_start'}
const end = {type: 'agent_end', messages: []}
const usage = {
  input: 800,
  output: 40,
  cacheRead: 200,
  cacheWrite: 0,
  totalTokens: 1040,
  cost: {input: 0.25, output: 0.25, cacheRead: 0, cacheWrite: 0, total: 0.5},
}

test('Text comes as pieces, not as the messages that repeat it', () => {
  expect(
    read(
      start,
      update('thinking_start', {contentIndex: 0}),
      update('thinking_delta', {contentIndex: 0, delta: 'Hm.'}),
      update('text_start', {contentIndex: 1}),
      update('text_delta', {contentIndex: 1, delta: 'Reco'}),
      update('thinking_end', {contentIndex: 0, content: 'Hm.'}),
      update('text_delta', {contentIndex: 1, delta: 'vered.'}),
      update('text_end', {contentIndex: 1, content: 'Recovered.'}),
      answer(
        [
          {type: 'thinking', thinking: 'Hm.'},
          {type: 'text', text: 'Recovered.'},
        ],
        'stop',
      ),
      end,
    ),
  ).toEqual([
    {type: 'thinking-delta', text: 'Hm.'},
    {type: 'text-delta', text: 'Reco'},
    {type: 'text-delta', text: 'vered.'},
    {type: 'turn-end', ok: true, text: 'Recovered.', reason: 'stop'},
  ])
})

test('What is asked of it is not said by it', () => {
  const message = {role: 'user', content: [{type: 'text', text: 'Do it'}], timestamp: 1}
  expect(read({type: 'message_end', message})).toEqual([])
})

test('Every try ends, but only the last one ends the turn, and the cost is of all', () => {
  expect(
    read(
      start,
      answer([], 'error', {errorMessage: '429 Rate limit reached'}),
      end,
      {
        type: 'auto_retry_start',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 2000,
        errorMessage: '429 Rate limit reached',
      },
      start,
      answer([{type: 'toolCall', id: 'a', name: 'bash', arguments: {}}], 'toolUse', {usage}),
      answer([{type: 'text', text: 'Recovered.'}], 'stop', {usage}),
      {type: 'auto_retry_end', success: true, attempt: 1},
      end,
    ).filter((event) => 'type' in event && event.type !== 'usage'),
  ).toEqual([
    {
      type: 'status',
      status: 'api-retry',
      detail: '429 Rate limit reached',
      attempt: 1,
      of: 3,
      until: 2000,
    },
    {type: 'text', text: 'Recovered.'},
    {type: 'turn-end', ok: true, text: 'Recovered.', costUsd: 1, reason: 'stop'},
  ])
})

test('A turn whose last try failed is not ok, whatever the process exits with', () => {
  expect(
    read(start, answer([], 'error', {errorMessage: '500 The server had an error'}), end, {
      type: 'auto_retry_end',
      success: false,
      attempt: 3,
      finalError: '500',
    }),
  ).toEqual([
    {
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['500 The server had an error'],
      reason: 'error',
    },
  ])
})

test('A stream that stops while a try is awaited, or in the middle, has no end of a turn', () => {
  const failed = answer([], 'error', {errorMessage: '500'})
  const retry = {
    type: 'auto_retry_start',
    attempt: 1,
    maxAttempts: 3,
    delayMs: 1,
    errorMessage: '500',
  }
  expect(read(start, failed, end, retry)).toEqual([
    {type: 'status', status: 'api-retry', detail: '500', attempt: 1, of: 3, until: 1},
  ])
  expect(read(start, failed)).toEqual([])
})

test('Two prompts are two turns', () => {
  const said = answer([{type: 'text', text: 'A'}], 'stop')
  const turn = {type: 'turn-end', ok: true, text: 'A', reason: 'stop'}
  const text = {type: 'text', text: 'A'}
  expect(read(start, said, end, start, said, end)).toEqual([text, turn, text, turn])
})

test('Each message tells what it used', () => {
  expect(read(answer([], 'toolUse', {usage}))).toEqual([
    {
      type: 'usage',
      tokens: {input: 800, output: 40, cacheRead: 200, cacheWrite: 0},
      costUsd: 0.5,
      model: 'mock-1',
    },
  ])
})

const call = {toolCallId: 't', toolName: 'bash', args: {command: 'tick'}}

function printed(text: string): object {
  return {type: 'tool_execution_update', ...call, partialResult: {content: [{type: 'text', text}]}}
}

test('Updates repeat what was printed; only what is new is given', () => {
  const long = 'x'.repeat(2000)
  const [, ...events] = read(
    {type: 'tool_execution_start', ...call},
    {type: 'tool_execution_update', ...call, partialResult: {content: []}},
    printed('tick 1\n'),
    printed(`tick 1\n${long}tick 2\n`),
    printed(`tick 1\n${long}tick 2\n`),
    // The beginning is dropped when there is too much.
    printed(`${long.slice(5)}tick 2\ntick 3\n`),
  )
  expect(events.slice(0, -1)).toEqual([
    {type: 'tool-update', toolId: 't', text: 'tick 1\n'},
    {type: 'tool-update', toolId: 't', text: `${long}tick 2\n`},
    {type: 'tool-update', toolId: 't', text: 'tick 3\n'},
  ])
})

test('A command that failed tells its exit code', () => {
  const output = 'cat: no such file\n\n\nCommand exited with code 3'
  const {args: _args, ...ended} = call
  const [, event] = read(
    {type: 'tool_execution_start', ...call},
    {
      type: 'tool_execution_end',
      ...ended,
      result: {content: [{type: 'text', text: output}], details: {}},
      isError: true,
    },
  )
  expect(event).toEqual({
    type: 'tool-end',
    toolId: 't',
    ok: false,
    output,
    outputLength: output.length,
    error: output,
    exitCode: 3,
  })
})

test('An edit counts its lines by the diff', () => {
  const edit = {toolCallId: 'e', toolName: 'edit'}
  const events = read(
    {type: 'tool_execution_start', ...edit, args: {path: 'keep.txt', edits: []}},
    {
      type: 'tool_execution_end',
      ...edit,
      result: {
        content: [{type: 'text', text: 'Successfully replaced 1 block(s) in keep.txt.'}],
        details: {diff: ' 1 one\n-2 two\n+2 TWO\n 3 three', firstChangedLine: 2},
      },
      isError: false,
    },
  )
  expect(events.at(-2)).toEqual({
    type: 'file-change',
    path: 'keep.txt',
    action: 'modified',
    toolId: 'e',
    added: 1,
    removed: 1,
  })
})

const compacting = {type: 'status', status: 'compacting', phase: 'start'}
const compactingEnd = {type: 'status', status: 'compacting', phase: 'end', detail: 'compacted'}

test('A conversation that grew too long is compacted after the turn, which has ended', () => {
  expect(
    read(
      start,
      answer([{type: 'text', text: 'A'}], 'stop'),
      end,
      {type: 'compaction_start', reason: 'threshold'},
      {
        type: 'compaction_end',
        reason: 'threshold',
        result: {summary: 'x', firstKeptEntryId: 'e', tokensBefore: 9},
        aborted: false,
        willRetry: false,
      },
    ),
  ).toEqual([
    {type: 'text', text: 'A'},
    {...compacting, detail: 'compacting: threshold'},
    compactingEnd,
    {type: 'turn-end', ok: true, text: 'A', reason: 'stop'},
  ])
})

test('A stream that stops while the conversation is compacted for the next turn had its turn', () => {
  const said = answer([{type: 'text', text: 'A'}], 'stop')
  expect(read(start, said, end, {type: 'compaction_start', reason: 'threshold'}).at(-1)).toEqual({
    type: 'turn-end',
    ok: true,
    text: 'A',
    reason: 'stop',
  })
})

test('What did not fit is tried again when there is room, and that is the same turn', () => {
  const tooLong = answer([], 'error', {errorMessage: 'prompt is too long'})
  const overflow = {type: 'compaction_start', reason: 'overflow'}
  const compacted = {type: 'compaction_end', reason: 'overflow', aborted: false, willRetry: true}
  const status = {...compacting, detail: 'compacting: overflow'}
  expect(
    read(
      start,
      tooLong,
      end,
      overflow,
      compacted,
      start,
      answer([{type: 'text', text: 'A'}], 'stop'),
      end,
    ),
  ).toEqual([
    status,
    compactingEnd,
    {type: 'text', text: 'A'},
    {type: 'turn-end', ok: true, text: 'A', reason: 'stop'},
  ])
  const failed = {ok: false, text: '', errors: ['prompt is too long'], reason: 'error'}
  expect(read(start, tooLong, end, overflow)).toEqual([status, {type: 'turn-end', ...failed}])
})

test('What did not fit and cannot be made to fit has failed', () => {
  const errorMessage = 'Context overflow recovery failed'
  expect(
    read(
      start,
      answer([], 'error', {errorMessage: 'prompt is too long'}),
      end,
      {type: 'compaction_start', reason: 'overflow'},
      {type: 'compaction_end', reason: 'overflow', aborted: false, willRetry: false, errorMessage},
    ),
  ).toEqual([
    {...compacting, detail: 'compacting: overflow'},
    {type: 'status', status: 'warning', detail: errorMessage},
    {
      type: 'turn-end',
      ok: false,
      text: '',
      errors: ['prompt is too long'],
      reason: 'error',
    },
  ])
})

test.each([
  ['in words', {content: 'Saved.', display: true}, ['Saved.']],
  [
    'in parts',
    {content: [{type: 'text', text: 'Saved.'}, {type: 'image'}], display: true},
    ['Saved.\n[image]'],
  ],
  ['without a word', {content: '', display: true}, []],
  ['for the model only', {content: 'Saved.', display: false}, []],
])('What an extension says is a notice, when it is for people: %s', (_, fields, details) => {
  const message = {role: 'custom', customType: 'save', ...fields}
  expect(read({type: 'message_end', message})).toEqual(
    details.map((detail) => ({type: 'status', status: 'notice', detail})),
  )
})

function done(toolName: string, args: object, result: object): object[] {
  const [started, ...events] = read(
    {type: 'tool_execution_start', toolCallId: 't', toolName, args},
    {type: 'tool_execution_end', toolCallId: 't', toolName, result, isError: false},
  )
  expect(started).toMatchObject({type: 'tool-start', name: toolName, input: args})
  return events
}

test.each([
  [
    'a file that is written',
    'write',
    {path: 'a', content: 'x\ny\n'},
    [{type: 'file-change', path: 'a', action: 'created', toolId: 't', added: 2}],
  ],
  [
    'a file whose text is not told',
    'write',
    {path: 'a'},
    [{type: 'file-change', path: 'a', action: 'created', toolId: 't', added: 0}],
  ],
  [
    'an edit without a diff',
    'edit',
    {path: 'a', edits: []},
    [{type: 'file-change', path: 'a', action: 'modified', toolId: 't'}],
  ],
  ['an edit without a path', 'edit', {edits: []}, []],
  ['a file that is only read', 'read', {path: 'a'}, []],
])('Files that change are told: %s', (_, name, args, changes) => {
  expect(done(name, args, {content: [{type: 'text', text: 'ok'}]})).toEqual([
    ...changes,
    {type: 'tool-end', toolId: 't', ok: true, output: 'ok', outputLength: 2},
  ])
})

test('A result is told as text, pictures by name only', () => {
  const content = [
    {type: 'text', text: 'one'},
    {type: 'image', data: 'aGk=', mimeType: 'image/png'},
  ]
  expect(done('read', {path: 'a.png'}, {content})).toMatchObject([{output: 'one\n[image]'}])
})

test('A part of a kind that is not told is shown as unknown', () => {
  const parser = createEventParser(pi, {now: () => 0})
  const ended = {type: 'tool_execution_end', toolCallId: 't', result: {content: [{data: 'x'}]}}
  expect(parser.parse(JSON.stringify(ended))[0]).toMatchObject({
    type: 'tool-end',
    output: '[unknown]',
  })
})

test.each([
  ['read', 'Read'],
  ['write', 'Write'],
  ['edit', 'Edit'],
  ['bash', 'Bash'],
  ['grep', 'Grep'],
  ['find', 'Glob'],
  ['ls', 'Glob'],
  ['deploy', 'Other'],
])('The tool %s is a %s', (toolName, tool) => {
  const record = {type: 'tool_execution_start', toolCallId: 't', toolName, args: {}}
  expect(read(record)[0]).toMatchObject({type: 'tool-start', name: toolName, tool})
})

test('A turn that ended for another reason than its answer is not ok', () => {
  expect(read(start, answer([{type: 'text', text: 'Half'}], 'length'), end)).toEqual([
    {type: 'text', text: 'Half'},
    {
      type: 'turn-end',
      ok: false,
      text: 'Half',
      errors: ['the model stopped: length'],
      reason: 'length',
    },
  ])
})
