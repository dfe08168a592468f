import {expect, test} from 'vitest'
import {makeRun} from '../../test/make-run.ts'
import type {Command} from './commands.ts'
import {listCommands, listHits, listRuns} from './palette-entries.ts'

test('the first command is never a dangerous one', () => {
  const command = (id: string, title: string, isDangerous = false): Command => {
    return {id, title, icon: 'stop', isDangerous, run: () => {}}
  }
  const commands = [command('stop', 'Stop run', true), command('go', 'Go to next error')]
  const [section] = listCommands([{title: 'This run', read: () => commands}], '')
  expect(section?.entries.map(({title}) => title)).toEqual(['Go to next error', 'Stop run'])
  const [found] = listCommands([{title: 'This run', read: () => commands}], 'NEXT go')
  expect(found?.entries.map(({title}) => title)).toEqual(['Go to next error'])
})

test('lists runs that need attention first, then live runs, then the newest', () => {
  const runs = [
    makeRun({runId: 'old', title: 'Old', startedAt: 1, state: 'over', verdict: 'failed'}),
    makeRun({runId: 'new', title: 'New', startedAt: 9, state: 'over', verdict: 'succeeded'}),
    makeRun({runId: 'works', title: 'Works'}),
    makeRun({runId: 'stuck', title: 'Stuck', isStuck: true}),
  ]
  expect(listRuns(runs, '').entries.map(({title, note}) => `${title}: ${note}`)).toEqual([
    'Stuck: stuck',
    'Works: working',
    'New: succeeded',
    'Old: failed',
  ])
  expect(listRuns(runs, 'ledger new').entries).toHaveLength(1)
})

test('a search result names its run and escapes its text', () => {
  const hit = {
    runId: '7f3a',
    seq: 5,
    type: 'agent_output',
    at: 0,
    snippet: 'It\n says \u202Eone.',
  } as const
  const [known] = listHits([hit], new Map([['7f3a', makeRun()]]))
  expect(known).toMatchObject({title: 'It says \\u202eone.', note: 'Fix the tests', icon: 'text'})
  expect(listHits([hit], new Map())[0]?.note).toBe('7f3a')
})
