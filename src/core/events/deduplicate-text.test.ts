import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Draft} from './adapter.ts'
import {createTextDeduplicator} from './deduplicate-text.ts'

function spoken(drafts: Draft[]): string {
  return drafts.map((draft) => ('text' in draft ? draft.text : '')).join('')
}

test('a whole text after its pieces says nothing new', () => {
  const folder = createTextDeduplicator()
  folder.startBlock('', 'text')
  expect(folder.addDelta('', 'text', 'Hel', {messageId: 'm'})).toEqual([
    {type: 'text-delta', text: 'Hel', messageId: 'm'},
  ])
  folder.addDelta('', 'text', 'lo')
  expect(folder.addFull('', 'text', 'Hello')).toEqual([])
})

test('a whole text that goes on gives the rest', () => {
  const folder = createTextDeduplicator()
  folder.addDelta('', 'thinking', 'Hel')
  expect(folder.addFull('', 'thinking', 'Hello')).toEqual([{type: 'thinking-delta', text: 'lo'}])
})

test('a whole text of its own is given whole', () => {
  const folder = createTextDeduplicator()
  expect(folder.addFull('', 'text', 'Hello')).toEqual([{type: 'text', text: 'Hello'}])
  folder.addDelta('', 'text', 'Hel')
  expect(folder.addFull('', 'text', 'Bye')).toEqual([{type: 'text', text: 'Bye'}])
  expect(folder.addFull('', 'text', 'Hello')).toEqual([{type: 'text-delta', text: 'lo'}])
})

test('nothing is said with nothing', () => {
  const folder = createTextDeduplicator()
  expect(folder.addDelta('', 'text', '')).toEqual([])
  expect(folder.addFull('', 'text', '')).toEqual([])
})

test('speakers and thoughts do not mix, and can be forgotten', () => {
  const folder = createTextDeduplicator()
  folder.addDelta('a', 'text', 'same')
  expect(folder.addFull('b', 'text', 'same')).toHaveLength(1)
  expect(folder.addFull('a', 'thinking', 'same')).toHaveLength(1)
  folder.clear('a')
  expect(folder.addFull('a', 'text', 'same')).toHaveLength(1)
})

test('a block that was left off does not keep the next from being folded', () => {
  const folder = createTextDeduplicator()
  folder.startBlock('', 'text')
  folder.addDelta('', 'text', 'left off')
  folder.startBlock('', 'text')
  folder.addDelta('', 'text', 'done')
  expect(folder.addFull('', 'text', 'done')).toEqual([])
})

test('blocks in pieces and then whole are said once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({minLength: 1}), {minLength: 1})), (blocks) => {
      const folder = createTextDeduplicator()
      let said = ''
      for (const pieces of blocks) {
        folder.startBlock('', 'text')
        for (const piece of pieces) said += spoken(folder.addDelta('', 'text', piece))
        said += spoken(folder.addFull('', 'text', pieces.join('')))
      }
      expect(said).toBe(blocks.flat().join(''))
    }),
  )
})
