import {expect, test} from 'vitest'
import {cline} from './index.ts'

const ts = '2026-11-15T02:42:27.221Z'

test.each([
  ['a hook', {ts, type: 'hook_event', hookEventName: 'agent_start', agentId: 'a', taskId: 't'}, 2],
  ['what the agent does', {ts, type: 'agent_event', event: {type: 'iteration_start'}}, 2],
  ['what the agent does in a way not known yet', {ts, type: 'agent_event', event: {type: 'x'}}, 2],
  ['what a team does', {ts, type: 'team_event', event: {type: 'run_started'}}, 2],
  ['a result', {ts, type: 'run_result', finishReason: 'completed'}, 2],
  ['an error, which anybody may print', {ts, type: 'error', message: 'no'}, 1],
  ['a hook without a name', {ts, type: 'hook_event'}, 0],
  ['an event without an event', {ts, type: 'agent_event', event: 'x'}, 0],
  ['a type that is not known', {ts, type: 'session'}, 0],
  ['no type', {ts, message: 'started'}, 0],
  ['a line without a time', {type: 'run_result', finishReason: 'completed'}, 0],
  ['a line with a time in numbers', {ts: 1794709287997, type: 'hook_event', hookEventName: 'x'}, 0],
])('detects a line of Cline: %s', (_, record, sureness) => {
  expect(cline.detect(record)).toBe(sureness)
})

test.each([
  [['do it'], ['--json']],
  [['--auto-approve', 'true', 'do it'], ['--json']],
  [['--json', 'do it'], []],
  [['--', '--json'], ['--json']],
])('adds only missing flags to %j', (args, flags) => {
  expect(cline.flags(args)).toEqual(flags)
})
