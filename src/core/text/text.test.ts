import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {cutText, escapeControls} from './text.ts'

describe('escapeControls', () => {
  test.each([
    ['plain text, and scripts and emoji', 'naïve 玻璃 👩‍👩‍👧', 'naïve 玻璃 👩‍👩‍👧'],
    ['a colour', '\u001b[31mred', '\\x1b[31mred'],
    ['a title', '\u001b]0;x\u0007', '\\x1b]0;x\\x07'],
    ['an eight-bit sequence', '\u009b2J', '\\x9b2J'],
    ['a way back', 'a\rb\bc', 'a\\x0db\\x08c'],
    ['a turn of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['a command of Azure Pipelines', 'a ##vso[task.x]b', String.raw`a #\x23vso[task.x]b`],
    ['a command of TeamCity', '##teamcity[x]', String.raw`#\x23teamcity[x]`],
    ['a group', '###[group]玻璃', String.raw`##\x23[group]玻璃`],
    ['a command with what is not seen in it', '#\u200b#v\u200bso[', '#\u200b\\x23v\u200bso['],
    ['a heading', '## Part [1](x)', '## Part [1](x)'],
    ['half a pair', '\ud83d', '\\ud83d'],
    ['a line that a terminal might end', 'a\u2028b\u0085c', 'a\\u2028b\\x85c'],
    ['a tab', 'a\tb', 'a b'],
    ['NUL and DEL', '\0\u007f', '\\x00\\x7f'],
  ])('shows %s', (_, text, shown) => {
    expect(escapeControls(text)).toBe(shown)
  })

  test('leaves no control character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (text) => {
        expect(escapeControls(text)).not.toMatch(/[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})

describe('cutText', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2, '👩‍👩‍👧…'],
    ['é'.normalize('NFD').repeat(4), 4, 'é'.normalize('NFD').repeat(4)],
  ])('cuts %s to %d characters', (text, length, cut) => {
    expect(cutText(text, length)).toBe(cut)
  })

  test('never exceeds the maximum length, whatever a character is made of', () => {
    expect(cutText(`a${'\u0301'.repeat(1_000_000)}`, 10).length).toBeLessThan(100)
    expect(cutText('x'.repeat(100_000_000), 10)).toBe('xxxxxxxxx…')
  })
})
