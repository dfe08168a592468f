import {describe, expect, it, test} from 'vitest'
import {mcpText} from './mcp.ts'

describe('the result of an MCP tool', () => {
  test.each([
    ['text', {type: 'text', text: 'hi'}, 'hi'],
    ['a picture', {type: 'image', data: 'aGk=', mimeType: 'image/png'}, '[image]'],
    ['a sound', {type: 'audio', data: 'aGk=', mimeType: 'audio/wav'}, '[audio]'],
    ['a file', {type: 'resource', resource: {uri: 'file:///a', text: 'in a'}}, 'in a'],
    [
      'a file of bytes',
      {type: 'resource', resource: {uri: 'file:///a', blob: 'aGk='}},
      'file:///a',
    ],
    ['a file of nothing', {type: 'resource'}, '[resource]'],
    ['a link', {type: 'resource_link', uri: 'file:///a', name: 'a'}, 'file:///a'],
    ['a link to nowhere', {type: 'resource_link', name: 'a'}, '[resource]'],
    ['a part of a new kind', {type: 'video', url: 'x'}, '{"type":"video","url":"x"}'],
    ['a part without a kind', 'bare', 'bare'],
  ])('is converted to text: %s', (_, part, text) => {
    expect(mcpText({content: [part]}, 'structuredContent')).toBe(text)
  })

  it('has a line for each part', () => {
    const content = [
      {type: 'text', text: 'one'},
      {type: 'image', data: ''},
      {type: 'text', text: 'two'},
    ]
    expect(mcpText({content}, 'structuredContent')).toBe('one\n[image]\ntwo')
  })

  it('is the structured content when there is no text', () => {
    const result = {content: [], structuredContent: {sum: 3}, structured_content: {sum: 4}}
    expect(mcpText(result, 'structuredContent')).toBe('{"sum":3}')
    expect(mcpText(result, 'structured_content')).toBe('{"sum":4}')
    expect(mcpText({content: null}, 'structuredContent')).toBe('')
  })

  it('may be missing', () => {
    expect(mcpText('tool call failed', 'structuredContent')).toBe('tool call failed')
    expect(mcpText(null, 'structuredContent')).toBe('')
  })
})
