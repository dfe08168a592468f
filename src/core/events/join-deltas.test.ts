import {expect, test} from 'vitest'
import type {TextEvent} from './events.ts'
import {createDeltaJoiner} from './join-deltas.ts'

function delta(text: string, more: Partial<TextEvent> = {}): TextEvent {
  return {type: 'text-delta', text, line: 1, at: 0, agent: 'claude', ...more}
}

test('joins deltas until the text of the author ends', () => {
  const joiner = createDeltaJoiner()
  const first = delta('one ', {messageId: 'm'})
  expect(joiner.add(first)).toBe(undefined)
  expect(joiner.add(delta('two', {messageId: 'm'}))).toBe(undefined)
  expect(joiner.end('')).toEqual({event: first, isThinking: false, text: 'one two'})
  expect(joiner.end('')).toBe(undefined)
})

test('completes a text when the same author starts another one', () => {
  const joiner = createDeltaJoiner()
  joiner.add(delta('hm', {type: 'thinking-delta'}))
  expect(joiner.add(delta('one', {messageId: 'a'}))).toMatchObject({isThinking: true, text: 'hm'})
  expect(joiner.add(delta('two', {messageId: 'b'}))).toMatchObject({isThinking: false, text: 'one'})
  expect(joiner.endAll()).toMatchObject([{text: 'two'}])
})

test('keeps the texts of sub-agents apart', () => {
  const joiner = createDeltaJoiner()
  joiner.add(delta('a'))
  joiner.add(delta('b', {parentToolId: 't'}))
  joiner.add(delta('c'))
  expect(joiner.end('t')).toMatchObject({text: 'b'})
  expect(joiner.endAll()).toMatchObject([{text: 'ac'}])
})

test('drops deltas after the maximum length', () => {
  const joiner = createDeltaJoiner(3)
  for (const text of ['ab', 'cd', 'ef']) joiner.add(delta(text))
  expect(joiner.end('')).toMatchObject({text: 'abcd'})
})
