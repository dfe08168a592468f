import {expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'
import {explainWaiting, isExcused, type ProcessSigns, type Waiting} from './waiting.ts'

const session = {type: 'session-start', sessionId: 's'}
const text = {type: 'text', text: 'x'}
const thinking = {type: 'thinking', text: 'hm'}
const bash = {type: 'tool-start', toolId: 'b', name: 'Bash', tool: 'Bash', summary: 'npm test'}
const bare = {...bash, toolId: 'x', name: 'Mystery', tool: 'Other', summary: ''}
const agent = {...bash, toolId: 't', name: 'Task', tool: 'Task', summary: 'Look around'}
const bashEnd = {type: 'tool-end', toolId: 'b', ok: true, output: ''}
const request = {type: 'permission-request', requestId: 'r', toolId: 'b', name: 'Bash', input: {}}
const task = {type: 'task-start', taskId: 'k', description: 'npm run dev'}
const good = {type: 'turn-end', ok: true, text: ''}
const retry = {type: 'status', status: 'api-retry', detail: '529', attempt: 3, of: 10, until: 9000}
const limited = {
  type: 'status',
  status: 'rate-limit',
  detail: 'five_hour',
  until: 500_000,
  isBlocking: true,
}
const used = {...limited, isBlocking: false, usedShare: 0.8}
const compacting = {type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'}
const compacted = {...compacting, phase: 'end', detail: 'compacted: 100k to 10k tokens'}
const hook = {type: 'status', status: 'hook', phase: 'start', key: 'h', detail: 'Stop'}
const hookEnd = {...hook, phase: 'end', detail: 'Stop success'}
const wakeUp = {
  type: 'status',
  status: 'wake-up',
  phase: 'start',
  key: 'loop',
  detail: 'check the build',
  until: 60_000,
}

/** The events come at 1000, 2000 and so on. */
function stateAfter(events: readonly object[]): RunState {
  return events.reduce<RunState>(
    (state, event, index) =>
      reduceRunState(state, {
        line: index + 1,
        at: (index + 1) * 1000,
        agent: 'a',
        ...event,
      } as AgentEvent),
    initialRunState,
  )
}

interface Case {
  name: string
  events: object[]
  /** How long nothing has come. */
  quietMs?: number
  signs?: ProcessSigns
  waiting: Waiting
  excused: boolean
}

const cases: Case[] = [
  {
    name: 'an interactive session without a prompt for an hour',
    events: [{...session, isIdle: true}],
    quietMs: 3_600_000,
    waiting: {why: 'idle', detail: '', since: 1000},
    excused: true,
  },
  {
    name: 'an interactive session after a turn',
    events: [{...session, isIdle: false}, good],
    waiting: {why: 'idle', detail: '', since: 2000},
    excused: true,
  },
  {
    name: 'the first event',
    events: [],
    waiting: {why: 'starting', detail: '', since: 0},
    excused: false,
  },
  {
    name: 'the first event for a minute',
    events: [],
    quietMs: 60_000,
    waiting: {why: 'silent', detail: '', since: 0},
    excused: false,
  },
  {
    name: 'text of the model',
    events: [session, text],
    waiting: {why: 'writing', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'output for a minute after text of the model',
    events: [session, text],
    quietMs: 60_000,
    waiting: {why: 'silent', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'thinking',
    events: [session, thinking],
    waiting: {why: 'thinking', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'thinking that takes minutes',
    events: [session, thinking],
    quietMs: 600_000,
    waiting: {why: 'thinking', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'a tool',
    events: [session, bash],
    waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: 2000},
    excused: true,
  },
  {
    name: 'a tool that takes minutes',
    events: [session, bash],
    quietMs: 600_000,
    waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: 2000},
    excused: true,
  },
  {
    name: 'a tool whose input is unknown',
    events: [session, bare],
    waiting: {why: 'waiting-for-tool', detail: 'Mystery', since: 2000},
    excused: true,
  },
  {
    name: 'a sub-agent',
    events: [session, agent],
    waiting: {why: 'waiting-for-tool', detail: 'Task: Look around', since: 2000},
    excused: true,
  },
  {
    name: 'the tool of a sub-agent, before the sub-agent',
    events: [session, agent, {...bash, parentToolId: 't'}],
    waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: 3000},
    excused: true,
  },
  {
    name: 'the first of two tools',
    events: [session, bash, bare],
    waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: 2000},
    excused: true,
  },
  {
    name: 'the model, after a tool',
    events: [session, bash, bashEnd],
    waiting: {why: 'thinking', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'a permission, before the tool it is for',
    events: [session, bash, request],
    waiting: {why: 'waiting-for-permission', detail: 'Bash', since: 3000},
    excused: true,
  },
  {
    name: 'a tool, once it was permitted and is done',
    events: [session, bash, request, bashEnd],
    waiting: {why: 'thinking', detail: '', since: 4000},
    excused: false,
  },
  {
    name: 'the end of the process',
    events: [session, text, good],
    waiting: {why: 'lingering', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'the end of the process for an hour',
    events: [session, text, good],
    quietMs: 3_600_000,
    waiting: {why: 'lingering', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'a background task',
    events: [session, task, good],
    waiting: {why: 'background', detail: 'npm run dev', since: 2000},
    excused: true,
  },
  {
    name: 'the next attempt',
    events: [session, retry],
    waiting: {why: 'api-retry', detail: '529', since: 2000, until: 9000, attempt: 3, of: 10},
    excused: true,
  },
  {
    name: 'the end of a rate limit',
    events: [session, limited],
    waiting: {why: 'rate-limited', detail: 'five_hour', since: 2000, until: 500_000},
    excused: true,
  },
  {
    name: 'the model, after a rate limit ended',
    events: [session, {...limited, until: 2500}],
    waiting: {why: 'thinking', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'the model, after a report of the used share',
    events: [session, used],
    waiting: {why: 'thinking', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'a compaction',
    events: [session, compacting],
    waiting: {why: 'compacting', detail: '', since: 2000},
    excused: false,
  },
  {
    name: 'the model, after a compaction',
    events: [session, compacting, compacted],
    waiting: {why: 'thinking', detail: '', since: 3000},
    excused: false,
  },
]

test.each(cases)('a run waits for: $name', check)

test.each<Case>([
  {
    name: 'the model, once there is a session',
    events: [session],
    waiting: {why: 'thinking', detail: '', since: 1000},
    excused: false,
  },
  {
    name: 'the end of the process, after a background task ended',
    events: [session, task, good, {...task, type: 'task-end'}],
    waiting: {why: 'lingering', detail: '', since: 4000},
    excused: false,
  },
  {
    name: 'a compaction after a turn',
    events: [session, text, good, compacting],
    waiting: {why: 'compacting', detail: '', since: 4000},
    excused: false,
  },
  {
    name: 'the end of the process, after a compaction after a turn',
    events: [session, text, good, compacting, compacted],
    waiting: {why: 'lingering', detail: '', since: 5000},
    excused: false,
  },
  {
    name: 'a hook in a turn',
    events: [session, text, hook],
    waiting: {why: 'hook', detail: 'Stop', since: 3000},
    excused: true,
  },
  {
    name: 'the first of two running hooks',
    events: [session, text, hook, {...hook, key: 'i', detail: 'Other'}, hookEnd],
    waiting: {why: 'hook', detail: 'Other', since: 4000},
    excused: true,
  },
  {
    name: 'the model, after a hook',
    events: [session, hook, hookEnd],
    waiting: {why: 'thinking', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'the turn, not a hook that runs in parallel',
    events: [session, hook, text],
    waiting: {why: 'writing', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'a hook after the turn',
    events: [session, good, hook],
    waiting: {why: 'hook', detail: 'Stop', since: 3000},
    excused: true,
  },
  {
    name: 'the next wake-up',
    events: [session, {...wakeUp, key: 'later', until: 90_000}, wakeUp, good],
    waiting: {why: 'scheduled', detail: 'check the build', since: 4000, until: 60_000},
    excused: true,
  },
  {
    name: 'the end of the process, after a wake-up did not happen when due',
    events: [session, wakeUp, good],
    quietMs: 60_000,
    waiting: {why: 'lingering', detail: '', since: 60_000},
    excused: false,
  },
  {
    name: 'the end of the process, after a wake-up was cancelled',
    events: [session, wakeUp, {...wakeUp, phase: 'end'}, good],
    waiting: {why: 'lingering', detail: '', since: 4000},
    excused: false,
  },
  {
    name: 'answers to messages on stdin',
    events: [session, text, good],
    signs: {messageCount: 3},
    waiting: {why: 'queued-input', detail: '1 of 3 messages answered', since: 3000},
    excused: false,
  },
  {
    name: 'the end of the process, after all messages were answered',
    events: [session, text, good],
    signs: {messageCount: 1},
    waiting: {why: 'lingering', detail: '', since: 3000},
    excused: false,
  },
  {
    name: 'a command that was started after the last turn',
    events: [session, text, good],
    signs: {command: 'sh -c ./report'},
    waiting: {why: 'finishing', detail: 'sh -c ./report', since: 3000},
    excused: false,
  },
  {
    name: 'the end of the process, after such a command was last seen',
    events: [session, text, good],
    signs: {commandSeenAt: 3900},
    waiting: {why: 'lingering', detail: '', since: 3900},
    excused: false,
  },
  {
    name: 'SIGCONT, although a tool is open',
    events: [session, bash],
    signs: {suspendedAt: 2500},
    waiting: {why: 'suspended', detail: '', since: 2500},
    excused: false,
  },
])('a run waits for: $name', check)

function check({events, quietMs = 1000, signs, waiting, excused}: Case): void {
  const lastOutputAt = events.length * 1000
  const now = lastOutputAt + quietMs
  const explained = explainWaiting(stateAfter(events), now, lastOutputAt, signs)
  expect(explained).toEqual(waiting)
  expect(isExcused(explained, now)).toBe(excused)
}

test('a rate limit without an end does not excuse silence', () => {
  expect(isExcused({why: 'rate-limited', detail: '', since: 0}, 1)).toBe(false)
})
