import {expect, test} from 'vitest'
import {describeMcpTrouble} from './mcp-failures.ts'

test.each([
  [undefined, undefined],
  [[{name: 'a', status: 'connected'}, {name: 'b'}, {name: 'c', status: 'pending'}], undefined],
  [[{name: 'a', status: 'failed'}], 'MCP server not connected: a'],
  [[{name: 'a', status: 'needs-auth'}], 'MCP server needs authentication: a'],
  [
    [
      {name: 'a', status: 'failed'},
      {name: 'b', status: 'needs-auth'},
      {name: 'c', status: 'error'},
    ],
    'MCP servers not connected: a, c; needs authentication: b',
  ],
  [
    Array.from({length: 7}, (_, index) => ({name: `s${index}`, status: 'failed'})),
    'MCP servers not connected: s0, s1, s2, s3, s4, 2 more',
  ],
])('the servers %j are described as %j', (servers, text) => {
  expect(describeMcpTrouble(servers)).toBe(text)
})
