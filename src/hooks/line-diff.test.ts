import fc from 'fast-check'
import {expect, test} from 'vitest'
import {cutLines, diffLines} from './line-diff.ts'

function show(before: string, after: string): string[] {
  return diffLines(before, after).map((line) => (line === null ? '…' : line.sign + line.text))
}

test('shows a change with the lines around it', () => {
  expect(show('a\nb\nc\nd\ne\nf\ng\n', 'a\nb\nc\nd\nE\nf\ng\n')).toEqual([
    '…',
    ' c',
    ' d',
    '-e',
    '+E',
    ' f',
    ' g',
  ])
})

test('shows no lines for equal texts', () => {
  expect(show('a\nb', 'a\nb')).toEqual(['…'])
  expect(show('', '')).toEqual([])
  expect(show('', 'a\n')).toEqual(['+a'])
})

test('shortens a long line around the first difference', () => {
  const start = 'a'.repeat(5000)
  const cut = cutLines(diffLines(`${start}b${start}`, `${start}c${start}`))
  expect(cut.map((line) => line?.text.length)).toEqual([502, 502])
  expect(cut.map((line) => `${line?.sign} ${line?.text.slice(0, 103)}`)).toEqual([
    `- …${'a'.repeat(100)}ba`,
    `+ …${'a'.repeat(100)}ca`,
  ])
})

const anyText = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 12})

test('rebuilds the old text from kept and removed lines, and the new text from kept and added lines', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      // Enough changes that no line is omitted.
      const one = before.flatMap((line) => [line, '-'])
      const other = after.flatMap((line) => [line, '+'])
      const lines = diffLines(one.join('\n'), other.join('\n')).filter((line) => line !== null)
      const pick = (sign: string) =>
        lines.filter((line) => line.sign !== sign).map(({text}) => text)
      expect(pick('+')).toEqual(one)
      expect(pick('-')).toEqual(other)
    }),
  )
})
