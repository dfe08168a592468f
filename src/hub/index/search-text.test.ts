import {expect, test} from 'vitest'
import {describe} from './describe.ts'

function described(fields: object): unknown {
  return describe(JSON.stringify({timestamp: '1970-01-01T00:00:01.000Z', ...fields}))
}

test('a call is found by its tool and the values of its input, not by field names', () => {
  const input = {command: 'npm test', options: {deep: ['glass']}}
  const call = {type: 'agent_tool_call', toolUseId: 'x', tool: 'Other', name: 'mcp', input}
  expect(described(call)).toEqual({
    type: 'agent_tool_call',
    at: 1000,
    text: 'mcp npm test {"deep":["glass"]}',
    use: {id: 'x', tool: 'mcp'},
  })
})

test('a result and a file are found by their content', () => {
  const facts = {toolUseId: 'x', success: false, durationMs: 4}
  expect(described({type: 'agent_tool_result', ...facts, contentPreview: 'no glass'})).toEqual({
    type: 'agent_tool_result',
    at: 1000,
    text: 'no glass',
    use: {id: 'x', success: false, durationMs: 4},
  })
  const file = {path: 'src/a.ts', action: 'edit', sizeBytes: 3}
  expect(described({type: 'file_changed', ...file})).toEqual({
    type: 'file_changed',
    at: 1000,
    text: 'src/a.ts',
    file,
  })
})

test('only the start of a long text is searchable', () => {
  const content = 'glass '.repeat(1000)
  expect(described({type: 'agent_output', content})).toMatchObject({text: content.slice(0, 2000)})
  const input = {a: content, b: content}
  expect(described({type: 'permission_request', name: 'Bash', input})).toMatchObject({
    text: `Bash ${content}`.slice(0, 2000),
  })
})

test.each(['', 'no JSON', 'null', '[]', '"text"', '7'])('returns no facts for %j', (json) => {
  expect(describe(json)).toEqual({type: '', text: ''})
})

test('returns the available facts of a malformed message', () => {
  expect(describe('{"type":"agent_tool_call"}')).toMatchObject({type: 'agent_tool_call'})
  expect(describe('{"type":"new","timestamp":"never"}')).toEqual({type: 'new', text: ''})
})
