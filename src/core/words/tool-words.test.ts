import {expect, test} from 'vitest'
import type {ToolKind} from '../events/events.ts'
import {nameTool, splitMcpName} from './tool-words.ts'

test.each<[ToolKind, string, string]>([
  ['Bash', 'run_shell_command', 'Bash'],
  ['Task', 'Agent', 'Sub-agent'],
  ['Todo', 'TodoWrite', 'Plan'],
  ['Mcp', 'mcp__postgres__run__query', 'postgres run__query'],
  ['Mcp', 'postgres/query', 'postgres/query'],
  ['Other', 'Mystery\u001B', String.raw`Mystery\x1b`],
])('a tool of kind %s with the name %j is called %j', (tool, name, word) => {
  expect(nameTool({tool, name})).toBe(word)
})

test('only names of MCP tools have a server', () => {
  expect(splitMcpName('mcp__postgres__query')).toEqual(['postgres', 'query'])
  expect(splitMcpName('mcp__postgres')).toBe(undefined)
  expect(splitMcpName('my__tool__name')).toBe(undefined)
})
