import {expect, test} from 'vitest'
import type {AgentEvent} from './events.ts'
import {initialRunState, reduceRunState} from './run-state.ts'
import {judgeStream} from './verdict.ts'

const good = {type: 'turn-end', ok: true, text: ''}
const bad = {type: 'turn-end', ok: false, text: '', errors: ['API Error: 529']}
const task = {type: 'task-start', taskId: 'a', description: 'npm test'}
const stop = {type: 'status', status: 'interrupted', detail: ''}
const text = {type: 'text', text: 'x'}
const cut = {type: 'malformed', raw: '{"type":'}

test.each([
  ['a turn that ended well', [text, good], 'succeeded', 'the last turn ended well'],
  ['a turn that failed', [text, bad], 'failed', 'API Error: 529'],
  ['a failure without a reason', [{...bad, errors: undefined}], 'failed', 'the turn failed'],
  ['a failure before the last turn', [bad, text, good], 'succeeded', 'the last turn ended well'],
  ['nothing', [], 'truncated', 'no turn end'],
  ['a run without an end', [text], 'truncated', 'no turn end'],
  ['a second turn without an end', [good, text], 'truncated', 'stops in the middle of a turn'],
  ['work in the background', [task, good], 'truncated', 'still in the background: npm test'],
  [
    'work that is done',
    [task, good, {...task, type: 'task-end'}],
    'succeeded',
    'the last turn ended well',
  ],
  ['half a line at the end', [text, good, cut], 'truncated', 'the last line is cut off'],
  ['half a line before the end', [cut, text, good], 'succeeded', 'the last turn ended well'],
  ['an interruption', [text, stop], 'stopped', 'interrupted'],
  ['an interruption that was told', [text, stop, bad], 'stopped', 'interrupted'],
  [
    'an interruption that came to nothing',
    [text, stop, good],
    'succeeded',
    'the last turn ended well',
  ],
])('%s', (_, events, verdict, reason) => {
  const state = events.reduce(
    (before, event, index) =>
      reduceRunState(before, {line: index + 1, at: 1, agent: 'a', ...event} as AgentEvent),
    initialRunState,
  )
  expect(judgeStream(state)).toEqual({verdict, reason})
})
