import {expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {findBreach, type Breach, type Limits} from './limits.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'
import type {ProcessSigns} from './waiting.ts'

const session = {type: 'session-start', sessionId: 's'}
const text = {type: 'text', text: 'x'}
const bash = {type: 'tool-start', toolId: 'b', name: 'Bash', tool: 'Bash', summary: 'npm test'}
const subAgent = {...bash, toolId: 't', name: 'Task', tool: 'Task', summary: 'Look around'}
const bashEnd = {type: 'tool-end', toolId: 'b', ok: true, output: ''}
const request = {type: 'permission-request', requestId: 'r', toolId: 'b', name: 'Bash', input: {}}
const task = {type: 'task-start', taskId: 'k', description: 'npm run dev'}
const good = {type: 'turn-end', ok: true, text: ''}
const limited = {
  type: 'status',
  status: 'rate-limit',
  detail: 'five_hour',
  until: 500_000,
  isBlocking: true,
}
const compacting = {type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'}
const hook = {type: 'status', status: 'hook', phase: 'start', key: 'h', detail: 'Stop'}
const wakeUp = {type: 'status', status: 'wake-up', phase: 'start', detail: '', until: 60_000}
const retry = {type: 'status', status: 'api-retry', detail: 'busy (429)', until: 22_000}
const all: Limits = {
  timeoutMs: 1,
  silenceMs: 1,
  toolTimeoutMs: 1,
  maxCostUsd: 0.1,
  maxTurns: 0,
  lingerMs: 1,
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
  limits: Limits
  /** How long nothing has come. */
  quietMs?: number
  costUsd?: number
  signs?: ProcessSigns
  breach: Breach | undefined
}

const cases: Case[] = [
  // No limits.
  {
    name: 'no limit is exceeded when there is none',
    events: [session, text],
    limits: {},
    breach: undefined,
  },
  {
    name: 'no limit is exceeded when there is none and the run takes a day',
    events: [session, bash],
    limits: {},
    quietMs: 86_400_000,
    costUsd: 1000,
    breach: undefined,
  },

  // Time.
  {
    name: 'the timeout is not exceeded before its time',
    events: [session, text],
    limits: {timeoutMs: 10_000},
    quietMs: 7999,
    breach: undefined,
  },
  {
    name: 'the timeout is exceeded',
    events: [session, text],
    limits: {timeoutMs: 10_000},
    quietMs: 8000,
    breach: {cause: 'timeout', reason: '10s of 10s'},
  },
  {
    name: 'the timeout is exceeded while a tool runs',
    events: [session, bash],
    limits: {timeoutMs: 10_000},
    quietMs: 9000,
    breach: {cause: 'timeout', reason: '11s of 10s'},
  },
  {
    name: 'the timeout is exceeded before the first event',
    events: [],
    limits: {timeoutMs: 500},
    quietMs: 500,
    breach: {cause: 'timeout', reason: '500ms of 500ms'},
  },
  {
    name: 'the timeout is exceeded while a background task runs',
    events: [session, task, good],
    limits: {timeoutMs: 5000},
    quietMs: 3000,
    breach: {cause: 'timeout', reason: '6.0s of 5.0s'},
  },
  {
    name: 'a timeout after the last turn counts as lingering',
    events: [session, text, good],
    limits: {timeoutMs: 5000},
    quietMs: 3000,
    breach: {cause: 'linger', reason: 'process stayed alive after its last turn'},
  },

  // Lingering.
  {
    name: 'an agent may linger for a while',
    events: [session, text, good],
    limits: {lingerMs: 10_000},
    quietMs: 9999,
    breach: undefined,
  },
  {
    name: 'an agent lingers for too long',
    events: [session, text, good],
    limits: {lingerMs: 10_000},
    quietMs: 10_000,
    breach: {cause: 'linger', reason: 'process stayed alive after its last turn'},
  },
  {
    name: 'an agent with a background task does not linger',
    events: [session, task, good],
    limits: {lingerMs: 10_000},
    quietMs: 60_000,
    breach: undefined,
  },
  {
    name: 'an agent that starts a new turn does not linger',
    events: [session, good, text],
    limits: {lingerMs: 1000},
    quietMs: 5000,
    breach: undefined,
  },
  {
    name: 'a lingering agent is not silent',
    events: [session, text, good],
    limits: {silenceMs: 1000},
    quietMs: 5000,
    breach: undefined,
  },

  // Silence.
  {
    name: 'an agent may be silent for a while',
    events: [session, text],
    limits: {silenceMs: 5000},
    quietMs: 4999,
    breach: undefined,
  },
  {
    name: 'an agent is silent for too long',
    events: [session, text],
    limits: {silenceMs: 5000},
    quietMs: 5000,
    breach: {cause: 'silence', reason: 'silent for 5.0s'},
  },
  {
    name: 'an agent without any output is silent',
    events: [],
    limits: {silenceMs: 500},
    quietMs: 700,
    breach: {cause: 'silence', reason: 'silent for 700ms'},
  },
  {
    name: 'a tool excuses silence',
    events: [session, bash],
    limits: {silenceMs: 5000},
    quietMs: 600_000,
    breach: undefined,
  },
  {
    name: 'a permission request excuses silence',
    events: [session, bash, request],
    limits: {silenceMs: 5000},
    quietMs: 600_000,
    breach: undefined,
  },
  {
    name: 'a background task excuses silence',
    events: [session, task, good],
    limits: {silenceMs: 5000},
    quietMs: 600_000,
    breach: undefined,
  },
  {
    name: 'a blocking rate limit excuses silence',
    events: [session, limited],
    limits: {silenceMs: 5000},
    quietMs: 400_000,
    breach: undefined,
  },
  {
    name: 'a blocking rate limit excuses silence only until it resets',
    events: [session, limited],
    limits: {silenceMs: 5000},
    quietMs: 600_000,
    breach: {cause: 'silence', reason: 'silent for 1m 42s'},
  },
  {
    name: 'a report of the used share does not excuse silence',
    events: [session, {...limited, isBlocking: false, usedShare: 0.8}],
    limits: {silenceMs: 5000},
    quietMs: 6000,
    breach: {cause: 'silence', reason: 'silent for 6.0s'},
  },
  {
    name: 'a retry with a known time excuses silence',
    events: [session, retry],
    limits: {silenceMs: 6000},
    quietMs: 19_000,
    breach: undefined,
  },
  {
    name: 'silence starts when a retry is due',
    events: [session, retry],
    limits: {silenceMs: 6000},
    quietMs: 25_000,
    breach: undefined,
  },
  {
    name: 'a retry that does not happen counts as silence',
    events: [session, retry],
    limits: {silenceMs: 6000},
    quietMs: 26_000,
    breach: {cause: 'silence', reason: 'silent for 6.0s'},
  },
  {
    name: 'a retry without a time does not excuse silence',
    events: [session, {...retry, until: undefined}],
    limits: {silenceMs: 6000},
    quietMs: 7000,
    breach: {cause: 'silence', reason: 'silent for 7.0s'},
  },

  // One tool.
  {
    name: 'a tool may run for a while',
    events: [session, bash],
    limits: {toolTimeoutMs: 5000},
    quietMs: 4999,
    breach: undefined,
  },
  {
    name: 'a tool runs for too long',
    events: [session, bash],
    limits: {toolTimeoutMs: 5000},
    quietMs: 5000,
    breach: {cause: 'tool', reason: 'waiting for tool: Bash 5.0s'},
  },
  {
    name: 'a tool runs for too long while other tools start and end',
    events: [session, bash, {...bash, toolId: 'c', name: 'Read'}, {...bashEnd, toolId: 'c'}],
    limits: {toolTimeoutMs: 5000},
    quietMs: 3000,
    breach: {cause: 'tool', reason: 'waiting for tool: Bash 5.0s'},
  },
  {
    name: 'a sub-agent with recent output does not exceed the limit for a tool',
    events: [session, subAgent, text, text, text, text, text, text],
    limits: {toolTimeoutMs: 5000},
    quietMs: 4000,
    breach: undefined,
  },
  {
    name: 'a sub-agent without output exceeds the limit for a tool',
    events: [session, subAgent, text, text, text],
    limits: {toolTimeoutMs: 5000},
    quietMs: 5000,
    breach: {cause: 'tool', reason: 'waiting for tool: Task 8.0s'},
  },
  {
    name: "a sub-agent's tool runs too long",
    events: [session, subAgent, {...bash, parentToolId: 't'}],
    limits: {toolTimeoutMs: 5000},
    quietMs: 5000,
    breach: {cause: 'tool', reason: 'waiting for tool: Bash 5.0s'},
  },
  {
    name: 'a tool that ended does not exceed its limit',
    events: [session, bash, bashEnd],
    limits: {toolTimeoutMs: 5000},
    quietMs: 60_000,
    breach: undefined,
  },

  // Money.
  {
    name: 'the cost is below its limit',
    events: [session, text],
    limits: {maxCostUsd: 1},
    costUsd: 1,
    breach: undefined,
  },
  {
    name: 'the cost is above its limit',
    events: [session, text],
    limits: {maxCostUsd: 1},
    costUsd: 1.01,
    breach: {cause: 'cost', reason: '$1.01 of $1.00'},
  },
  {
    name: 'the cost is above its limit after the last turn',
    events: [session, text, good],
    limits: {maxCostUsd: 1, lingerMs: 0},
    costUsd: 1.01,
    breach: {cause: 'cost', reason: '$1.01 of $1.00'},
  },
  {
    name: 'an unknown cost does not exceed its limit',
    events: [session, text],
    limits: {maxCostUsd: 0},
    breach: undefined,
  },
  {
    name: 'a limit of 0 is exceeded by any cost',
    events: [session, text],
    limits: {maxCostUsd: 0},
    costUsd: 0.001,
    breach: {cause: 'cost', reason: '$0.0010 of $0.00'},
  },

  // Turns.
  {
    name: 'the turns are below their limit',
    events: [session, bash, bashEnd, text],
    limits: {maxTurns: 2},
    breach: undefined,
  },
  {
    name: 'the turns are above their limit',
    events: [session, bash, bashEnd, text],
    limits: {maxTurns: 1},
    breach: {cause: 'turns', reason: '2 turns of 1'},
  },
  {
    name: 'the turns do not matter after the last turn',
    events: [session, bash, bashEnd, text, good],
    limits: {maxTurns: 1},
    breach: undefined,
  },

  // Several at once.
  {
    name: 'of several exceeded limits the cost is reported first',
    events: [session, bash],
    limits: all,
    costUsd: 1,
    breach: {cause: 'cost', reason: '$1.00 of $0.10'},
  },
  {
    name: 'of several exceeded limits the timeout is reported second',
    events: [session, bash],
    limits: all,
    breach: {cause: 'timeout', reason: '3.0s of 1ms'},
  },
  {
    name: 'of several exceeded limits the turns are reported third',
    events: [session, bash],
    limits: {...all, timeoutMs: undefined},
    breach: {cause: 'turns', reason: '1 turns of 0'},
  },
  {
    name: 'of several exceeded limits the tool is reported fourth',
    events: [session, bash],
    limits: {...all, timeoutMs: undefined, maxTurns: undefined},
    breach: {cause: 'tool', reason: 'waiting for tool: Bash 1.0s'},
  },
  {
    name: 'of several exceeded limits silence is reported last',
    events: [session, text],
    limits: {...all, timeoutMs: undefined, maxTurns: undefined},
    breach: {cause: 'silence', reason: 'silent for 1.0s'},
  },
]

test.each(cases)('$name', check)

test.each<Case>([
  {
    name: 'lingering starts when a background task ends',
    events: [session, task, good, {...task, type: 'task-end'}],
    limits: {lingerMs: 10_000},
    quietMs: 9000,
    breach: undefined,
  },
  {
    name: 'an agent that planned a wake-up does not linger before it',
    events: [session, wakeUp, good],
    limits: {lingerMs: 10_000, silenceMs: 10_000},
    quietMs: 56_999,
    breach: undefined,
  },
  {
    name: 'an agent lingers when its wake-up is overdue',
    events: [session, wakeUp, good],
    limits: {lingerMs: 10_000},
    quietMs: 67_000,
    breach: {cause: 'linger', reason: 'process stayed alive after its last turn'},
  },
  {
    name: 'an agent that compacts after a turn does not linger',
    events: [session, good, compacting],
    limits: {lingerMs: 10_000},
    quietMs: 20_000,
    breach: undefined,
  },
  {
    name: 'an agent that compacts without end is silent',
    events: [session, good, compacting],
    limits: {silenceMs: 10_000},
    quietMs: 20_000,
    breach: {cause: 'silence', reason: 'silent for 20s'},
  },
  {
    name: 'an agent with a hook after its turn does not linger',
    events: [session, good, hook],
    limits: {lingerMs: 10_000, silenceMs: 10_000},
    quietMs: 20_000,
    breach: undefined,
  },
  {
    name: 'an agent with a command after its last turn does not linger',
    events: [session, good],
    limits: {lingerMs: 10_000, silenceMs: 30_000},
    signs: {command: './report'},
    quietMs: 29_999,
    breach: undefined,
  },
  {
    name: 'a command after the last turn that exceeds the silence limit counts as lingering',
    events: [session, good],
    limits: {lingerMs: 10_000, silenceMs: 30_000},
    signs: {command: './report'},
    quietMs: 30_000,
    breach: {cause: 'linger', reason: 'process stayed alive after its last turn'},
  },
  {
    name: 'the timeout is exceeded while a command runs after the last turn',
    events: [session, good],
    limits: {timeoutMs: 5000},
    signs: {command: './report'},
    quietMs: 3000,
    breach: {cause: 'timeout', reason: '5.0s of 5.0s'},
  },
  {
    name: 'an agent with unanswered messages does not linger',
    events: [session, good],
    limits: {lingerMs: 10_000},
    signs: {messageCount: 2},
    quietMs: 20_000,
    breach: undefined,
  },
  {
    name: 'a suspended agent is stuck, although a tool is open',
    events: [session, bash],
    limits: {silenceMs: 5000, toolTimeoutMs: 5000},
    signs: {suspendedAt: 3000},
    quietMs: 6000,
    breach: {cause: 'silence', reason: 'suspended (SIGSTOP) for 5.0s'},
  },
  {
    name: 'a suspended agent is not stuck at once',
    events: [session, bash],
    limits: {silenceMs: 5000},
    signs: {suspendedAt: 6000},
    quietMs: 8000,
    breach: undefined,
  },
])('$name', check)

function check({events, limits, quietMs = 1000, costUsd, signs, breach}: Case): void {
  const lastOutputAt = events.length * 1000
  const clock = {now: lastOutputAt + quietMs, startedAt: 0, lastOutputAt, costUsd, signs}
  expect(findBreach(stateAfter(events), limits, clock)).toEqual(breach)
}

test.each([
  ['Mcp', 'mcp__db__query', 'mcp__db__query'],
  ['Other', 'Deploy', 'Deploy'],
  ['Bash', 'run_shell_command', 'Bash'],
])('a late tool of kind %s named %s is reported as %s', (tool, name, word) => {
  const state = stateAfter([session, {...bash, tool, name}])
  const clock = {now: 12_000, startedAt: 0, lastOutputAt: 2000}
  expect(findBreach(state, {toolTimeoutMs: 10_000}, clock)).toEqual({
    cause: 'tool',
    reason: `waiting for tool: ${word} 10s`,
  })
})
