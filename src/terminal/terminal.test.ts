import {describe, expect, test} from 'vitest'
import {wantsColor} from './colors.ts'
import {wantsUnicode} from './symbols.ts'

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
  ])('with %j and a TTY %s is used: %s', (env, isTTY, expected) => {
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
])('Unicode signs with %j are used: %s', (env, expected) => {
  expect(wantsUnicode(env)).toBe(expected)
})
