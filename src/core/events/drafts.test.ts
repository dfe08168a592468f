import {describe, expect, test} from 'vitest'
import {failTool, findToolKind, reportPrompt, reportStatus} from './drafts.ts'
import type {ToolKind} from './events.ts'

describe('failTool', () => {
  const tool = {name: 'shell', input: {command: 'ls'}}

  test('ends a tool with its error and exit code', () => {
    expect(failTool({toolId: 't', output: 'no'}, {error: 'no', exitCode: 2}, tool)).toEqual([
      {type: 'tool-end', toolId: 't', ok: false, output: 'no', error: 'no', exitCode: 2},
    ])
  })

  test('emits a permission-denied before the end of a denied tool, with the same time', () => {
    const failure = {error: 'not allowed', denied: true}
    expect(failTool({toolId: 't', output: '', at: 7}, failure, tool)).toEqual([
      {type: 'permission-denied', toolId: 't', ...tool, reason: 'not allowed', at: 7},
      {type: 'tool-end', toolId: 't', ok: false, output: '', ...failure, at: 7},
    ])
  })

  test('emits only the end of a denied tool without a start', () => {
    const failure = {error: 'not allowed', denied: true}
    expect(failTool({toolId: 't', output: ''}, failure, undefined)).toEqual([
      {type: 'tool-end', toolId: 't', ok: false, output: '', ...failure},
    ])
  })
})

test('reportPrompt emits the complete prompt, up to a length', () => {
  expect(reportPrompt('\n Fix it\nplease ', 5)).toEqual([
    {type: 'status', status: 'notice', detail: 'prompt: Fix it\nplease', at: 5},
  ])
  expect(reportPrompt(' \n')).toEqual([])
  const [draft] = reportPrompt('x'.repeat(1e6))
  expect(draft).toMatchObject({detail: `prompt: ${'x'.repeat(10_000)}`})
})

test('reportStatus emits a status, and nothing for an empty text', () => {
  expect(reportStatus('notice', 'hello')).toEqual([
    {type: 'status', status: 'notice', detail: 'hello'},
  ])
  expect(reportStatus('warning', {code: 5}, 9)).toEqual([
    {type: 'status', status: 'warning', detail: '{"code":5}', at: 9},
  ])
  expect([undefined, null, ''].flatMap((text) => reportStatus('notice', text))).toEqual([])
})

test.each([
  ['shell', 'Bash'],
  ['mcp__files__read', 'Mcp'],
  ['other', 'Other'],
])('findToolKind of %s is %s', (name, kind) => {
  const table = new Map<string, ToolKind>([['shell', 'Bash']])
  expect(findToolKind(table, name)).toBe(kind)
})
