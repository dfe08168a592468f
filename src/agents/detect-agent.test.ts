import {describe, expect, test} from 'vitest'
import {createAgentDetector, detectAgent} from './detect-agent.ts'

const line = (record: unknown) => JSON.stringify(record)
const init = {type: 'system', subtype: 'init', session_id: 's', tools: []}

describe('an agent', () => {
  test.each([
    ['a first line without a version, and nothing else', [line(init)], 'claude'],
    ['a message', [line({type: 'assistant', message: {content: 'Hi'}})], 'claude'],
    ['a line with its version', [line({...init, qwen_code_version: '1'})], 'qwen'],
    ['a message of a thread', [line({type: 'assistant', message: {}, session_id: 'T-1'})], 'amp'],
    ['messages of a chat', [line({role: 'assistant', content: 'a'}), line({role: 'tool'})], 'kimi'],
    ['a run in one list', [line([init, {...init, claude_code_version: '2'}])], 'claude'],
    [
      'a byte order mark and CRLF',
      [`\ufeff${line({type: 'thread.started', thread_id: 't'})}\r`],
      'codex',
    ],
    [
      'a stream event',
      [line({type: 'message_start', message: {id: 'm', role: 'assistant'}})],
      'claude',
    ],
  ])('is detected by %s', (_, lines, id) => {
    expect(detectAgent(lines)).toBe(id)
  })

  test.each([
    [
      'begins like Claude Code and continues differently',
      [init, {type: 'message', role: 'user', text: 'x'}, {type: 'completion', finalText: 'x'}],
    ],
    ['is a list of prompts', [{prompt: 'a'}, {prompt: 'b'}]],
    [
      'is a chat with a user',
      [
        {role: 'user', content: 'a'},
        {role: 'assistant', content: 'b'},
      ],
    ],
    ['prints only control responses', [{type: 'control_response', response: {}}]],
  ])('is not detected when it %s', (_, records) => {
    expect(detectAgent(records.map(line))).toBe(null)
  })
})

test('a detector decides as soon as possible and counts JSON objects', () => {
  const detector = createAgentDetector()
  expect(detector.add('prose')).toBe(null)
  expect(detector.add(line(init))).toBe(null)
  expect([detector.guess(), detector.recordCount]).toEqual(['claude', 1])
  expect(detector.add(line({type: 'user', message: {}}))).toBe('claude')
})
