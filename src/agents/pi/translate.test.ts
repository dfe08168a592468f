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

test('text is emitted as deltas, and messages that repeat it are ignored', () => {
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

test('the prompt is not a text of the agent', () => {
  const message = {role: 'user', content: [{type: 'text', text: 'Do it'}], timestamp: 1}
  expect(read({type: 'message_end', message})).toEqual([])
})

test('only the last attempt ends the turn, with the cost of all', () => {
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

test('a turn is not ok when its last attempt failed, for any exit code', () => {
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

test('a stream that stops before a retry or within an attempt has no turn end', () => {
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

test('two prompts are two turns', () => {
  const response = answer([{type: 'text', text: 'A'}], 'stop')
  const turn = {type: 'turn-end', ok: true, text: 'A', reason: 'stop'}
  const text = {type: 'text', text: 'A'}
  expect(read(start, response, end, start, response, end)).toEqual([text, turn, text, turn])
})

test('each message reports its usage', () => {
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

test('updates repeat earlier output; only the new part is emitted', () => {
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

test('a failed command has its exit code', () => {
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

test('an edit counts its lines by the diff', () => {
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

test('a long conversation is compacted after the turn, which has ended', () => {
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

test('a stream that stops during a compaction after the turn has its turn end', () => {
  const response = answer([{type: 'text', text: 'A'}], 'stop')
  expect(
    read(start, response, end, {type: 'compaction_start', reason: 'threshold'}).at(-1),
  ).toEqual({
    type: 'turn-end',
    ok: true,
    text: 'A',
    reason: 'stop',
  })
})

test('a request that was too long is retried after a compaction, in the same turn', () => {
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

test('a request that is still too long after a compaction fails', () => {
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
])('a message of an extension for the user is a notice: %s', (_, fields, details) => {
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
    'a file without text',
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
])('file changes are reported: %s', (_, name, args, changes) => {
  expect(done(name, args, {content: [{type: 'text', text: 'ok'}]})).toEqual([
    ...changes,
    {type: 'tool-end', toolId: 't', ok: true, output: 'ok', outputLength: 2},
  ])
})

test('a result is converted to text, with placeholders for images', () => {
  const content = [
    {type: 'text', text: 'one'},
    {type: 'image', data: 'aGk=', mimeType: 'image/png'},
  ]
  expect(done('read', {path: 'a.png'}, {content})).toMatchObject([{output: 'one\n[image]'}])
})

test('a part without a type is shown as unknown', () => {
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
])('the tool %s has the kind %s', (toolName, tool) => {
  const record = {type: 'tool_execution_start', toolCallId: 't', toolName, args: {}}
  expect(read(record)[0]).toMatchObject({type: 'tool-start', name: toolName, tool})
})

test('a turn that ended for another reason than a response is not ok', () => {
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
