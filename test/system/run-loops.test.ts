import {existsSync, readFileSync} from 'node:fs'
import {describe} from 'vitest'
import {lastVerdict, placeTest as test, type Ended, type Place} from '../support/run.ts'

const envOf = (place: Place, n: number): Record<string, string> => ({
  COUNT_FILE: place.file('count'),
  N: String(n),
})

/** Runs a program that is not a known agent. */
function runProgram(place: Place, script: string, args: string[]): Promise<Ended> {
  const options = ['--data-dir', place.dataDir, '--no-watch', ...args]
  return place.start(['run', ...options, '--', 'sh', '-c', script]).ended
}

/** Returns how often the agent was started. */
function countOf(place: Place): number {
  return existsSync(place.file('count')) ? readFileSync(place.file('count'), 'utf8').length : 0
}

describe.concurrent('vitrine run --until', () => {
  test('repeats the agent until it answers the text, with a recording each', async ({
    place,
    expect,
  }) => {
    const args = ['--until', 'DONE', '--max-iterations', '10', '--format', 'json']
    const ended = await place.runFake('loop', args, {env: envOf(place, 3)})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    expect(ended.exitCode).toBe(0)
    expect(countOf(place)).toBe(3)
    const runs = await place.list()
    expect(runs).toHaveLength(3)
    expect(new Set(runs.map(({dir}) => dir)).size).toBe(3)
    const matches = runs.map(({runId}) => place.read(runId, 'stdout').toString().includes('DONE'))
    expect(matches.filter(Boolean)).toHaveLength(1)
  })

  test('starts the agent once when its first answer matches', async ({place, expect}) => {
    const args = ['--until', 'DONE', '--max-iterations', '10']
    expect((await place.runFake('loop', args, {env: envOf(place, 1)})).exitCode).toBe(0)
    expect(countOf(place)).toBe(1)
    expect(await place.list()).toHaveLength(1)
  })

  test('fails after --max-iterations', async ({place, expect}) => {
    const args = ['--until', 'DONE', '--max-iterations', '2', '--format', 'json']
    const {exitCode} = await place.runFake('loop', args, {env: envOf(place, 10)})
    expect(countOf(place)).toBe(2)
    expect(exitCode).toBe(1)
    expect(await place.list()).toHaveLength(2)
  })

  test('finds the answer of a program that prints only <response>', async ({place, expect}) => {
    const script = "seq 100000; echo '<response>Completed</response>'"
    const {exitCode} = await runProgram(place, script, ['--until', 'completed'])
    expect(exitCode).toBe(0)
    expect(await place.list()).toHaveLength(1)
  })

  test('reports that no iteration matched, and how many of them failed', async ({
    place,
    expect,
  }) => {
    const args = ['--until', 'done', '--max-iterations', '2']
    const quiet = await runProgram(place, 'echo no', args)
    expect(quiet.stderr).toContain('No match for "done" after 2 iterations. ')
    const failed = await runProgram(place, 'exit 3', args)
    expect(failed.stderr).toContain('No match for "done" after 2 iterations, of which 2 failed. ')
    expect(failed.exitCode).toBe(1)
  })

  test('applies --max-cost to all iterations together', async ({place, expect}) => {
    const args = ['--until', 'DONE', '--max-iterations', '10', '--max-cost', '0.25']
    const options = {env: envOf(place, 10)}
    const ended = await place.runFake('loop', [...args, '--format', 'json'], options)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'over-budget'})
    expect(ended.exitCode).toBe(125)
    expect(countOf(place)).toBe(3)
  })

  test('ends at SIGINT without another iteration', async ({place, expect}) => {
    const args = ['--until', 'DONE', '--max-iterations', '30', '--format', 'json']
    const {child, ended, prints} = place.startFake('loop', args, {env: envOf(place, 1000)})
    await prints('not yet')
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
    expect(countOf(place)).toBeLessThan(30)
    await place.expectNoSurvivors()
  })

  test('ignores the text in the error of an agent that failed', async ({place, expect}) => {
    const args = ['--until', 'API Error', '--max-iterations', '2']
    expect((await place.runFake('error-success', args)).exitCode).toBe(1)
  })

  test('gives each iteration the same stdin', async ({place, expect}) => {
    const args = ['--until', 'NEVER', '--max-iterations', '2', '--stdin']
    await place.runFake('reads-stdin', args, {input: 'the same'})
    const runs = await place.list()
    expect(runs.map(({runId}) => place.read(runId, 'stdin').toString())).toEqual([
      'the same',
      'the same',
    ])
  })
})
