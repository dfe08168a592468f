import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'
import {
  exitCodeOf,
  judgeRun,
  judgeStream,
  type ProcessFacts,
  type StopCause,
  type VerdictKind,
} from './verdict.ts'

const good = {type: 'turn-end', ok: true, text: ''}
const bad = {type: 'turn-end', ok: false, text: '', errors: ['API Error: 529']}
const task = {type: 'task-start', taskId: 'a', description: 'npm test'}
const stop = {type: 'status', status: 'interrupted', detail: ''}
const text = {type: 'text', text: 'x'}
const halted = {...good, stopped: 'stopped by a hook: enough'}
const compacting = {type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'}
const cut = {type: 'malformed', raw: '{"type":'}

test.each([
  ['a turn without errors', [text, good], 'succeeded', 'Last turn completed without errors'],
  ['a turn that failed', [text, bad], 'failed', 'API Error: 529'],
  ['a failure without a reason', [{...bad, errors: undefined}], 'failed', 'the turn failed'],
  [
    'a failure before the last turn',
    [bad, text, good],
    'succeeded',
    'Last turn completed without errors',
  ],
  ['nothing', [], 'truncated', 'no turn end'],
  ['a run without an end', [text], 'truncated', 'no turn end'],
  [
    'a second turn without an end',
    [good, text],
    'truncated',
    'output stops in the middle of a turn',
  ],
  ['work in the background', [task, good], 'truncated', 'background task still running: npm test'],
  [
    'work that is done',
    [task, good, {...task, type: 'task-end'}],
    'succeeded',
    'Last turn completed without errors',
  ],
  ['half a line at the end', [text, good, cut], 'truncated', 'the last line is incomplete'],
  [
    'half a line before the end',
    [cut, text, good],
    'succeeded',
    'Last turn completed without errors',
  ],
  ['an interruption', [text, stop], 'stopped', 'interrupted'],
  ['an interruption that was told', [text, stop, bad], 'stopped', 'interrupted'],
  [
    'an interruption that came to nothing',
    [text, stop, good],
    'succeeded',
    'Last turn completed without errors',
  ],
  ['a turn that a hook stopped', [text, halted], 'stopped', 'stopped by a hook: enough'],
  [
    'a turn after one that a hook stopped',
    [halted, good],
    'succeeded',
    'Last turn completed without errors',
  ],
  [
    'a stream that ends while the conversation is compacted',
    [text, good, compacting],
    'truncated',
    'output stops during a compaction',
  ],
  [
    'a compaction after the turn that is complete',
    [text, good, compacting, {...compacting, phase: 'end'}],
    'succeeded',
    'Last turn completed without errors',
  ],
])('judgeStream judges %s', (_, events, verdict, reason) => {
  expect(judgeStream(stateAfter(events))).toEqual({verdict, reason})
})

function stateAfter(events: readonly object[]): RunState {
  return events.reduce<RunState>(
    (before, event, index) =>
      reduceRunState(before, {line: index + 1, at: 1, agent: 'a', ...event} as AgentEvent),
    initialRunState,
  )
}

describe('a run is judged by its stream and by its process', () => {
  const ended: ProcessFacts = {exitCode: 0, signal: null}
  const done = [text, good]
  const half = [text]

  interface Case {
    name: string
    events: object[]
    facts: Partial<ProcessFacts>
    verdict: VerdictKind
    reason: string
  }

  const cases: Case[] = [
    // The process agrees with the stream.
    {
      name: 'a success and exit code 0',
      events: done,
      facts: {},
      verdict: 'succeeded',
      reason: 'Last turn completed without errors',
    },
    {
      name: 'a success with an unobserved exit',
      events: done,
      facts: {exitCode: null},
      verdict: 'succeeded',
      reason: 'Last turn completed without errors',
    },
    {
      name: 'exit code 0 without a turn end',
      events: half,
      facts: {},
      verdict: 'truncated',
      reason: 'no turn end',
    },
    {
      name: 'exit code 0 without any output',
      events: [],
      facts: {},
      verdict: 'truncated',
      reason: 'no turn end',
    },
    {
      name: 'exit code 0 with a background task',
      events: [task, good],
      facts: {},
      verdict: 'truncated',
      reason: 'background task still running: npm test',
    },
    // The stream failed, whatever the exit of the process.
    {
      name: 'a failure and exit code 0',
      events: [text, bad],
      facts: {},
      verdict: 'failed',
      reason: 'API Error: 529',
    },
    {
      name: 'a failure and exit code 1',
      events: [text, bad],
      facts: {exitCode: 1, lastError: 'bye'},
      verdict: 'failed',
      reason: 'API Error: 529',
    },
    {
      name: 'a failure and a signal',
      events: [text, bad],
      facts: {exitCode: null, signal: 'SIGKILL'},
      verdict: 'failed',
      reason: 'API Error: 529',
    },
    {
      name: 'an incomplete last line and exit code 0',
      events: [text, good, cut],
      facts: {},
      verdict: 'truncated',
      reason: 'the last line is incomplete',
    },
    {
      name: 'an incomplete last line and exit code 1',
      events: [text, cut],
      facts: {exitCode: 1},
      verdict: 'truncated',
      reason: 'the last line is incomplete',
    },
    {
      name: 'an incomplete last line and a signal',
      events: [text, cut],
      facts: {exitCode: null, signal: 'SIGKILL'},
      verdict: 'truncated',
      reason: 'the last line is incomplete',
    },
    // Signals.
    {
      name: 'SIGTERM',
      events: half,
      facts: {exitCode: null, signal: 'SIGTERM'},
      verdict: 'stopped',
      reason: 'ended (SIGTERM)',
    },
    {
      name: 'SIGINT',
      events: half,
      facts: {exitCode: null, signal: 'SIGINT'},
      verdict: 'stopped',
      reason: 'interrupted (SIGINT)',
    },
    {
      name: 'SIGKILL',
      events: half,
      facts: {exitCode: null, signal: 'SIGKILL'},
      verdict: 'stopped',
      reason: 'killed (SIGKILL)',
    },
    {
      name: 'a signal before the first event',
      events: [],
      facts: {exitCode: null, signal: 'SIGHUP'},
      verdict: 'stopped',
      reason: 'ended (SIGHUP)',
    },
    {
      name: 'a signal after a success',
      events: done,
      facts: {exitCode: null, signal: 'SIGTERM'},
      verdict: 'stopped',
      reason: 'ended (SIGTERM), after a turn without errors',
    },
    {
      name: 'a crash',
      events: half,
      facts: {exitCode: null, signal: 'SIGSEGV'},
      verdict: 'failed',
      reason: 'crashed (SIGSEGV)',
    },
    {
      name: 'a crash after a success',
      events: done,
      facts: {exitCode: null, signal: 'SIGABRT'},
      verdict: 'failed',
      reason: 'crashed (SIGABRT)',
    },
    ...(
      [
        [129, 'ended (SIGHUP)'],
        [130, 'interrupted (SIGINT)'],
        [137, 'killed (SIGKILL)'],
        [143, 'ended (SIGTERM)'],
      ] as const
    ).map(([exitCode, reason]): Case => {
      const name = `a signal as exit code ${exitCode}`
      return {name, events: half, facts: {exitCode}, verdict: 'stopped', reason}
    }),
    {
      name: 'a signal as exit code that has a meaning for the agent',
      events: half,
      facts: {exitCode: 143, exitCodes: {143: 'ended by SIGTERM'}},
      verdict: 'stopped',
      reason: 'ended (SIGTERM)',
    },
    {
      name: 'a reported interruption and exit code 1',
      events: [text, stop, bad],
      facts: {exitCode: 1},
      verdict: 'stopped',
      reason: 'interrupted',
    },
    // Exit codes.
    {
      name: 'exit code 1 after a success',
      events: done,
      facts: {exitCode: 1, lastError: 'bye'},
      verdict: 'failed',
      reason: 'exit code 1 after a turn without errors',
    },
    {
      name: 'an ignored exit code after a success',
      events: done,
      facts: {exitCode: 1, ignoredExitCodes: [1]},
      verdict: 'succeeded',
      reason: 'Last turn completed without errors',
    },
    {
      name: 'an ignored exit code without a success',
      events: half,
      facts: {exitCode: 1, ignoredExitCodes: [1]},
      verdict: 'failed',
      reason: 'exit code 1',
    },
    {
      name: 'an exit code with a meaning',
      events: [],
      facts: {exitCode: 55, exitCodes: {55: 'the folder is not trusted'}, lastError: 'bye'},
      verdict: 'failed',
      reason: 'the folder is not trusted: bye',
    },
    {
      name: 'an exit code after a line on stderr',
      events: [],
      facts: {exitCode: 1, exitCodes: {2: 'wrong arguments'}, lastError: 'no \u001b[1mlogin\nmore'},
      verdict: 'failed',
      reason: 'no \\x1b[1mlogin',
    },
    {
      name: 'an exit code and nothing else',
      events: [],
      facts: {exitCode: 3, lastError: ''},
      verdict: 'failed',
      reason: 'exit code 3',
    },
    {
      name: 'an exit code with a background task',
      events: [task, good],
      facts: {exitCode: 1},
      verdict: 'failed',
      reason: 'exit code 1',
    },
    // A stream without a parser.
    {
      name: 'an unknown program with exit code 0',
      events: [],
      facts: {isUnknownAgent: true},
      verdict: 'succeeded',
      reason: 'exit code 0',
    },
    {
      name: 'an unknown program with exit code 1',
      events: [],
      facts: {isUnknownAgent: true, exitCode: 1, lastError: 'no such file'},
      verdict: 'failed',
      reason: 'no such file',
    },
    {
      name: 'an unknown program with exit code 1 and no output',
      events: [],
      facts: {isUnknownAgent: true, exitCode: 1},
      verdict: 'failed',
      reason: 'exit code 1',
    },
    {
      name: 'an unknown program and a signal',
      events: [],
      facts: {isUnknownAgent: true, exitCode: null, signal: 'SIGTERM'},
      verdict: 'stopped',
      reason: 'ended (SIGTERM)',
    },
    {
      name: 'an unknown program with an unobserved exit',
      events: [],
      facts: {isUnknownAgent: true, exitCode: null},
      verdict: 'truncated',
      reason: 'exit status unknown',
    },
    // Runs that were stopped only for lingering.
    {
      name: 'lingering after a success',
      events: done,
      facts: {exitCode: null, signal: 'SIGKILL', stop: {cause: 'linger', reason: 'lingered'}},
      verdict: 'succeeded',
      reason: 'Last turn completed without errors',
    },
    {
      name: 'lingering after a failure',
      events: [text, bad],
      facts: {exitCode: 143, stop: {cause: 'linger', reason: 'lingered'}},
      verdict: 'failed',
      reason: 'API Error: 529',
    },
  ]

  test.each(cases)('judges $name', ({events, facts, verdict, reason}) => {
    expect(judgeRun(stateAfter(events), {...ended, ...facts})).toEqual({verdict, reason})
  })

  const causes: [StopCause, VerdictKind][] = [
    ['user', 'stopped'],
    ['timeout', 'timed-out'],
    ['cost', 'over-budget'],
    ['turns', 'over-budget'],
    ['silence', 'stuck'],
    ['tool', 'stuck'],
  ]

  test.each(causes)(
    'a stop by cause %s is judged %s, regardless of other facts',
    (cause, verdict) => {
      const stopFacts = {stop: {cause, reason: 'so it is'}}
      for (const events of [[], done, half, [text, bad], [text, cut], [text, stop, bad]]) {
        for (const facts of [{}, {exitCode: 1}, {exitCode: null, signal: 'SIGKILL'}]) {
          const judged = judgeRun(stateAfter(events), {...ended, ...facts, ...stopFacts})
          expect(judged).toEqual({verdict, reason: 'so it is'})
        }
      }
    },
  )
})

test('each verdict has an exit code', () => {
  const kinds: VerdictKind[] = [
    'succeeded',
    'failed',
    'truncated',
    'timed-out',
    'over-budget',
    'stuck',
    'stopped',
  ]
  expect(kinds.map(exitCodeOf)).toEqual([0, 1, 1, 124, 125, 125, 130])
})
