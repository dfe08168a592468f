import fc from 'fast-check'
import {expect, test} from 'vitest'
import {MARK_END, MARK_START} from './search-store.ts'
import {cutSnippet} from './snippet.ts'

const mark = (text: string) => text.replaceAll('[', MARK_START).replaceAll(']', MARK_END)
const show = (marked: string) => {
  const {text, marks} = cutSnippet(mark(marked))
  return [text, ...marks.map(([start, end]) => text.slice(start, end))]
}

test('puts a text on one line with the places of its matches', () => {
  expect(show('Use the\n  [key] and\tthe [other key].')).toEqual([
    'Use the key and the other key.',
    'key',
    'other key',
  ])
})

test('starts at a word before the first match', () => {
  const before = 'some words before it '.repeat(10)
  expect(show(`${before}[match] after`)).toEqual([
    '…words before it some words before it match after',
    'match',
  ])
})

test('cuts long texts, and a match at the end', () => {
  expect(show(`[${'x'.repeat(300)}] y [z]`)).toEqual([`${'x'.repeat(160)}…`, 'x'.repeat(160)])
  expect(show('y'.repeat(300))).toEqual([`${'y'.repeat(160)}…`])
})

test('never cuts a character in half', () => {
  for (let length = 30; length < 60; length++) {
    const [text = ''] = show(`${'x'.repeat(length)}${'😀'.repeat(40)}[match]`)
    expect(text).not.toMatch(/\p{Surrogate}/u)
  }
})

test('marks lie within the text and in order, whatever it contains', () => {
  const part = fc.oneof(fc.string({unit: 'binary'}), fc.constantFrom(MARK_START, MARK_END, ' '))
  fc.assert(
    fc.property(fc.array(part, {maxLength: 40}), (parts) => {
      const {text, marks} = cutSnippet(parts.join(''))
      let last = 0
      for (const [start, end] of marks) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        last = end
      }
      expect(last).toBeLessThanOrEqual(text.length)
      for (const sign of [MARK_START, MARK_END, '\n']) expect(text).not.toContain(sign)
    }),
  )
})
