import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {matchesFilter, parseFilter} from './filter.ts'

const runs: RunSummary[] = [
  makeRun({
    runId: 'a',
    costUsd: 2,
    model: 'opus-5-5',
    waiting: {why: 'thinking', detail: '', since: 0},
  }),
  makeRun({
    runId: 'b',
    agent: 'codex',
    cwd: '/srv/gateway',
    title: 'Bump zod',
    costUsd: 0.5,
    turns: 4,
  }),
  makeRun({runId: 'c', state: 'over', verdict: 'timed-out', toolCount: 9, host: 'build-2'}),
  makeRun({runId: 'd', state: 'over', verdict: 'succeeded', workOrderId: 'wo-12', agent: null}),
  makeRun({runId: 'e', requests: [{requestId: 'r', name: 'Bash', askedAt: 0}]}),
  makeRun({runId: 'f', waiting: {why: 'rate-limited', detail: '', since: 0}}),
]

function find(text: string): string {
  const terms = parseFilter(text)
  return runs
    .filter((run) => matchesFilter(run, terms))
    .map(({runId}) => runId)
    .join('')
}

describe('a filter', () => {
  test.each([
    ['', 'abcdef'],
    ['  ', 'abcdef'],
    ['zod', 'b'],
    ['BUMP zod', 'b'],
    ['"fix the"', 'acdef'],
    ['-zod', 'acdef'],
    ['agent:codex', 'b'],
    ['agent:cl', 'acef'],
    ['dir:gateway', 'b'],
    ['model:opus', 'a'],
    ['host:build', 'c'],
    ['order:wo-12', 'd'],
    ['cost:>1', 'a'],
    ['cost:<1', 'b'],
    ['cost:=0.5', 'b'],
    ['cost:$2', 'a'],
    ['turns:>3', 'b'],
    ['tools:9', 'c'],
    ['state:failed', 'c'],
    ['state:timed-out', 'c'],
    ['state:timedout', 'c'],
    ['state:succeeded', 'd'],
    ['state:needs-you', 'e'],
    ['state:waiting', 'f'],
    ['state:thinking', 'a'],
    ['state:live', 'abef'],
    ['state:over', 'cd'],
    ['-state:live', 'cd'],
    ['agent:claude cost:>1 state:working', 'a'],
  ])('%j finds %j', (text, found) => {
    expect(find(text)).toBe(found)
  })

  test('matches everything while it is incomplete', () => {
    for (const text of ['agent:', 'cost:', 'cost:>', 'state:', '"', '-']) {
      expect(find(text)).toBe('abcdef')
    }
  })

  test('treats unknown conditions as text', () => {
    expect(parseFilter('fix:this cost:much')).toEqual([
      {isNegated: false, field: 'text', text: 'fix:this'},
      {isNegated: false, field: 'text', text: 'cost:much'},
    ])
  })
})
