import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Draft} from './adapter.ts'
import {createSpeechFolder} from './deduplicate-text.ts'

function spoken(drafts: Draft[]): string {
  return drafts.map((draft) => ('text' in draft ? draft.text : '')).join('')
}

test('a whole text after its pieces says nothing new', () => {
  const folder = createSpeechFolder()
  folder.start('', 'text')
  expect(folder.piece('', 'text', 'Hel', {messageId: 'm'})).toEqual([
    {type: 'text-delta', text: 'Hel', messageId: 'm'},
  ])
  folder.piece('', 'text', 'lo')
  expect(folder.whole('', 'text', 'Hello')).toEqual([])
})

test('a whole text that goes on gives the rest', () => {
  const folder = createSpeechFolder()
  folder.piece('', 'thinking', 'Hel')
  expect(folder.whole('', 'thinking', 'Hello')).toEqual([{type: 'thinking-delta', text: 'lo'}])
})

test('a whole text of its own is given whole', () => {
  const folder = createSpeechFolder()
  expect(folder.whole('', 'text', 'Hello')).toEqual([{type: 'text', text: 'Hello'}])
  folder.piece('', 'text', 'Hel')
  expect(folder.whole('', 'text', 'Bye')).toEqual([{type: 'text', text: 'Bye'}])
  expect(folder.whole('', 'text', 'Hello')).toEqual([{type: 'text-delta', text: 'lo'}])
})

test('nothing is said with nothing', () => {
  const folder = createSpeechFolder()
  expect(folder.piece('', 'text', '')).toEqual([])
  expect(folder.whole('', 'text', '')).toEqual([])
})

test('speakers and thoughts do not mix, and can be forgotten', () => {
  const folder = createSpeechFolder()
  folder.piece('a', 'text', 'same')
  expect(folder.whole('b', 'text', 'same')).toHaveLength(1)
  expect(folder.whole('a', 'thinking', 'same')).toHaveLength(1)
  folder.forget('a')
  expect(folder.whole('a', 'text', 'same')).toHaveLength(1)
})

test('a block that was left off does not keep the next from being folded', () => {
  const folder = createSpeechFolder()
  folder.start('', 'text')
  folder.piece('', 'text', 'left off')
  folder.start('', 'text')
  folder.piece('', 'text', 'done')
  expect(folder.whole('', 'text', 'done')).toEqual([])
})

test('blocks in pieces and then whole are said once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({minLength: 1}), {minLength: 1})), (blocks) => {
      const folder = createSpeechFolder()
      let said = ''
      for (const pieces of blocks) {
        folder.start('', 'text')
        for (const piece of pieces) said += spoken(folder.piece('', 'text', piece))
        said += spoken(folder.whole('', 'text', pieces.join('')))
      }
      expect(said).toBe(blocks.flat().join(''))
    }),
  )
})
