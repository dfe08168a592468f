import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'
import {pickEnding, summarizeRun, type RunEnding, type RunFindings} from './run-summary.ts'

const events = [
  {type: 'session-start', sessionId: 's', model: 'opus', agentVersion: '2.1.325'},
  {type: 'tool-start', toolId: 'e', name: 'Edit', tool: 'Edit', summary: 'a.ts'},
  {type: 'file-change', path: 'a.ts', action: 'modified', added: 3, removed: 1, toolId: 'e'},
  {type: 'file-change', path: 'b.ts', action: 'created', added: 5, removed: 0, toolId: 'e'},
  {type: 'tool-end', toolId: 'e', ok: true, output: ''},
  {type: 'task-start', taskId: 'k', description: 'npm run dev'},
  {type: 'tool-start', toolId: 'b', name: 'Bash', tool: 'Bash', summary: 'npm test'},
  {type: 'permission-request', requestId: 'r', toolId: 'b', name: 'Bash', input: {}},
]

function stateAfter(given: readonly object[]): RunState {
  return given.reduce<RunState>(
    (state, event, index) =>
      reduceRunState(state, {line: index + 1, at: 1000, agent: 'a', ...event} as AgentEvent),
    initialRunState,
  )
}

const tokens = {input: 1, output: 2, cacheRead: 3, cacheWrite: 4}
const findings: RunFindings = {
  runId: 'r1',
  workOrderId: 'w1',
  origin: {agent: 'claude', title: 'Fix it', cwd: '/home/dev', startedAt: 500, host: 'ci'},
  state: stateAfter(events),
  usage: {tokens, costUsd: 0.5, isEstimate: true},
  progress: {percentage: 40, phase: 'Working', remainingMs: 9000},
  pulse: 'abc',
}
const ending: RunEnding = {
  verdict: 'failed',
  reason: 'API error',
  evidence: ['exit code 1'],
  exitCode: 1,
  signal: null,
  durationMs: 60_000,
  costUsd: 0.75,
  isEstimate: false,
  tokens: {input: 10, output: 20, cacheRead: 30, cacheWrite: 40},
  turns: 7,
  toolCount: 8,
  failedToolCount: 2,
  deniedCount: 1,
  fileCount: 4,
  isWatched: true,
  added: 50,
  removed: 60,
}

describe('the summary of a run', () => {
  test('has the version of the agent from its stream, else from its record', () => {
    const bare = {...findings, state: {...findings.state, agentVersion: undefined}}
    expect(summarizeRun({...bare, agentVersion: '1.2.3'}).agentVersion).toBe('1.2.3')
    const known = {...findings, state: {...findings.state, agentVersion: '4.5.6'}}
    expect(summarizeRun({...known, agentVersion: '1.2.3'}).agentVersion).toBe('4.5.6')
  })

  test('has the current figures during the run', () => {
    expect(summarizeRun(findings)).toMatchObject({
      runId: 'r1',
      workOrderId: 'w1',
      agent: 'claude',
      title: 'Fix it',
      cwd: '/home/dev',
      startedAt: 500,
      host: 'ci',
      state: findings.state.status,
      isStuck: false,
      percentage: 40,
      phase: 'Working',
      remainingMs: 9000,
      agentVersion: '2.1.325',
      model: 'opus',
      sessionId: 's',
      tokens,
      costUsd: 0.5,
      isEstimate: true,
      toolCount: 2,
      fileCount: 2,
      added: 8,
      removed: 1,
      requests: [{requestId: 'r', name: 'Bash', askedAt: 1000}],
      taskCount: 1,
      pulse: 'abc',
      endedAt: undefined,
      verdict: undefined,
    })
  })

  test('has the figures of the result after the end, and no open requests', () => {
    expect(summarizeRun({...findings, ending})).toMatchObject({
      ...ending,
      state: 'over',
      endedAt: 60_500,
      requests: [],
      taskCount: 0,
    })
  })

  test('has no cost, and no estimate, when the cost is unknown', () => {
    const usage = {tokens, costUsd: undefined, isEstimate: true}
    expect(summarizeRun({...findings, usage})).toMatchObject({costUsd: null, isEstimate: false})
  })

  test('reports whether the run is stuck', () => {
    expect(summarizeRun({...findings, isStuck: true}).isStuck).toBe(true)
  })

  test('has the first 100 items of a plan', () => {
    const items = Array.from({length: 101}, (_, at) => ({text: `${at}`, status: 'pending'}))
    const state = stateAfter([{type: 'plan', items}])
    expect(state.plan).toHaveLength(101)
    expect(summarizeRun({...findings, state}).plan).toEqual(state.plan.slice(0, 100))
  })
})

test('pickEnding keeps the published fields of a result and no others', () => {
  expect(pickEnding({...ending, text: 'secret'} as RunEnding)).toEqual(ending)
})
