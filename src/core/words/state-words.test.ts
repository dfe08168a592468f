import {expect, test} from 'vitest'
import {WAITING_KINDS, type WaitingKind} from '../run/waiting.ts'
import {
  describeVerdict,
  describeWaiting,
  formatAttempt,
  STATE_WORDS,
  toStateKind,
} from './state-words.ts'

test('a run that makes progress is working, whatever it waits for', () => {
  const working = WAITING_KINDS.filter((why) => toStateKind(why) === 'working')
  expect(working).toEqual([
    'writing',
    'thinking',
    'waiting-for-tool',
    'hook',
    'background',
    'queued-input',
    'finishing',
    'silent',
  ])
})

test.each<[WaitingKind, string]>([
  ['starting', 'Starting'],
  ['waiting-for-permission', 'Needs you'],
  ['api-retry', 'Retrying'],
  ['rate-limited', 'Rate-limited'],
  ['compacting', 'Compacting'],
  ['scheduled', 'Scheduled'],
  ['idle', 'Idle'],
  ['suspended', 'Suspended'],
  ['lingering', 'Lingering'],
])('the word for a run in the state %s is %s', (why, word) => {
  expect(STATE_WORDS[toStateKind(why)]).toBe(word)
})

test('a verdict is followed by its reason', () => {
  expect(describeVerdict('failed', 'API error 529')).toBe('Failed: API error 529')
  expect(describeVerdict('stopped', 'by you')).toBe('Stopped by you')
  expect(describeVerdict('stopped', 'from the dashboard')).toBe('Stopped from the dashboard')
  expect(describeVerdict('timed-out', '')).toBe('Timed out')
  expect(describeVerdict('succeeded', 'last turn completed')).toBe('Succeeded')
})

test('a wait is followed by its detail', () => {
  expect(describeWaiting({why: 'waiting-for-tool', detail: 'Bash: npm test'})).toBe(
    'waiting for tool: Bash: npm test',
  )
  expect(describeWaiting({why: 'silent', detail: ''})).toBe('silent')
})

test('an attempt has its limit when that is known', () => {
  expect(formatAttempt({attempt: 3, of: 10}, '/')).toBe('3/10')
  expect(formatAttempt({attempt: 3, of: 10}, ' of ')).toBe('3 of 10')
  expect(formatAttempt({attempt: 3}, '/')).toBe('3')
  expect(formatAttempt({}, '/')).toBe('')
})
