import fc from 'fast-check'
import stringWidth from 'string-width'
import {expect, test} from 'vitest'
import {ascii, unicode} from './symbols.ts'
import {textWidth} from './text-width.ts'

test('counts the columns of any text as string-width does', () => {
  const signs = fc.constantFrom(...Object.values(unicode), ...Object.values(ascii))
  const colors = fc.constantFrom(
    '\u001B[1m',
    '\u001B[38;5;208m',
    '\u001B[0m',
    '\u001B[2K',
    '\u001B',
  )
  const marks = fc.constantFrom('“', '—', '’', '\u0301', '\u200B', '\uFE0F', '한', '👩‍👧', 'कि', '\t')
  const text = fc
    .array(fc.oneof(signs, colors, marks, fc.string(), fc.string({unit: 'grapheme'})))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (given) => {
      expect(textWidth(given)).toBe(stringWidth(given))
    }),
  )
})

test.each(Object.values(unicode))('takes one column for %s', (sign) => {
  expect(textWidth(sign)).toBe(1)
})
