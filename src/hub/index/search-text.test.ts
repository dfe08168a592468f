import {expect, test} from 'vitest'
import type {RunMessage} from '../../core/protocol/server-message.ts'
import {toSearchText} from './search-text.ts'

function textOf(fields: object): string {
  const frame = {workOrderId: 'order', runId: 'run', seq: 1, timestamp: '1970-01-01T00:00:01.000Z'}
  return toSearchText({...frame, ...fields} as RunMessage)
}

test('a call is found by its tool and the values of its input, not by field names', () => {
  const input = {command: 'npm test', options: {deep: ['glass']}}
  const call = {type: 'agent_tool_call', toolUseId: 'x', tool: 'Other', input}
  expect(textOf({...call, name: 'mcp'})).toBe('mcp npm test {"deep":["glass"]}')
  expect(textOf(call)).toBe('Other npm test {"deep":["glass"]}')
})

test.each([
  ['a result', {type: 'agent_tool_result', toolUseId: 'x', contentPreview: 'no glass'}, 'no glass'],
  ['a text', {type: 'agent_output', content: 'some glass'}, 'some glass'],
  ['a file', {type: 'file_changed', path: 'src/a.ts', action: 'modified'}, 'src/a.ts'],
  ['the start of a run', {type: 'run_started', title: 'Clean'}, 'Clean'],
  ['the end of a run', {type: 'run_ended', verdict: 'failed', reason: 'broke'}, 'failed broke'],
])('%s is found by its content', (_name, message, text) => {
  expect(textOf(message)).toBe(text)
})

test.each(['agent_thinking', 'progress_update', 'run_updated'])('%s is not searchable', (type) => {
  expect(textOf({type, content: 'glass'})).toBe('')
})

test('only the start of a long text is searchable', () => {
  const content = 'glass '.repeat(1000)
  expect(textOf({type: 'agent_output', content})).toBe(content.slice(0, 2000))
  const input = {a: content, b: content}
  expect(textOf({type: 'permission_request', name: 'Bash', input})).toBe(
    `Bash ${content}`.slice(0, 2000),
  )
})
