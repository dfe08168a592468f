import fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {plain} from './colors.ts'
import {cutToWidth, layOutLine} from './layout.ts'
import {unicode} from './symbols.ts'

describe('a text that is cut to a width', () => {
  test.each([
    ['as it is, where there is room', 'eight ch', 8, 'eight ch'],
    ['to one column less than there are, and a sign', 'nine char', 8, 'nine ch…'],
    ['before a character that is two columns wide', 'abcdef漢字', 8, 'abcdef…'],
    ['after one, where that fills it', 'abcde漢字', 8, 'abcde漢…'],
    ['never between a letter and its accent', 'abcdefe\u0301fgh', 8, 'abcdefe\u0301…'],
    ['never within a sign of several', 'abcde👨‍👩‍👧fgh', 8, 'abcde👨‍👩‍👧…'],
    ['between characters that are two columns wide', '玻璃玻璃玻璃', 10, '玻璃玻璃…'],
    ['as it is, where there is nothing', '', 5, ''],
    ['to the sign alone', 'abc', 1, '…'],
    ['to nothing', 'abc', 0, ''],
  ])('%s', (_, text, width, shown) => {
    expect(cutToWidth(text, width, '…')).toBe(shown)
  })

  test('is cut fast when it has megabytes', () => {
    expect(cutToWidth('x'.repeat(50_000_000), 10, '…')).toBe('xxxxxxxxx…')
    expect(cutToWidth(`a${'\u0301'.repeat(1_000_000)}`, 10, '…').length).toBeLessThan(200)
  })

  test('fits, keeps its beginning, and is not cut more than needed', () => {
    const characters = fc.constantFrom('a', ' ', '~', 'é', 'e\u0301', '漢', '👨‍👩‍👧', '🇩🇪')
    const texts = fc.array(characters, {maxLength: 40})
    fc.assert(
      fc.property(texts, fc.integer({min: 1, max: 40}), (parts, width) => {
        const text = parts.join('')
        const isUncut = stringWidth(text) <= width
        const begins = [...parts.keys()].map((count) => parts.slice(0, count).join(''))
        const longest = begins.findLast((begin) => stringWidth(begin) <= width - 1)
        expect(cutToWidth(text, width, '…')).toBe(isUncut ? text : `${longest}…`)
      }),
    )
  })
})

test('a line too narrow for its facts keeps them', () => {
  const facts = [{text: '1m 22s', color: (text: string) => text}]
  const style = {colors: plain, symbols: unicode, width: 12}
  expect(layOutLine({head: '[claude] ', body: 'Bash', facts}, style)).toBe('[claude] …  1m 22s')
})
