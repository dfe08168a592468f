import {describe, expect, test} from 'vitest'
import {splitMarks} from './marks.ts'

function show(text: string, marks: readonly (readonly [number, number])[]): string {
  return splitMarks(text, marks)
    .map(({words, isMarked}) => (isMarked ? `[${words}]` : words))
    .join('|')
}

describe('the marks in a match', () => {
  test('split the text into parts', () => {
    expect(show('call createRefund now', [[5, 17]])).toBe('call |[createRefund]| now')
    expect(
      show('one two', [
        [0, 3],
        [4, 7],
      ]),
    ).toBe('[one]| |[two]')
  })

  test('are sorted and cut when they overlap or are outside of the text', () => {
    expect(
      show('abcdef', [
        [3, 99],
        [1, 4],
      ]),
    ).toBe('a|[bcd]|[ef]')
    expect(
      show('abc', [
        [7, 9],
        [-2, 1],
      ]),
    ).toBe('[a]|bc')
    expect(show('abc', [[2, 1]])).toBe('ab|c')
  })

  test('leave a text without marks in one part, with control characters escaped', () => {
    expect(splitMarks('a\u202eb', [])).toEqual([{start: 0, words: 'a\\u202eb', isMarked: false}])
    expect(splitMarks('', [])).toEqual([])
  })
})
