import {expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {findRunNews} from './run-news.ts'

function list(...runs: RunSummary[]): Map<string, RunSummary> {
  return new Map(runs.map((run) => [run.runId, run]))
}

test('announces a run only when it needs attention or ends', () => {
  const works = makeRun({runId: 'a'})
  const stuck = makeRun({runId: 'a', isStuck: true})
  const over = makeRun({runId: 'a', state: 'over', verdict: 'failed'})
  const silence = {needs: [], polite: '', assertive: ''}
  expect(findRunNews(list(works), list(works))).toEqual(silence)
  expect(findRunNews(list(works), list({...works, turns: 2}))).toEqual(silence)
  expect(findRunNews(list(works), list(stuck))).toEqual({
    needs: [stuck],
    polite: '',
    assertive: 'Stuck: Fix the tests',
  })
  expect(findRunNews(list(stuck), list({...stuck}))).toEqual(silence)
  expect(findRunNews(list(works), list(over)).polite).toBe('Failed: Fix the tests')
  expect(findRunNews(list(), list(over))).toEqual(silence)
})

test('announces several runs by their number', () => {
  const runs = ['a', 'b', 'c', 'd'].map((runId) => makeRun({runId}))
  const ended = runs.map((run): RunSummary => ({...run, state: 'over', verdict: 'stopped'}))
  expect(findRunNews(list(...runs), list(...ended)).polite).toBe('4 runs ended')
})
