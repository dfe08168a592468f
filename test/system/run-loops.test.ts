import {existsSync, readFileSync} from 'node:fs'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {createPlace, lastVerdict, type Place} from '../support/run.ts'

let place: Place

beforeEach(() => {
  place = createPlace()
})

afterEach(() => {
  place.clear()
})

const env = (n: number): Record<string, string> => ({
  COUNT_FILE: place.file('count'),
  N: String(n),
})

/** How often the agent was called. */
function count(): number {
  return existsSync(place.file('count')) ? readFileSync(place.file('count'), 'utf8').length : 0
}

test('the agent is run again until it says what is wanted', async () => {
  const args = ['--until', 'DONE', '--max-iterations', '10', '--format', 'json']
  const ended = await place.runFake('loop', args, {env: env(3)})
  expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
  expect(ended.exitCode).toBe(0)
  expect(count()).toBe(3)
})

test('each time is a recording of its own', async () => {
  await place.runFake('loop', ['--until', 'DONE', '--max-iterations', '10'], {env: env(3)})
  const runs = await place.list()
  expect(runs).toHaveLength(3)
  expect(new Set(runs.map(({dir}) => dir)).size).toBe(3)
  const said = runs.map(({runId}) => place.read(runId, 'stdout').toString().includes('DONE'))
  expect(said.filter(Boolean)).toHaveLength(1)
})

test('once is enough when it says so at once', async () => {
  const args = ['--until', 'DONE', '--max-iterations', '10']
  expect((await place.runFake('loop', args, {env: env(1)})).exitCode).toBe(0)
  expect(count()).toBe(1)
  expect(await place.list()).toHaveLength(1)
})

test('it ends without success when it has been run often enough', async () => {
  const args = ['--until', 'DONE', '--max-iterations', '2', '--format', 'json']
  const {exitCode} = await place.runFake('loop', args, {env: env(10)})
  expect(count()).toBe(2)
  expect(exitCode).toBe(1)
  expect(await place.list()).toHaveLength(2)
})

test('the limit on cost is for all of them', async () => {
  const args = ['--until', 'DONE', '--max-iterations', '10', '--max-cost', '0.25']
  const ended = await place.runFake('loop', [...args, '--format', 'json'], {env: env(10)})
  expect(lastVerdict(ended)).toMatchObject({verdict: 'over-budget'})
  expect(ended.exitCode).toBe(125)
  expect(count()).toBe(3)
})

test('an interruption ends all of them', async () => {
  const args = ['--until', 'DONE', '--max-iterations', '30', '--format', 'json']
  const {child, ended, prints} = place.startFake('loop', args, {env: env(1000)})
  await prints('not yet')
  child.kill('SIGINT')
  expect((await ended).exitCode).toBe(130)
  expect(count()).toBeLessThan(30)
  await place.expectNoSurvivors()
})

test('an agent that fails has not said it', async () => {
  const args = ['--until', 'API Error', '--max-iterations', '2']
  expect((await place.runFake('error-success', args)).exitCode).toBe(1)
})

test('each of them is given the same on stdin', async () => {
  const args = ['--until', 'NEVER', '--max-iterations', '2', '--stdin']
  await place.runFake('reads-stdin', args, {input: 'the same'})
  const runs = await place.list()
  expect(runs.map(({runId}) => place.read(runId, 'stdin').toString())).toEqual([
    'the same',
    'the same',
  ])
})
