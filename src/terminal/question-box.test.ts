import fc from 'fast-check'
import stringWidth from 'string-width'
import {expect, test} from 'vitest'
import {initialRunState} from '../core/run/run-state.ts'
import {plain} from './colors.ts'
import {formatQuestion, type ShownQuestion} from './question-box.ts'
import {unicode} from './symbols.ts'

const style = {colors: plain, symbols: unicode, width: 80, hasColor: true}
const now = 1_000_000_000
const status = {
  state: {...initialRunState, status: 'waiting' as const},
  waiting: {
    why: 'waiting-for-permission' as const,
    detail: 'AskUserQuestion',
    since: now - 12_000,
  },
  now,
  startedAt: now - 60_000,
  costUsd: 0.5,
  isEstimate: false,
  maxCostUsd: undefined,
}
const shown: ShownQuestion = {
  question: {
    text: 'Which database should the service use?',
    header: 'Database',
    options: [
      {label: 'SQLite', description: 'One file, no server'},
      {label: 'PostgreSQL', description: 'A server of its own'},
    ],
    isMultiple: false,
  },
  index: 0,
  count: 1,
  chosen: new Set(),
  askedAt: now - 12_000,
  status,
  maxRows: 20,
}

test('shows a question, its options with their descriptions, and the keys', () => {
  expect(formatQuestion(shown, style)).toEqual([
    '────────────────────────────────────────────────────────────────────────────────',
    ' NEEDS YOU  Question, asked 12s ago                               $0.50 · 1m 00s',
    '',
    '  Database: Which database should the service use?',
    '',
    '  [1] SQLite',
    '      One file, no server',
    '  [2] PostgreSQL',
    '      A server of its own',
    '',
    '  [1-2] answer  [o] other answer  [d] do not answer  [D] do not answer, say why',
    '  [x] stop',
  ])
})

test('marks the selected options of a question with several answers', () => {
  const question = {...shown.question, isMultiple: true}
  const rows = formatQuestion({...shown, question, chosen: new Set([1]), index: 1, count: 2}, style)
  expect(rows[1]).toContain('Question 2 of 2')
  expect(rows.slice(5, 9)).toEqual([
    '  [1] ( ) SQLite',
    '          One file, no server',
    '  [2] (x) PostgreSQL',
    '          A server of its own',
  ])
  expect(rows.at(-2)).toContain('[1-2] select  [Enter] send  [o] other answer  [b] back')
})

test('asks for text when the agent offers no options', () => {
  const question = {text: 'What is it called?', options: [], isMultiple: false}
  expect(formatQuestion({...shown, question}, style).slice(3)).toEqual([
    '  What is it called?',
    '',
    '  [o] other answer  [d] do not answer  [D] do not answer, say why  [x] stop',
  ])
})

test('leaves out descriptions that do not fit', () => {
  const rows = formatQuestion({...shown, maxRows: 3}, style)
  expect(rows.slice(5, 7)).toEqual(['  [1] SQLite', '  [2] PostgreSQL'])
})

test('no row is wider than the screen or has a control character', () => {
  const text = fc.string({unit: 'grapheme', maxLength: 300})
  const option = fc.record({label: text, description: text})
  fc.assert(
    fc.property(
      fc.record({text, header: text, options: fc.array(option), isMultiple: fc.boolean()}),
      fc.integer({min: 10, max: 120}),
      fc.integer({min: 1, max: 20}),
      (question, width, maxRows) => {
        const rows = formatQuestion({...shown, question, maxRows}, {...style, width})
        for (const row of rows) {
          expect(stringWidth(row)).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/\p{Cc}/u)
        }
      },
    ),
  )
})
