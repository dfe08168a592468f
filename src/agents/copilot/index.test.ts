import {expect, test} from 'vitest'
import {copilot} from './index.ts'

const envelope = {id: 'i', timestamp: '2026-11-15T02:32:32.272Z', parentId: null}
const result = {type: 'result', sessionId: 's', exitCode: 0, usage: {premiumRequests: 0}}

test.each([
  ['an event', {type: 'assistant.turn_start', data: {turnId: '0'}, ...envelope}, 2],
  ['the last line', result, 3],
  ['an event of a new kind', {type: 'assistant.novelty', data: {}, ...envelope}, 1],
  ['an event without its envelope', {type: 'assistant.turn_start', data: {turnId: '0'}}, 1],
  ['something with data', {type: 'novelty', data: {}}, 0],
  ['an event whose data is no object', {type: 'abort', data: 'x', ...envelope}, 0],
  ['a result of Gemini', {type: 'result', status: 'success', stats: {}}, 0],
  ['a result of Claude', {type: 'result', session_id: 's', usage: {input_tokens: 1}}, 0],
  ['a result that used nothing', {...result, usage: null}, 0],
  ['a result that used something else', {...result, usage: {input_tokens: 1}}, 0],
  ['no type', {level: 'info'}, 0],
])('detects a line of Copilot: %s', (_, record, sureness) => {
  expect(copilot.detect(record)).toBe(sureness)
})

test.each([
  [
    ['-p', 'do it'],
    ['--output-format', 'json'],
  ],
  [['-p', 'do it', '--output-format', 'json'], []],
  [['-p', 'do it', '--output-format=text'], []],
])('adds only missing flags to %j', (args, flags) => {
  expect(copilot.flags(args)).toEqual(flags)
})
