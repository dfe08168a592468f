import {describe, expect, test} from 'vitest'
import {initialRunState, reduceRunState, type AgentEvent, type RunState} from '../core/index.ts'
import {makeResult} from './result.ts'

type Findings = Parameters<typeof makeResult>[0]

function stateAfter(...events: object[]): RunState {
  return events.reduce<RunState>(
    (state, event, index) =>
      reduceRunState(state, {line: index + 1, at: 1000, agent: 'a', ...event} as AgentEvent),
    initialRunState,
  )
}

const good = {type: 'turn-end', ok: true, text: 'Done.'}
const cut = {type: 'malformed', raw: '{"type":', reason: 'not-json', size: 8}

function make(changes: Partial<Findings> = {}): ReturnType<typeof makeResult> {
  return makeResult({
    record: {
      version: 1,
      runId: 'one',
      argv: [],
      ranArgv: [],
      cwd: '/',
      agent: null,
      startedAt: 1000,
      marker: 'one-0',
      supervisor: {pid: 17},
    },
    dir: '/runs/one',
    agent: null,
    state: stateAfter(good),
    end: {exitCode: 0, signal: null},
    stop: undefined,
    ending: undefined,
    endedAt: 4000,
    spent: {tokens: initialRunState.ledger.tokens, isEstimate: true},
    estimateUsd: undefined,
    lines: 1,
    lastTool: '',
    lastError: '',
    evidence: [],
    isWatched: true,
    ...changes,
  })
}

test('has the same shape however it went', () => {
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
  expect(make({spent: {tokens, costUsd: 0, isEstimate: true}})).toMatchObject({
    costUsd: 0,
    isEstimate: true,
  })
})

describe('evidence', () => {
  const killed = {signal: 'SIGKILL', afterMs: 5000, wasForced: true}
  test.each<[string, Partial<Findings>, string[]]>([
    ['none for what went well', {}, []],
    ['nothing that the reason says', {end: {exitCode: 3, signal: null}}, []],
    [
      'the code beside another reason',
      {end: {exitCode: 3, signal: null}, lastError: 'no key'},
      ['exit code 3'],
    ],
    ['that nobody saw', {end: {exitCode: null, signal: null}}, ['nobody saw its exit code']],
    ['a signal of others', {end: {exitCode: null, signal: 'SIGTERM'}}, ['ended by SIGTERM']],
    [
      'not a signal of ours',
      {
        end: {exitCode: null, signal: 'SIGKILL'},
        stop: {cause: 'user', reason: 'by you'},
        ending: killed,
      },
      [],
    ],
    [
      'that it had to be ended',
      {stop: {cause: 'linger', reason: 'lingered'}},
      ['lingered after its last turn and was ended'],
    ],
    ['a cut line', {state: stateAfter(good, cut)}, ['output stops in the middle of line 2']],
    ['of others', {evidence: ['not all was recorded']}, ['not all was recorded']],
  ])('%s', (_, changes, expected) => {
    expect(make(changes).evidence).toEqual(expected)
  })
})
