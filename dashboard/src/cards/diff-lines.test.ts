import fc from 'fast-check'
import {expect, it} from 'vitest'
import {expectWithin} from '../../../test/support/within.ts'
import {countHunks, diffLines, toHunks} from './diff-lines.ts'
import {splitLines} from './lines.ts'
import {markWords} from './mark-words.ts'

const line = fc.constantFrom('a', 'b', 'c', '', '}')
const text = fc
  .array(line, {maxLength: 30})
  .map((lines) => lines.map((word) => `${word}\n`).join(''))

it('contains both texts, in order and numbered', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after, {before: 1, after: 1})
      const old = lines.filter(({kind}) => kind !== 'add')
      const now = lines.filter(({kind}) => kind !== 'remove')
      expect(old.map((item) => item.text)).toEqual(splitLines(before))
      expect(now.map((item) => item.text)).toEqual(splitLines(after))
      expect(old.map((item) => item.before)).toEqual(old.map((_, at) => at + 1))
      expect(now.map((item) => item.after)).toEqual(now.map((_, at) => at + 1))
    }),
  )
})

it('omits unchanged lines and keeps every change', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after)
      const hunks = toHunks(lines)
      const changed = lines.filter(({kind}) => kind !== 'same')
      expect(hunks.flatMap((hunk) => hunk.lines).filter(({kind}) => kind !== 'same')).toEqual(
        changed,
      )
      const {added, removed} = countHunks(hunks)
      expect(added + removed).toBe(changed.length)
    }),
  )
  const [first, second] = toHunks(
    diffLines('x\n1\n2\n3\n4\n5\n6\n7\n8\ny\n', 'X\n1\n2\n3\n4\n5\n6\n7\n8\nY\n'),
  )
  expect(first?.lines.map((item) => item.text)).toEqual(['x', 'X', '1', '2', '3'])
  expect(second?.lines.map((item) => item.text)).toEqual(['6', '7', '8', 'y', 'Y'])
})

it('replaces a block when the shortest diff would take too long', () => {
  const many = (word: string) => Array.from({length: 30_000}, (_, at) => `${word}${at}\n`).join('')
  expectWithin(2000, () => {
    expect(diffLines(many('a'), many('b'))).toHaveLength(60_000)
  })
})

it('marks the words that changed', () => {
  expect(markWords('const a = one(b)', 'const a = two(b)')).toEqual([
    [
      {text: 'const a = ', isMarked: false},
      {text: 'one', isMarked: true},
      {text: '(b)', isMarked: false},
    ],
    [
      {text: 'const a = ', isMarked: false},
      {text: 'two', isMarked: true},
      {text: '(b)', isMarked: false},
    ],
  ])
  expect(markWords('completely different', 'nothing alike here')).toBeUndefined()
})
