import {expect, test} from 'vitest'
import type {UserQuestion} from '../core/events/question.ts'
import {createQuestionDraft} from './question-draft.ts'

const single: UserQuestion = {
  text: 'Which database?',
  options: [{label: 'SQLite'}, {label: 'PostgreSQL'}],
  isMultiple: false,
}
const multiple: UserQuestion = {
  text: 'Which checks?',
  options: [{label: 'Types'}, {label: 'Lint'}, {label: 'Tests'}],
  isMultiple: true,
}

test('a digit answers a question with one answer', () => {
  expect(createQuestionDraft([single]).press('2')).toStrictEqual([['PostgreSQL']])
})

test('digits select and unselect options of a question with several answers, and Enter sends them', () => {
  const draft = createQuestionDraft([multiple])
  for (const key of '1331') expect(draft.press(key)).toBeUndefined()
  expect(draft.press('\r')).toBeUndefined()
  for (const key of '32') expect(draft.press(key)).toBeUndefined()
  expect(draft.press('\r')).toStrictEqual([['Lint', 'Tests']])
})

test('adds other text to the selected options', () => {
  expect(createQuestionDraft([single]).write('DuckDB')).toStrictEqual([['DuckDB']])
  const draft = createQuestionDraft([multiple])
  draft.press('1')
  expect(draft.write('Spelling')).toStrictEqual([['Types', 'Spelling']])
})

test('b returns to the previous question and removes its answer', () => {
  const draft = createQuestionDraft([single, multiple])
  draft.press('b')
  expect(draft.current().index).toBe(0)
  draft.press('1')
  expect(draft.current()).toMatchObject({index: 1, count: 2})
  draft.press('b')
  expect(draft.current().index).toBe(0)
  draft.press('2')
  draft.press('3')
  expect(draft.press('\r')).toStrictEqual([['PostgreSQL'], ['Tests']])
})

test.each(['0', '3', '9', 'a', 'y', '\r', ' '])('the key %j does not answer', (key) => {
  const draft = createQuestionDraft([single])
  expect(draft.press(key)).toBeUndefined()
  expect(draft.current().index).toBe(0)
})
