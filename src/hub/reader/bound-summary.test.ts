import {expect, test} from 'vitest'
import {withPendingUsage} from '../../core/run/ledger.ts'
import {initialRunState} from '../../core/run/run-state.ts'
import {summarizeRun} from '../../core/run/run-summary.ts'
import {boundSummary} from './bound-summary.ts'

const long = 'x'.repeat(100_000)

function summaryWith(text: string) {
  const summary = summarizeRun({
    runId: 'a',
    workOrderId: 'a',
    origin: {agent: 'claude', title: 'Fix the tests', cwd: '/home/dev', startedAt: 1000},
    state: {...initialRunState, model: text, sessionId: text, agentVersion: text},
    usage: withPendingUsage(initialRunState.ledger, undefined),
    progress: {percentage: 0, phase: text},
    waiting: {why: 'thinking', detail: text, since: 1},
  })
  return {
    ...summary,
    plan: Array.from({length: 100}, () => ({text, status: 'pending' as const})),
    requests: Array.from({length: 1000}, () => ({requestId: text, name: text, askedAt: 1})),
  }
}

test('bounds the size of a summary for any output of the agent', () => {
  const size = JSON.stringify(boundSummary(summaryWith(long))).length
  expect(size).toBeLessThan(300_000)
})

test('leaves an ordinary summary unchanged', () => {
  const summary = summaryWith('ordinary')
  const requests = summary.requests.slice(0, 100)
  expect(boundSummary(summary)).toEqual({...summary, requests})
})
