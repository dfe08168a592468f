import {expect, test} from 'vitest'
import {firstThought} from './describe-entry.ts'

test.each([
  ['**Inspecting the question**\n\nIt says …', 'Inspecting the question'],
  ['Use `a**b` here', 'Use `a**b` here'],
  ['## Plan\nmore', 'Plan'],
  ['Plain words.', 'Plain words.'],
])('shortens %j to %j', (text, words) => {
  expect(firstThought(text)).toBe(words)
})
