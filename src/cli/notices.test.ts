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

test('an answer with a rule applies to the complete run, from the terminal and the dashboard', () => {
  expect(describeAnswer('claude', asked).scope).toBe('once')
  const rule = 'Bash(mkdir *)'
  expect(describeAnswer('claude', {...asked, rule}).scope).toBe('run')
  expect(describeAnswer('claude', {...asked, rule, who: 'you'}).scope).toBe('run')
  expect(describeAnswer('claude', {...asked, rule, who: 'rule'}).scope).toBe('once')
})

test('describes the input that was allowed, not the one that was requested', () => {
  const decision = {allow: true, input: {command: 'mkdir b'}} as const
  expect(describeAnswer('claude', {...asked, decision}).input).toEqual({command: 'mkdir b'})
  expect(describeAnswer('claude', asked).input).toEqual({command: 'mkdir a'})
})
