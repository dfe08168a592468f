import {expect, test} from 'vitest'
import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
} from './activity.ts'

const stamp = {seq: 3, timestamp: '2026-11-15T00:00:00.000Z'}
const run = {workOrderId: 'w', runId: 'r', ...stamp}

test('messages have the fields of their kind, and those of the run', () => {
  const call = {toolUseId: 't', tool: 'Bash', name: 'sh', input: {command: 'ls'}} as const
  expect(createToolCallEvent('w', 'r', {...call, ...stamp})).toEqual({
    type: 'agent_tool_call',
    ...run,
    ...call,
  })
  expect(createOutputEvent('w', 'r', {content: 'x', ...stamp})).toEqual({
    type: 'agent_output',
    ...run,
    content: 'x',
  })
  expect(
    createFileChangedEvent('w', 'r', {path: 'a', action: 'created', sizeBytes: 3, ...stamp}),
  ).toEqual({
    type: 'file_changed',
    ...run,
    path: 'a',
    action: 'created',
    sizeBytes: 3,
  })
  const progress = {percentage: 5, currentPhase: 'Thinking', toolCallCount: 1, elapsedSeconds: 2}
  expect(createProgressEvent('w', 'r', {...progress, ...stamp})).toEqual({
    type: 'progress_update',
    ...run,
    ...progress,
  })
})

test('a result has a preview of 500 characters and the length of the whole', () => {
  const result = {toolUseId: 't', success: true, durationMs: 4, ...stamp}
  expect(createToolResultEvent('w', 'r', {...result, content: 'x'.repeat(501)})).toEqual({
    type: 'agent_tool_result',
    ...run,
    toolUseId: 't',
    success: true,
    durationMs: 4,
    contentPreview: 'x'.repeat(500),
    contentLength: 501,
  })
  const previewed = {...result, contentPreview: 'abc', contentLength: 99}
  expect(createToolResultEvent('w', 'r', previewed)).toMatchObject({
    contentPreview: 'abc',
    contentLength: 99,
  })
  expect(createToolResultEvent('w', 'r', result)).toMatchObject({
    contentPreview: '',
    contentLength: 0,
  })
})

test('a preview does not end in half a character', () => {
  const content = `${'x'.repeat(499)}😀`
  const data = {toolUseId: 't', success: true, durationMs: 4, content}
  expect(createToolResultEvent('w', 'r', data).contentPreview).toBe('x'.repeat(499))
})

test('time is now where it is not told', () => {
  const before = Date.now()
  const {timestamp} = createOutputEvent('w', 'r', 'x')
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before)
})
