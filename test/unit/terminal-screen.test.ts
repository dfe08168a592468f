import {describe, expect, test} from 'vitest'
import {makeFilm, toRuns} from '../../scripts/terminal/film.js'
import {createScreen} from '../../scripts/terminal/screen.js'
import {applyNumbers, PLAIN} from '../../scripts/terminal/style.js'

const ESC = '\u001b'

/** What a screen of 10 x 4 shows after some output, without blanks at the ends of rows. */
function show(...pieces: string[]): string[] {
  const screen = createScreen({columns: 10, rows: 4})
  for (const piece of pieces) screen.write(piece)
  return screen.rows().map((cells) =>
    cells
      .map(({text}) => text)
      .join('')
      .trimEnd(),
  )
}

describe('a screen', () => {
  test.each<[name: string, output: string, shown: string[]]>([
    ['text and new rows', 'one\r\ntwo', ['one', 'two', '', '']],
    ['a new row keeps the column', 'ab\ncd', ['ab', '  cd', '', '']],
    ['a carriage return writes over', 'hello\rJ', ['Jello', '', '', '']],
    ['a backspace and a tab', 'ab\bc\td', ['ac      d', '', '', '']],
    ['a row that is full goes on in the next', '0123456789ab', ['0123456789', 'ab', '', '']],
    ['a row that is just full does not', '0123456789\r\na', ['0123456789', 'a', '', '']],
    ['the first rows leave', '1\r\n2\r\n3\r\n4\r\n5', ['2', '3', '4', '5']],
    [
      'up, down, right and left',
      `a${ESC}[2B${ESC}[3Cb${ESC}[A${ESC}[4Dc`,
      ['a', ' c', '    b', ''],
    ],
    [
      'no further than the edges',
      `${ESC}[9A${ESC}[99Db${ESC}[99;99Hz`,
      ['b', '', '', '         z'],
    ],
    ['a place, a column, a row', `${ESC}[2;3Ha${ESC}[Gb${ESC}[4dc`, ['', 'b a', '', ' c']],
    ['erasing a row from here', `abcdef${ESC}[4D${ESC}[K`, ['ab', '', '', '']],
    ['erasing a row to here', `abcdef${ESC}[4D${ESC}[1K`, ['   def', '', '', '']],
    ['erasing below', `a\r\nb\r\nc${ESC}[A\r${ESC}[J`, ['a', '', '', '']],
    ['erasing all', `a\r\nb${ESC}[2Jc`, ['', ' c', '', '']],
    ['letters out and blanks in', `abcdef\r${ESC}[2P${ESC}[C${ESC}[@`, ['c def', '', '', '']],
    ['rows out and in', `a\r\nb\r\nc${ESC}[A${ESC}[M${ESC}[A${ESC}[L`, ['', 'a', 'c', '']],
    ['going back', `${ESC}[2;2H${ESC}[s${ESC}[Ha${ESC}[ub`, ['a', ' b', '', '']],
    ['wide characters', '日本x', ['日本x', '', '', '']],
    ['a wide one that does not fit', '123456789日', ['123456789', '日', '', '']],
    ['accents of their own', 'e\u0301x', ['e\u0301x', '', '', '']],
    ['what nobody sees', `${ESC}]0;title\u0007a\u0007${ESC}(B${ESC}[?2004hb`, ['ab', '', '', '']],
  ])('%s', (_, output, shown) => {
    expect(show(output)).toEqual(shown)
    expect(show(...output.split(''))).toEqual(shown)
  })

  test('an accent that comes later belongs to the letter before it', () => {
    expect(show('e', '\u0301x')).toEqual(['e\u0301x', '', '', ''])
  })

  test('it knows the cursor, and how many rows have left', () => {
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
  ])('%j', (numbers, style) => {
    expect(applyNumbers(PLAIN, numbers)).toEqual({...PLAIN, ...style})
  })
})

describe('a film', () => {
  const options = {columns: 20, rows: 3, ticksPerSecond: 10}

  test('runs leave out what is not seen, and signs are apart', () => {
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

  test('a row that only moves up is one take', () => {
    const film = makeFilm(
      [
        {atMs: 0, text: `${ESC}[?25l1\r\n2\r\nold`},
        {atMs: 140, text: '\rn'},
        {atMs: 160, text: 'ew'},
        {atMs: 520, text: '\r\n4\r\n5'},
      ],
      options,
    )
    const takes = film.takes.map(({line, runs, from, until}) => [line, runs[0]?.text, from, until])
    expect(takes).toEqual([
      [0, '1', 0, null],
      [1, '2', 0, null],
      [2, 'old', 0, 1],
      [2, 'new', 1, null],
      [3, '4', 5, null],
      [4, '5', 5, null],
    ])
    expect(film.scrolls).toEqual([
      {at: 0, line: 0},
      {at: 5, line: 2},
    ])
    expect(film.end).toBe(5)
  })

  test('a cursor is shown behind text, and not on it', () => {
    const film = makeFilm(
      [
        {atMs: 0, text: '$ '},
        {atMs: 100, text: 'a\r'},
      ],
      options,
    )
    expect(film.takes.map(({runs}) => runs.map(({text, column}) => [text, column]))).toEqual([
      [
        ['$', 0],
        [' ', 2],
      ],
      [['$ a', 0]],
    ])
  })
})
