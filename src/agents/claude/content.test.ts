import {describe, expect, test} from 'vitest'
import {
  contentBlocks,
  contentString,
  inputString,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  textContent,
  thinkingContent,
  toolResultBlocks,
  toolUseBlocks,
} from './content.ts'
import type {ClaudeEvent} from './events.ts'
import {parseRawEvent} from './parse-event.ts'
import type {ContentBlock} from './wire/content.ts'

function event(value: unknown): ClaudeEvent {
  return parseRawEvent(JSON.stringify(value)).event
}

function block(value: object): ContentBlock {
  return value as ContentBlock
}

const text = {type: 'text', text: 'Reading.'}
const thinking = {type: 'thinking', thinking: 'Hm.', signature: 's'}
const toolUse = {type: 'tool_use', id: 't1', name: 'Read', input: {file_path: 'a.txt'}}
const toolResult = {type: 'tool_result', tool_use_id: 't1', content: 'A'}

describe('the blocks of a message', () => {
  const assistant = event({
    type: 'assistant',
    message: {type: 'message', content: [thinking, text, toolUse, {type: 'text', text: ' Done.'}]},
  })
  const user = event({type: 'user', message: {role: 'user', content: [toolResult, text]}})

  test('are distinguished by their type', () => {
    expect(toolUseBlocks(assistant)).toEqual([toolUse])
    expect(toolResultBlocks(user)).toEqual([toolResult])
    expect(textContent(assistant)).toBe('Reading. Done.')
    expect(textContent(user)).toBe('Reading.')
    expect(thinkingContent(assistant)).toBe('Hm.')
    expect(thinkingContent(user)).toBe('')
  })

  test('are calls in assistant messages and results in user messages', () => {
    expect(toolUseBlocks(event({type: 'user', message: {content: [toolUse]}}))).toEqual([])
    expect(toolResultBlocks(event({type: 'assistant', message: {content: [toolResult]}}))).toEqual(
      [],
    )
  })

  test('may be a string', () => {
    const plain = event({type: 'user', message: {role: 'user', content: 'hello'}})
    expect(contentBlocks(plain)).toEqual([{type: 'text', text: 'hello'}])
    expect(textContent(event({type: 'user', message: 'hello'}))).toBe('hello')
  })

  test('may be a single block without a list', () => {
    expect(textContent(event({type: 'assistant', message: {content: text}}))).toBe('Reading.')
  })

  test('may be nested 100,000 levels deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const inContent = parseRawEvent(`{"type":"assistant","message":{"content":${deep}}}`).event
    const inMessage = parseRawEvent(`{"type":"assistant","message":${deep}}`).event
    expect(contentBlocks(inContent)).toEqual([])
    expect(contentBlocks(inMessage)).toEqual([])
  })

  test('may be in a message with a type', () => {
    const odd = event({type: 'user', message: {type: 'user', role: 'user', content: 'hi'}})
    expect(textContent(odd)).toBe('hi')
  })

  test('may be one block instead of the message', () => {
    expect(toolUseBlocks(event({type: 'assistant', message: toolUse}))).toEqual([toolUse])
    expect(textContent(event({type: 'assistant', message: text}))).toBe('Reading.')
    expect(toolResultBlocks(event({type: 'user', message: toolResult}))).toEqual([toolResult])
  })

  test('may be on a line of their own', () => {
    expect(toolUseBlocks(event(toolUse))).toEqual([toolUse])
    expect(toolResultBlocks(event(toolResult))).toEqual([toolResult])
  })

  test.each([
    {type: 'assistant'},
    {type: 'assistant', message: null},
    {type: 'assistant', message: {}},
    {type: 'assistant', message: {content: null}},
    {type: 'assistant', message: {content: []}},
    {type: 'assistant', message: 7},
    {type: 'assistant', message: {content: [null, 7, []]}},
    {type: 'system', subtype: 'init', message: {content: [text]}},
    {type: 'result', result: 'done'},
    {type: 'novel', message: {content: [text]}},
  ])('may be missing: %j', (value) => {
    const none = event(value)
    expect(contentBlocks(none)).toEqual([])
    expect(toolUseBlocks(none)).toEqual([])
    expect(toolResultBlocks(none)).toEqual([])
    expect(textContent(none)).toBe('')
    expect(thinkingContent(none)).toBe('')
  })

  test('may be malformed', () => {
    const broken = event({
      type: 'assistant',
      message: {
        content: [{type: 'text'}, {type: 'thinking', thinking: 7}, {text: 'no type'}, 'loose'],
      },
    })
    expect(textContent(broken)).toBe('loose')
    expect(thinkingContent(broken)).toBe('')
  })
})

test('each predicate accepts only its kind', () => {
  const kinds = [text, thinking, toolUse, toolResult, {type: 'server_tool_use'}, null, 'text', []]
  expect(kinds.map(isText)).toEqual([true, false, false, false, false, false, false, false])
  expect(kinds.map(isThinking)).toEqual([false, true, false, false, false, false, false, false])
  expect(kinds.map(isToolUse)).toEqual([false, false, true, false, false, false, false, false])
  expect(kinds.map(isToolResult)).toEqual([false, false, false, true, false, false, false, false])
})

describe('the input of a tool call', () => {
  test('is indented JSON', () => {
    expect(inputString(block(toolUse))).toBe('{\n  "file_path": "a.txt"\n}')
    expect(inputString(block({...toolUse, input: {}}))).toBe('{}')
  })

  test('is an unchanged string', () => {
    expect(inputString(block({...toolUse, input: 'raw'}))).toBe('raw')
  })

  test('may be missing', () => {
    expect(inputString(block({type: 'tool_use', id: 't', name: 'n'}))).toBe('')
    expect(inputString(block({...toolUse, input: null}))).toBe('')
    expect(inputString(block(text))).toBe('')
  })

  test('may be too deep to print', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    expect(inputString(block({...toolUse, input: deep}))).toBe('[nested too deeply to print]')
  })
})

describe('the content of a tool result', () => {
  const image = {type: 'image', source: {type: 'base64', data: 'AA=='}}

  test.each<[string, unknown, string]>([
    ['a string', 'out\nerr', 'out\nerr'],
    ['a text block', [{type: 'text', text: 'one'}], 'one'],
    [
      'several blocks',
      [{type: 'text', text: 'one'}, 'two', {type: 'text', text: 'three'}],
      'one\ntwo\nthree',
    ],
    ['a picture', [image], JSON.stringify(image)],
    ['text and a picture', [{type: 'text', text: 'see'}, image], `see\n${JSON.stringify(image)}`],
    ['an object', {a: 1}, '{"a":1}'],
    ['a number', 7, '7'],
    ['nothing', null, ''],
    ['an empty list', [], ''],
    ['a text block without text', [{type: 'text'}], ''],
  ])('may be %s', (_, content, expected) => {
    expect(contentString(block({...toolResult, content}))).toBe(expected)
  })

  test('is empty for a value that is not a block', () => {
    for (const value of [null, undefined, 'x', 7]) {
      expect(contentString(value as unknown as ContentBlock)).toBe('')
      expect(inputString(value as unknown as ContentBlock)).toBe('')
    }
  })

  test('may be missing', () => {
    expect(contentString(block({type: 'tool_result', tool_use_id: 't'}))).toBe('')
    expect(contentString(block(text))).toBe('')
  })
})
