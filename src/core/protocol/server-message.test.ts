import {describe, expect, test} from 'vitest'
import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
  isStateMessage,
  isWanted,
  toMessageTool,
  type RunMessage,
  type SubscribeFilter,
} from './server-message.ts'

const stamp = {seq: 3, timestamp: '2026-11-15T00:00:00.000Z'}
const run = {workOrderId: 'w', runId: 'r', ...stamp}

test('factories add the fields of the type and of the run', () => {
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
    createFileChangedEvent('w', 'r', {path: 'b/../a', action: 'deleted', sizeBytes: 3, ...stamp}),
  ).toEqual({type: 'file_changed', ...run, path: 'a', action: 'deleted'})
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

test('a tool result has a preview of 500 characters and the complete length', () => {
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

test('a preview does not end in half a surrogate pair', () => {
  const content = `${'x'.repeat(499)}😀`
  const data = {toolUseId: 't', success: true, durationMs: 4, content}
  expect(createToolResultEvent('w', 'r', data).contentPreview).toBe('x'.repeat(499))
})

test('factories use the current time by default', () => {
  const before = Date.now()
  const {timestamp} = createOutputEvent('w', 'r', 'x')
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before)
})

describe('a subscriber', () => {
  const flags = {
    includeToolCalls: 'agent_tool_call',
    includeToolResults: 'agent_tool_result',
    includeOutput: 'agent_output',
    includeFileChanges: 'file_changed',
    includeProgress: 'progress_update',
    includeThinking: 'agent_thinking',
  } as const satisfies Record<keyof SubscribeFilter, RunMessage['type']>
  const names = Object.keys(flags) as (keyof SubscribeFilter)[]
  const always = ['run_started', 'run_updated', 'run_ended', 'permission_request'] as const
  const combinations = Array.from({length: 2 ** names.length}, (_, bits) =>
    Object.fromEntries(names.map((name, at) => [name, ((bits >> at) & 1) === 1])),
  )

  test.each(combinations)(
    'receives the types of the filter %j, and the start and end of runs',
    (filter) => {
      for (const name of names) expect(isWanted(flags[name], filter)).toBe(filter[name])
      for (const type of always) expect(isWanted(type, filter)).toBe(true)
    },
  )

  test('receives everything but thinking without flags', () => {
    const {includeThinking: _, ...others} = flags
    for (const type of [...Object.values(others), ...always]) expect(isWanted(type, {})).toBe(true)
  })

  test('receives thinking only when includeThinking is set', () => {
    expect(isWanted('agent_thinking', {})).toBe(false)
    expect(isWanted('agent_thinking', {includeThinking: true})).toBe(true)
  })
})

test('two message types are state, the others are history', () => {
  const types = ['progress_update', 'run_updated', 'run_started', 'agent_output'] as const
  expect(types.filter(isStateMessage)).toEqual(['progress_update', 'run_updated'])
})

test('maps every other tool to Other', () => {
  const kinds = ['Read', 'Bash', 'WebSearch', 'Task', 'Todo', 'Mcp', 'Other'] as const
  expect(kinds.map(toMessageTool)).toEqual([
    'Read',
    'Bash',
    'WebSearch',
    'Other',
    'Other',
    'Other',
    'Other',
  ])
})
