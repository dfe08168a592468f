import {describe, expect, test} from 'vitest'
import {wantsColor, wantsUnicode} from './index.ts'
import {cutToWidth, layOut} from './layout.ts'

describe('colour', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{NO_COLOR: '1'}, true, false],
    [{NO_COLOR: ''}, true, true],
    [{FORCE_COLOR: '1'}, false, true],
    [{FORCE_COLOR: '0'}, true, false],
    [{FORCE_COLOR: '1', NO_COLOR: '1'}, true, false],
    [{TERM: 'dumb'}, true, false],
  ])('with %j on a terminal %s: %s', (env, isTTY, expected) => {
    expect(wantsColor(env, isTTY)).toBe(expected)
  })
})

test.each([
  [{}, true],
  [{LANG: 'en_US.UTF-8'}, true],
  [{LANG: 'C.utf8'}, true],
  [{LANG: 'C'}, false],
  [{LC_ALL: 'POSIX', LANG: 'en_US.UTF-8'}, false],
  [{LC_ALL: '', LC_CTYPE: 'UTF-8'}, true],
])('signs beyond ASCII with %j: %s', (env, expected) => {
  expect(wantsUnicode(env)).toBe(expected)
})

describe('cutToWidth', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['a bit too long', 10, 'a bit too…'],
    ['玻璃玻璃玻', 10, '玻璃玻璃玻'],
    ['玻璃玻璃玻璃', 10, '玻璃玻璃…'],
    ['', 5, ''],
  ])('cuts %j to %d columns', (text, width, cut) => {
    expect(cutToWidth(text, width, '…')).toBe(cut)
  })

  test('takes no time for megabytes', () => {
    expect(cutToWidth('x'.repeat(50_000_000), 10, '…')).toBe('xxxxxxxxx…')
    expect(cutToWidth(`a${'\u0301'.repeat(1_000_000)}`, 10, '…').length).toBeLessThan(200)
  })
})

test('a line too narrow for its facts keeps them', () => {
  const facts = [{text: '1m 22s', color: (text: string) => text}]
  expect(layOut({head: '[claude] ', body: 'Bash', facts}, {width: 12, more: '…'})).toBe(
    '[claude] …  1m 22s',
  )
})
