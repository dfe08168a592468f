import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {expectWithin} from '../../../test/support/within.ts'
import {HOSTILE} from '../../../test/support/hostile.ts'
import styles from './ansi.module.css'
import {parseAnsi} from './parse-ansi.ts'

const textOf = (text: string) => parseAnsi(text).map((runs) => runs.map((run) => run.text).join(''))

describe('parseAnsi', () => {
  it('returns a class for each colour and style', () => {
    expect(parseAnsi('a\x1b[1;31mb\x1b[0mc')).toEqual([
      [
        {text: 'a', className: ''},
        {text: 'b', className: `${styles.red} ${styles.bold}`},
        {text: 'c', className: ''},
      ],
    ])
    const classOf = (code: string) => parseAnsi(`\x1b[${code}mx`)[0]?.[0]?.className
    expect(classOf('38;5;196')).toBe(styles.red)
    expect(classOf('38;5;12')).toBe(styles.blue)
    expect(classOf('38;5;240')).toBe(styles.gray)
    expect(classOf('38;2;250;250;250')).toBe(styles.bright)
    expect(classOf('38:2::0:200:0')).toBe(styles.green)
    expect(classOf('38;2;0;0;0;1')).toBe(`${styles.neutral} ${styles.bold}`)
    expect(classOf('31;44')).toBe(`${styles.onColor} ${styles.blue}`)
    expect(classOf('31;7')).toBe(`${styles.onColor} ${styles.red}`)
    expect(classOf('7')).toBe(styles.onColor)
    expect(classOf('2;3;4;9')).toBe(
      `${styles.dim} ${styles.italic} ${styles.underline} ${styles.strike}`,
    )
    expect(classOf('1;22;4;24;31;39')).toBe('')
    expect(classOf('4:0')).toBe('')
    expect(classOf('97;8;5')).toBe(styles.bright)
  })

  it('overwrites text like a terminal', () => {
    expect(textOf('10 %\r100 %\n')).toEqual(['100 %'])
    expect(textOf('abcdef\rxy')).toEqual(['xycdef'])
    expect(textOf('abcdef\r\x1b[Kxy')).toEqual(['xy'])
    expect(textOf('abc\b\bX')).toEqual(['aXc'])
    expect(textOf('abc\x1b[2Kd')).toEqual(['   d'])
    expect(textOf('abc\x1b[1Kd')).toEqual(['   d'])
    expect(textOf('one\r\ntwo\r\n')).toEqual(['one', 'two'])
    expect(textOf('a\tb')).toEqual(['a       b'])
    expect(textOf('')).toEqual([])
    expect(textOf('\n\n')).toEqual(['', ''])
  })

  it('strips all other escape sequences', () => {
    expect(textOf('\x1b]8;;https://a.example\x07link\x1b]8;;\x1b\\!')).toEqual(['link!'])
    expect(textOf('\x1b[2J\x1b[10;4H\x1b(B\x1b=\x1bPq#0\x1b\\x\x9b1my\x9d0;t\x9cz')).toEqual([
      'xyz',
    ])
    expect(textOf('a\x07\0b')).toEqual(['ab'])
  })

  it('shows the text after an incomplete sequence', () => {
    expect(textOf('\x1b]0;never ends\nnext')).toEqual(['0;never ends', 'next'])
    expect(textOf('a\u202eb\x85')).toEqual(['a\\u202eb\\x85'])
  })

  it('never prints a control character', () => {
    const part = fc.oneof(
      fc.string({unit: 'binary', maxLength: 8}),
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1b]',
        '\x9b',
        '31m',
        '\x07',
        '\r',
        '\n',
        '\b',
        '\t',
        '\u202e',
        'K',
      ),
    )
    fc.assert(
      fc.property(fc.array(part, {maxLength: 40}), (parts) => {
        for (const line of textOf(parts.join('')))
          expect(line).not.toMatch(/[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('runs in linear time', () => {
    for (const text of Object.values(HOSTILE)) expectWithin(5000, () => parseAnsi(text))
  })
})
