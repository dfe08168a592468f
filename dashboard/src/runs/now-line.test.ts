import {expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {describeNow, describeUnderState} from './now-line.ts'

test.each<[Partial<RunSummary>, string]>([
  [
    {waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: 0}},
    'bash shell npm test 9 s',
  ],
  [
    {waiting: {why: 'waiting-for-tool', detail: 'shell: ls', since: 0}, pulse: 'mr'},
    'bash shell ls 9 s',
  ],
  [
    {waiting: {why: 'waiting-for-tool', detail: 'mcp__db__query', since: 0}},
    'mcp web mcp__db__query 9 s',
  ],
  [{waiting: {why: 'waiting-for-tool', detail: 'Task: Map it', since: 0}}, 'task agent Map it 9 s'],
  [{waiting: {why: 'waiting-for-tool', detail: 'odd', since: 0}}, 'raw note odd 9 s'],
  [{waiting: {why: 'thinking', detail: '', since: 0}}, 'think think Thinking 9 s'],
  [{waiting: {why: 'writing', detail: '', since: 0}}, 'text think Writing 9 s'],
  [
    {waiting: {why: 'background', detail: 'npm run dev', since: 0}, taskCount: 1},
    'hourglass note Turn ended; 1 background task still runs: npm run dev 9 s',
  ],
  [
    {waiting: {why: 'api-retry', detail: '', since: 0}},
    'retry note The request failed. Waited 9 s so far. ',
  ],
  [
    {waiting: {why: 'compacting', detail: '', since: 0}},
    'compact note Compacting the context, 9 s ',
  ],
  [
    {waiting: {why: 'silent', detail: '', since: 0}, isStuck: true},
    ' note Silent for 9 s. No tool, no retry, no request open. ',
  ],
  [{requests: [{name: 'Bash', askedAt: 0}]}, 'hand note Asks to use Bash '],
  [
    {
      state: 'over',
      verdict: 'succeeded',
      turns: 1,
      toolCount: 12,
      fileCount: 2,
      added: 9,
      removed: 3,
    },
    ' note 1 turn · 12 tools · 2 files +9 −3 ',
  ],
  [{state: 'over', verdict: 'failed', reason: 'exit code 1'}, ' note Failed: exit code 1 '],
])('%# describes the activity of a run', (fields, expected) => {
  const {icon = '', kind, parts, elapsed = ''} = describeNow(makeRun(fields), 9000)
  const text = parts.map((part) => (typeof part === 'string' ? part : part.code)).join('')
  expect(`${icon} ${kind} ${text} ${elapsed}`).toBe(expected)
})

test.each<[Partial<RunSummary>, string]>([
  [{state: 'over', turns: 6, toolCount: 41}, '6 turns · 41 tools'],
  [{state: 'over', turns: 1, isWatched: true}, '1 turn · no files changed'],
  [
    {state: 'over', kind: 'imported', turns: 2, host: 'build-box'},
    '2 turns · imported from build-box',
  ],
  [{turns: 3, writtenAt: 0}, '3 turns'],
  [
    {state: 'idle', writtenAt: 0},
    'The turn ended at 1 Jan 00:00. The agent waits for a prompt in its terminal.',
  ],
])('describes a session with %j', (fields, text) => {
  const {parts, isBad} = describeNow(makeRun({kind: 'session', ...fields}), Date.UTC(2026, 1))
  expect(parts.join('')).toBe(text)
  expect(isBad).toBe(false)
})

test.each<[Partial<RunSummary>, string]>([
  [{waiting: {why: 'waiting-for-tool', detail: 'Bash: ls', since: 0}}, 'plan 1 of 2'],
  [{waiting: {why: 'compacting', detail: '', since: 0}}, '9 s'],
  [{kind: 'session', writtenAt: 5000}, 'written 4 s ago'],
  [{state: 'over'}, ''],
])('has the plan under the state while a run works: %j', (fields, text) => {
  const plan = [
    {text: 'One', status: 'completed' as const},
    {text: 'Two', status: 'in-progress' as const},
  ]
  expect(describeUnderState(makeRun({plan, ...fields}), 9000)).toBe(text)
})
