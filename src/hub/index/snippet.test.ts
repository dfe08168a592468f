import {expect, test} from 'vitest'
import {cutSnippet} from './snippet.ts'
import {parseTerms} from './terms.ts'

function snippet(fields: object, text: string): string {
  return cutSnippet({type: 'x', runId: 'glass', ...fields}, parseTerms(text))
}

test('a snippet is the text around the first match, on one line', () => {
  const content = `${'before '.repeat(20)}the Glass\n\tof the store.ts ${'after '.repeat(40)}`
  const around = snippet({content}, 'glass')
  expect(around).toMatch(/^….{50,60}the Glass of the store\.ts (?:after )+.*…$/)
  expect(around.length).toBeLessThan(210)
  expect(snippet({content: 'short glass'}, 'gla')).toBe('short glass')
})

test('a snippet comes from any field with text', () => {
  const fields = {input: {list: ['nothing', {deep: 'the glass is here'}]}, toolUseId: 'glass'}
  expect(snippet(fields, 'glass')).toBe('the glass is here')
  expect(snippet({path: 'src/hub/index/store.ts'}, 'hub-store')).toBe('src/hub/index/store.ts')
})

test('without an exact match, as with accents, a snippet is the start of the longest text', () => {
  expect(snippet({content: 'un été à la mer', name: 'mer'}, 'ete')).toBe('un été à la mer')
  expect(snippet({}, 'glass')).toBe('')
  expect(cutSnippet(undefined, parseTerms('glass'))).toBe('')
})

test('a snippet contains no terminal control characters', () => {
  expect(snippet({content: 'glass \u001b[31mred'}, 'glass')).toBe('glass \\x1b[31mred')
})
