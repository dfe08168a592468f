import {expect, test} from 'vitest'
import {findAnswerFlaw, formatAnswers, readQuestions} from './question.ts'

const database = {
  question: 'Which database?',
  header: 'Database',
  multiSelect: false,
  options: [{label: 'SQLite', description: 'One file'}, {label: 'PostgreSQL'}],
}
const checks = {
  question: 'Which checks?',
  header: 'Checks',
  multiSelect: true,
  options: [{label: 'Types'}, {label: 'Lint'}],
}
const name = 'AskUserQuestion'
const both = readQuestions({name, input: {questions: [database, checks]}})

test('reads the questions of AskUserQuestion with their options', () => {
  expect(both).toStrictEqual([
    {
      text: 'Which database?',
      header: 'Database',
      options: [
        {label: 'SQLite', description: 'One file'},
        {label: 'PostgreSQL', description: undefined},
      ],
      isMultiple: false,
    },
    {
      text: 'Which checks?',
      header: 'Checks',
      options: [
        {label: 'Types', description: undefined},
        {label: 'Lint', description: undefined},
      ],
      isMultiple: true,
    },
  ])
})

test('reads a question without options, header and description', () => {
  expect(readQuestions({name, input: {questions: [{question: 'Why?'}]}})).toStrictEqual([
    {text: 'Why?', header: undefined, options: [], isMultiple: false},
  ])
})

test.each([
  ['another tool', {name: 'Bash', input: {questions: [database]}}],
  ['no input', {name, input: null}],
  ['no questions', {name, input: {questions: []}}],
  ['questions that are no list', {name, input: {questions: 'Why?'}}],
  ['a question that is no object', {name, input: {questions: [database, 'Why?']}}],
  ['a question without text', {name, input: {questions: [database, {header: 'Why'}]}}],
])('reads no question from %s', (_, request) => {
  expect(readQuestions(request)).toStrictEqual([])
})

test.each([[[['SQLite'], ['Types', 'Lint']]], [[['something else'], ['Types']]]])(
  'accepts the answers %j',
  (answers) => {
    expect(findAnswerFlaw(both, answers)).toBeUndefined()
  },
)

test.each([
  [undefined, 'expected 2 in answers, got none'],
  [[['SQLite']], 'expected 2 in answers, got 1'],
  [[['SQLite'], []], 'answers[1]: expected at least one text'],
  [[['SQLite'], [' ']], 'answers[1]: expected at least one text'],
  [[['SQLite', 'PostgreSQL'], ['Types']], 'answers[0]: expected one text'],
])('rejects the answers %j', (answers, reason) => {
  expect(findAnswerFlaw(both, answers)).toContain(reason)
})

test('rejects answers to a request for a permission', () => {
  expect(findAnswerFlaw([], undefined)).toBeUndefined()
  expect(findAnswerFlaw([], [['yes']])).toContain('asks for a permission')
})

test('formats answers with the header of their question, or its text', () => {
  const [first] = both
  const plain = {text: 'Why?', options: [], isMultiple: false}
  expect(first && formatAnswers([first, plain], [['SQLite'], ['So']])).toBe(
    'Database: SQLite; Why?: So',
  )
})
