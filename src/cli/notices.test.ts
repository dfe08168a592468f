import {expect, test} from 'vitest'
import type {Answer} from '../runner/permission-broker.ts'
import {describeAnswer} from './notices.ts'

const asked: Answer = {
  request: {
    type: 'permission-request',
    at: 0,
    line: 1,
    agent: 'claude',
    requestId: 'request-1',
    name: 'Bash',
    input: {command: 'mkdir a'},
  },
  decision: {allow: true},
  who: 'dashboard',
  waitedMs: 500,
}

test('an answer with a rule is for the whole run, wherever it comes from', () => {
  expect(describeAnswer('claude', asked).scope).toBe('once')
  const rule = 'Bash(mkdir *)'
  expect(describeAnswer('claude', {...asked, rule}).scope).toBe('run')
  expect(describeAnswer('claude', {...asked, rule, who: 'you'}).scope).toBe('run')
  expect(describeAnswer('claude', {...asked, rule, who: 'rule'}).scope).toBe('once')
})

test('an answer that changes the input shows what was allowed', () => {
  const decision = {allow: true, input: {command: 'mkdir b'}} as const
  expect(describeAnswer('claude', {...asked, decision}).input).toEqual({command: 'mkdir b'})
  expect(describeAnswer('claude', asked).input).toEqual({command: 'mkdir a'})
})
