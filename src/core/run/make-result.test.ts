import {describe, expect, test} from 'vitest'
import {findAgent} from '../../agents/find-agent.ts'
import type {AgentEvent} from '../events/events.ts'
import {initialRunState, reduceRunState, type RunState} from './run-state.ts'
import {makeResult} from './make-result.ts'

type Findings = Parameters<typeof makeResult>[0]

function stateAfter(...events: object[]): RunState {
  return events.reduce<RunState>(
    (state, event, index) =>
      reduceRunState(state, {line: index + 1, at: 1000, agent: 'a', ...event} as AgentEvent),
    initialRunState,
  )
}

const good = {type: 'turn-end', ok: true, text: 'Done.'}
const claude = findAgent('claude')
const call = {type: 'tool-start', toolId: 'b', name: 'Bash', tool: 'Bash', summary: 'npm test'}
const unfinished = {type: 'tool-end', toolId: 'b', ok: false, output: '', unfinished: true}
const wakeUp = {
  type: 'status',
  status: 'wake-up',
  phase: 'start',
  key: 'loop',
  detail: 'check the build',
  until: 9000,
}
const cut = {type: 'malformed', raw: '{"type":', reason: 'not-json', size: 8}

function make(changes: Partial<Findings> = {}): ReturnType<typeof makeResult> {
  return makeResult({
    record: {runId: 'one', agent: null, startedAt: 1000},
    dir: '/runs/one',
    agent: null,
    state: stateAfter(good),
    end: {exitCode: 0, signal: null},
    stop: undefined,
    ending: undefined,
    endedAt: 4000,
    usage: {tokens: initialRunState.ledger.tokens, isEstimate: true},
    estimateUsd: undefined,
    lines: 1,
    lastTool: '',
    lastError: '',
    evidence: [],
    isWatched: true,
    ...changes,
  })
}

test('a result has the same shape for every verdict', () => {
  const ways: Partial<Findings>[] = [
    {},
    {end: {exitCode: 3, signal: null}},
    {end: {exitCode: null, signal: null}, state: initialRunState},
    {stop: {cause: 'user', reason: 'by you'}, end: {exitCode: null, signal: 'SIGINT'}},
  ]
  const [shape, ...others] = ways.map((way) => Object.keys(make(way)).toSorted())
  for (const other of others) expect(other).toEqual(shape)
})

test('an unknown cost is neither 0 nor an estimate', () => {
  expect(make()).toMatchObject({costUsd: null, isEstimate: false, durationMs: 3000})
  const {tokens} = initialRunState.ledger
  expect(make({usage: {tokens, costUsd: 0, isEstimate: true}})).toMatchObject({
    costUsd: 0,
    isEstimate: true,
  })
})

describe('evidence', () => {
  const killed = {signal: 'SIGKILL', afterMs: 5000, wasForced: true}
  test.each<[string, Partial<Findings>, string[]]>([
    ['is empty for a success', {}, []],
    ['does not repeat the reason', {end: {exitCode: 3, signal: null}}, []],
    [
      'has the exit code beside another reason',
      {end: {exitCode: 3, signal: null}, lastError: 'no key'},
      ['exit code 3'],
    ],
    [
      'reports an unobserved exit',
      {end: {exitCode: null, signal: null}},
      ['process ended while not supervised, exit code unknown'],
    ],
    [
      'has a signal that Vitrine did not send',
      {end: {exitCode: null, signal: 'SIGTERM'}},
      ['ended by SIGTERM'],
    ],
    [
      'does not have a signal that Vitrine sent',
      {
        end: {exitCode: null, signal: 'SIGKILL'},
        stop: {cause: 'user', reason: 'by you'},
        ending: killed,
      },
      [],
    ],
    [
      'reports that a lingering process was terminated',
      {stop: {cause: 'linger', reason: 'lingered'}},
      ['process stayed alive after its last turn and was terminated'],
    ],
    [
      'has the incomplete last line',
      {state: stateAfter(good, cut)},
      ['output stops in the middle of line 2'],
    ],
    [
      'has further evidence of the supervisor',
      {evidence: ['recording incomplete']},
      ['recording incomplete'],
    ],
    [
      'has malformed lines before the end',
      {state: stateAfter(cut, {...cut, raw: 'x\n'}, good)},
      ['2 malformed lines, first at line 1'],
    ],
    [
      'has a malformed line beside an incomplete last line',
      {state: stateAfter({...cut, raw: 'x\n'}, good, cut)},
      ['output stops in the middle of line 3', '1 malformed line, first at line 1'],
    ],
    [
      'has a tool call without a result',
      {state: stateAfter(call, good, unfinished)},
      ['1 tool call without a result: Bash: npm test'],
    ],
    [
      'does not have open tools after a failure',
      {agent: claude, state: stateAfter(call, {...good, ok: false}, unfinished)},
      ['exit code 0'],
    ],
    [
      'has a tool result without a call',
      {state: stateAfter({...unfinished, unfinished: undefined}, good)},
      ['1 tool result without a call'],
    ],
    [
      'has a wake-up that did not run',
      {state: stateAfter(wakeUp, good)},
      ['planned wake-up did not run: check the build'],
    ],
    [
      'has a hook that did not finish',
      {state: stateAfter({...wakeUp, status: 'hook', detail: 'Stop'}, good)},
      ['hook did not finish: Stop'],
    ],
    [
      'has an unfinished command',
      {waitingAtStop: {why: 'finishing', detail: './report', since: 0}},
      ['unfinished: ./report'],
    ],
    [
      'does not have the exit code of an agent that a hook stopped',
      {agent: claude, state: stateAfter({...good, stopped: 'by a hook'})},
      [],
    ],
  ])('%s', (_, changes, expected) => {
    expect(make(changes).evidence).toEqual(expected)
  })
})
