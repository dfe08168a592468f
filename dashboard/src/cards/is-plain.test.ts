import fc from 'fast-check'
import {marked} from 'marked'
import {expect, test} from 'vitest'
import {isPlain} from './is-plain.ts'

test.each([
  'I’ll look at how webhook events come in before changing anything.',
  'Both done, 24 tests pass - none failed (really).',
  '日本語 ✅',
])('%s is plain', (text) => {
  expect(isPlain(text)).toBe(true)
})

test.each([
  '**bold**',
  'a\nb',
  '- item',
  '1. first',
  '`code`',
  '# head',
  'see https://a.test',
  'a & b',
  '    code',
])('%j is not plain', (text) => {
  expect(isPlain(text)).toBe(false)
})

test('plain text renders the same as Markdown', () => {
  const character = fc.constantFrom(...'ab 12.,!?-()"\'/é*_#`>'.split(''))
  fc.assert(
    fc.property(fc.array(character, {maxLength: 12}), (characters) => {
      const text = characters.join('')
      fc.pre(isPlain(text) && text !== '')
      const escaped = text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
      expect(marked.parse(text)).toBe(`<p>${escaped}</p>\n`)
    }),
    {numRuns: 2000},
  )
})
