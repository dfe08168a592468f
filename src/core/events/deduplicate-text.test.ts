import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Draft} from './adapter.ts'
import {createTextDeduplicator} from './deduplicate-text.ts'

function joinTexts(drafts: Draft[]): string {
  return drafts.map((draft) => ('text' in draft ? draft.text : '')).join('')
}

test('a full text after its deltas emits nothing', () => {
  const deduplicator = createTextDeduplicator()
  deduplicator.startBlock('', 'text')
  expect(deduplicator.addDelta('', 'text', 'Hel', {messageId: 'm'})).toEqual([
    {type: 'text-delta', text: 'Hel', messageId: 'm'},
  ])
  deduplicator.addDelta('', 'text', 'lo')
  expect(deduplicator.addFull('', 'text', 'Hello')).toEqual([])
})

test('a full text that is longer than its deltas emits the rest', () => {
  const deduplicator = createTextDeduplicator()
  deduplicator.addDelta('', 'thinking', 'Hel')
  expect(deduplicator.addFull('', 'thinking', 'Hello')).toEqual([
    {type: 'thinking-delta', text: 'lo'},
  ])
})

test('a full text that differs from its deltas is emitted in full', () => {
  const deduplicator = createTextDeduplicator()
  expect(deduplicator.addFull('', 'text', 'Hello')).toEqual([{type: 'text', text: 'Hello'}])
  deduplicator.addDelta('', 'text', 'Hel')
  expect(deduplicator.addFull('', 'text', 'Bye')).toEqual([{type: 'text', text: 'Bye'}])
  expect(deduplicator.addFull('', 'text', 'Hello')).toEqual([{type: 'text-delta', text: 'lo'}])
})

test('an empty text emits nothing', () => {
  const deduplicator = createTextDeduplicator()
  expect(deduplicator.addDelta('', 'text', '')).toEqual([])
  expect(deduplicator.addFull('', 'text', '')).toEqual([])
})

test('sources and thinking are kept apart, and a source can be cleared', () => {
  const deduplicator = createTextDeduplicator()
  deduplicator.addDelta('a', 'text', 'same')
  expect(deduplicator.addFull('b', 'text', 'same')).toHaveLength(1)
  expect(deduplicator.addFull('a', 'thinking', 'same')).toHaveLength(1)
  deduplicator.clear('a')
  expect(deduplicator.addFull('a', 'text', 'same')).toHaveLength(1)
})

test('an abandoned block does not affect the next one', () => {
  const deduplicator = createTextDeduplicator()
  deduplicator.startBlock('', 'text')
  deduplicator.addDelta('', 'text', 'left off')
  deduplicator.startBlock('', 'text')
  deduplicator.addDelta('', 'text', 'done')
  expect(deduplicator.addFull('', 'text', 'done')).toEqual([])
})

test('blocks that come as deltas and then in full are emitted once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({minLength: 1}), {minLength: 1})), (blocks) => {
      const deduplicator = createTextDeduplicator()
      let emitted = ''
      for (const deltas of blocks) {
        deduplicator.startBlock('', 'text')
        for (const delta of deltas) emitted += joinTexts(deduplicator.addDelta('', 'text', delta))
        emitted += joinTexts(deduplicator.addFull('', 'text', deltas.join('')))
      }
      expect(emitted).toBe(blocks.flat().join(''))
    }),
  )
})
