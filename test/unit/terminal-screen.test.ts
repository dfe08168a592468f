import {describe, expect, test} from 'vitest'
import {createAnimation, toRuns} from '../../scripts/terminal/animation.js'
import {createScreen} from '../../scripts/terminal/screen.js'
import {applySgr, DEFAULT_STYLE} from '../../scripts/terminal/style.js'

const ESC = '\u001b'

/** The rows of a screen of 10 × 4 after some chunks of output, without trailing blanks. */
function show(...chunks: string[]): string[] {
  const screen = createScreen({columns: 10, rows: 4})
  for (const chunk of chunks) screen.write(chunk)
  return screen.rows().map((cells) =>
    cells
      .map(({text}) => text)
      .join('')
      .trimEnd(),
  )
}

describe('a screen', () => {
  test.each<[name: string, output: string, shown: string[]]>([
    ['text and line breaks', 'one\r\ntwo', ['one', 'two', '', '']],
    ['line feeds, which keep the column', 'ab\ncd', ['ab', '  cd', '', '']],
    ['carriage returns', 'hello\rJ', ['Jello', '', '', '']],
    ['backspaces and tabs', 'ab\bc\td', ['ac      d', '', '', '']],
    ['wrapping at the end of a row', '0123456789ab', ['0123456789', 'ab', '', '']],
    ['a full row before a line break', '0123456789\r\na', ['0123456789', 'a', '', '']],
    ['scrolling', '1\r\n2\r\n3\r\n4\r\n5', ['2', '3', '4', '5']],
    [
      'cursor movement up, down, right and left',
      `a${ESC}[2B${ESC}[3Cb${ESC}[A${ESC}[4Dc`,
      ['a', ' c', '    b', ''],
    ],
    [
      'cursor movement beyond the edges',
      `${ESC}[9A${ESC}[99Db${ESC}[99;99Hz`,
      ['b', '', '', '         z'],
    ],
    [
      'absolute positions, columns and rows',
      `${ESC}[2;3Ha${ESC}[Gb${ESC}[4dc`,
      ['', 'b a', '', ' c'],
    ],
    ['erasing from the cursor to the end of a row', `abcdef${ESC}[4D${ESC}[K`, ['ab', '', '', '']],
    [
      'erasing from the start of a row to the cursor',
      `abcdef${ESC}[4D${ESC}[1K`,
      ['   def', '', '', ''],
    ],
    ['erasing below the cursor', `a\r\nb\r\nc${ESC}[A\r${ESC}[J`, ['a', '', '', '']],
    ['erasing everything', `a\r\nb${ESC}[2Jc`, ['', ' c', '', '']],
    [
      'deleting and inserting characters',
      `abcdef\r${ESC}[2P${ESC}[C${ESC}[@`,
      ['c def', '', '', ''],
    ],
    [
      'deleting and inserting rows',
      `a\r\nb\r\nc${ESC}[A${ESC}[M${ESC}[A${ESC}[L`,
      ['', 'a', 'c', ''],
    ],
    [
      'saving and restoring the cursor',
      `${ESC}[2;2H${ESC}[s${ESC}[Ha${ESC}[ub`,
      ['a', ' b', '', ''],
    ],
    ['wide characters', '日本x', ['日本x', '', '', '']],
    ['a wide character that does not fit', '123456789日', ['123456789', '日', '', '']],
    ['combining accents', 'e\u0301x', ['e\u0301x', '', '', '']],
    [
      'invisible sequences',
      `${ESC}]0;title\u0007a\u0007${ESC}(B${ESC}[?2004hb`,
      ['ab', '', '', ''],
    ],
  ])('supports %s, also one character at a time', (_, output, shown) => {
    expect(show(output)).toEqual(shown)
    expect(show(...output.split(''))).toEqual(shown)
  })

  test('adds an accent of a later chunk to the letter before it', () => {
    expect(show('e', '\u0301x')).toEqual(['e\u0301x', '', '', ''])
  })

  test('reports the cursor and the number of rows that scrolled off', () => {
    const screen = createScreen({columns: 10, rows: 2})
    screen.write(`1\r\n2\r\n3\r\n45${ESC}[?25l`)
    expect(screen.cursor()).toEqual({row: 1, column: 2, isShown: false})
    expect(screen.scrolled()).toBe(2)
  })
})

describe('a style', () => {
  test.each<[numbers: number[], style: object]>([
    [[1, 31], {bold: true, color: 1}],
    [[2, 3, 4, 7], {dim: true, italic: true, underline: true, inverse: true}],
    [[1, 2, 22], {}],
    [[97, 41], {color: 15, background: 1}],
    [[38, 5, 9, 1], {color: 9, bold: true}],
    [[38, 5, 208, 48, 5, 244], {color: '#ff8700', background: '#808080'}],
    [[48, 2, 1, 2, 255], {background: '#0102ff'}],
    [[31, 42, 39, 49], {}],
    [[31, 99, 1, 0], {}],
    [[], {}],
  ])('applies the SGR numbers %j', (numbers, style) => {
    expect(applySgr(DEFAULT_STYLE, numbers)).toEqual({...DEFAULT_STYLE, ...style})
  })
})

describe('an animation', () => {
  const options = {columns: 20, rows: 3, ticksPerSecond: 10}

  test('omits invisible cells and separates symbols from letters', () => {
    const screen = createScreen({columns: 40, rows: 1})
    screen.write(`  a b   c ✓ ok ${ESC}[31mred${ESC}[0m──日${ESC}[43m  ${ESC}[0m `)
    const runs = toRuns(screen.rows()[0] ?? []).map(({text, column, width}) => [
      text,
      column,
      width,
    ])
    expect(runs).toEqual([
      ['a b', 2, 3],
      ['c', 8, 1],
      ['✓', 10, 1],
      ['ok', 12, 2],
      ['red', 15, 3],
      ['──', 18, 2],
      ['日', 20, 2],
      ['  ', 22, 2],
    ])
  })

  test('keeps one take for a row that only scrolls up', () => {
    const animation = createAnimation(
      [
        {atMs: 0, text: `${ESC}[?25l1\r\n2\r\nold`},
        {atMs: 140, text: '\rn'},
        {atMs: 160, text: 'ew'},
        {atMs: 520, text: '\r\n4\r\n5'},
      ],
      options,
    )
    const takes = animation.takes.map(({line, runs, from, until}) => [
      line,
      runs[0]?.text,
      from,
      until,
    ])
    expect(takes).toEqual([
      [0, '1', 0, null],
      [1, '2', 0, null],
      [2, 'old', 0, 1],
      [2, 'new', 1, null],
      [3, '4', 5, null],
      [4, '5', 5, null],
    ])
    expect(animation.scrolls).toEqual([
      {at: 0, line: 0},
      {at: 5, line: 2},
    ])
    expect(animation.end).toBe(5)
  })

  test('shows the cursor behind text only', () => {
    const animation = createAnimation(
      [
        {atMs: 0, text: '$ '},
        {atMs: 100, text: 'a\r'},
      ],
      options,
    )
    expect(animation.takes.map(({runs}) => runs.map(({text, column}) => [text, column]))).toEqual([
      [
        ['$', 0],
        [' ', 2],
      ],
      [['$ a', 0]],
    ])
  })
})
