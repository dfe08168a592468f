import core from 'highlight.js/lib/core'
import typescript from 'highlight.js/lib/languages/typescript'
import {expect, it} from 'vitest'
import {toCodeLines} from './code-lines.ts'
import styles from './code.module.css'
import {findLanguage} from './language.ts'
import {previewJson} from './preview-json.ts'
import {readContent} from './read-content.ts'
import {readMatches} from './read-matches.ts'
import {readPicture} from './read-picture.ts'
import {stripNumbers} from './strip-numbers.ts'

it('strips printed line numbers', () => {
  expect(stripNumbers('     1\ta\n     2\t\n     3\tc')).toEqual({
    text: 'a\n\nc',
    firstLine: 1,
    rest: '',
  })
  expect(stripNumbers('12→a\n13→b\n\n<system-reminder>x</system-reminder>')).toEqual({
    text: 'a\nb',
    firstLine: 12,
    rest: '<system-reminder>x</system-reminder>',
  })
  expect(stripNumbers('2024: a year\nmore').firstLine).toBeUndefined()
  expect(stripNumbers('a\nb')).toEqual({text: 'a\nb', firstLine: undefined, rest: ''})
})

it('parses the output of searches', () => {
  expect(readMatches('a.ts:1:x\nb/c.ts:2:y\na.ts:9:z')).toEqual([
    {path: 'a.ts', count: 2, lines: ['1:x', '9:z']},
    {path: 'b/c.ts', count: 1, lines: ['2:y']},
  ])
  expect(readMatches('a.ts:3\nb.ts:1')).toMatchObject([{path: 'a.ts', count: 3}, {count: 1}])
  expect(readMatches('Found 2 files\nsrc/a.ts\nsrc/b c.ts\n')).toMatchObject([
    {path: 'src/a.ts'},
    {path: 'src/b c.ts', count: undefined},
  ])
  expect(readMatches('No files found: none')).toBeUndefined()
  expect(readMatches('')).toBeUndefined()
})

it('previews any value on one line without reading all of it', () => {
  expect(previewJson({a: 1, b: ['x', null]}, 80)).toBe('{"a": 1, "b": ["x", null]}')
  expect(previewJson([[[[[1]]]]], 80)).toBe('[[[[[…]]]]]')
  let deep: unknown = 1
  for (let at = 0; at < 100_000; at++) deep = [deep]
  expect(previewJson(deep, 80)).toBe('[[[[[…]]]]]')
  expect(previewJson('a'.repeat(1_000_000), 40).length).toBeLessThan(80)
  expect(
    previewJson(
      Array.from({length: 1_000_000}, () => 1),
      40,
    ).length,
  ).toBeLessThan(80)
  expect(previewJson(undefined, 40)).toBe('undefined')
})

it('splits code tokens into lines', () => {
  core.registerLanguage('typescript', typescript)
  const {_emitter: tree} = core.highlight('const a = `x\n${b}`\n// <b>', {language: 'typescript'})
  const lines = toCodeLines(tree)
  expect(lines.map((runs) => runs.map(({text}) => text).join(''))).toEqual([
    'const a = `x',
    '${b}`',
    '// <b>',
  ])
  expect(lines[0]?.[0]).toEqual({text: 'const', className: styles.keyword})
  expect(lines[2]?.[0]?.className).toBe(styles.comment)
  expect(toCodeLines(undefined)).toEqual([[]])
})

it('finds a language by file name or extension', () => {
  expect(findLanguage('/a/b.test.TSX')).toBe('typescript')
  expect(findLanguage('Dockerfile')).toBe('bash')
  expect(findLanguage('py')).toBe('python')
  expect(findLanguage('a.exe')).toBeUndefined()
  expect(findLanguage('__proto__')).toBeUndefined()
})

it('accepts only valid images', () => {
  const encode = (...parts: (string | number[])[]) =>
    btoa(
      parts
        .map((part) => (typeof part === 'string' ? part : String.fromCharCode(...part)))
        .join('')
        .padEnd(40, '\0'),
    )
  const png = (width: number[]) =>
    encode('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', width, [0, 0, 0, 20])
  expect(readPicture(png([0, 0, 0, 30]))).toMatchObject({
    mediaType: 'image/png',
    width: 30,
    height: 20,
  })
  expect(readPicture(png([9, 0, 0, 0]))).toBeUndefined()
  expect(readPicture(encode('GIF89a', [30, 0, 20, 0]))).toMatchObject({
    mediaType: 'image/gif',
    width: 30,
    height: 20,
  })
  expect(
    readPicture(encode([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 20, 0, 30])),
  ).toMatchObject({mediaType: 'image/jpeg', width: 30, height: 20})
  expect(
    readPicture(
      encode('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0], [29, 0, 0, 19, 0, 0]),
    ),
  ).toMatchObject({mediaType: 'image/webp', width: 30, height: 20})
  expect(readPicture(btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined()
  expect(readPicture('https://a.example/b.png')).toBeUndefined()
  expect(readPicture('')).toBeUndefined()
})

it('reads the blocks of results', () => {
  expect(
    readContent([
      {type: 'text', text: 'a'},
      {type: 'image', data: 'b', mimeType: 'image/png'},
      {type: 'image', source: {type: 'base64', data: 'c'}},
      {type: 'resource', uri: 'd'},
    ]),
  ).toEqual([
    {kind: 'text', text: 'a'},
    {kind: 'picture', base64: 'b'},
    {kind: 'picture', base64: 'c'},
    {kind: 'value', value: {type: 'resource', uri: 'd'}},
  ])
  expect(readContent({content: [{type: 'text', text: 'a'}]})).toHaveLength(1)
  expect(readContent([{a: 1}])).toBeUndefined()
  expect(readContent('text')).toBeUndefined()
})
