import {cpSync, existsSync, mkdirSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe} from 'vitest'
import {toolUse} from '../fake-agents/lines.js'
import {createPlace, placeTest as test, until, type Place} from '../support/run.ts'

/** Has recordings that tests copy: `happy`, `error-success` and `no-result`, started in this order. */
let recorded: Place

beforeAll(async () => {
  recorded = createPlace()
  for (const name of ['happy', 'error-success', 'no-result']) {
    await recorded.runFake(name, ['--id', name])
  }
})

afterAll(() => {
  recorded.clear()
})

/** Copies recordings to a place. */
function copyRuns(place: Place, ...names: string[]): void {
  for (const path of [place.dataDir, join(place.dataDir, 'runs')])
    mkdirSync(path, {recursive: true, mode: 0o700})
  for (const name of names) {
    cpSync(recorded.dirOf(name), place.dirOf(name), {recursive: true, preserveTimestamps: true})
  }
}

async function idsOf(place: Place): Promise<string[]> {
  return (await place.list()).map(({runId}) => runId).toSorted()
}

/** Starts a run that does not end by itself, and waits until it is recorded. */
async function startEndless(place: Place) {
  const running = place.startFake('silent', ['--id', 'running'])
  await until(() => existsSync(join(place.dirOf('running'), 'run.json')))
  return running
}

describe.concurrent('vitrine runs', () => {
  test('prints nothing when there are no runs', async ({place, expect}) => {
    expect(await place.vitrine(['runs', '--json'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
    expect((await place.vitrine(['runs'])).exitCode).toBe(0)
    expect(existsSync(place.dataDir)).toBe(false)
  })

  test('lists every run with its verdict', async ({place, expect}) => {
    copyRuns(place, 'happy', 'error-success', 'no-result')
    const runs = await place.list()
    const byId = Object.fromEntries(runs.map((run) => [run.runId, run]))
    expect(runs).toHaveLength(3)
    expect(byId).toMatchObject({
      happy: {
        verdict: 'succeeded',
        reason: 'Last turn completed without errors',
        dir: place.dirOf('happy'),
        agent: 'claude',
        exitCode: 0,
        signal: null,
        costUsd: 0.0125,
      },
      'error-success': {verdict: 'failed', reason: 'API Error: 529 Overloaded', exitCode: 0},
      'no-result': {verdict: 'truncated', reason: 'no turn end', exitCode: 0},
    })
  })

  test('prints a table without --json', async ({place, expect}) => {
    copyRuns(place, 'happy', 'error-success')
    const {exitCode, stdout} = await place.vitrine(['runs'])
    expect(exitCode).toBe(0)
    for (const expected of ['happy', 'succeeded', 'error-success', 'failed']) {
      expect(stdout).toContain(expected)
    }
  })

  test('lists a running run without a verdict', async ({place, expect}) => {
    const {child, ended} = await startEndless(place)
    expect(await place.list()).toMatchObject([{runId: 'running', verdict: null}])
    child.kill('SIGINT')
    await ended
    expect(await place.list()).toMatchObject([{runId: 'running', verdict: 'stopped'}])
  })

  test('generates a different id for each run without --id', async ({place, expect}) => {
    const [one, other] = await Promise.all([place.runFake('happy'), place.runFake('happy')])
    expect([one.exitCode, other.exitCode]).toEqual([0, 0])
    const runs = await place.list()
    expect(new Set(runs.map(({runId}) => runId)).size).toBe(2)
    for (const {runId, dir} of runs) expect(dir).toBe(place.dirOf(runId))
  })

  test('lists the other runs when a recording is damaged', async ({place, expect}) => {
    copyRuns(place, 'happy')
    for (const [name, content] of [
      ['garbage', '{"argv":['],
      ['empty', ''],
      ['other', '[]'],
      ['bare', '{"runId":"bare"}'],
      ['later', JSON.stringify({...place.readRun('happy'), version: 2, supervisor: 'pid 17'})],
      ['odd', JSON.stringify({...place.readRun('happy'), result: {verdict: 17}})],
    ] as const) {
      mkdirSync(place.dirOf(name))
      writeFileSync(join(place.dirOf(name), 'run.json'), content)
    }
    mkdirSync(place.dirOf('nothing'))
    writeFileSync(join(place.dataDir, 'runs', 'a-file'), '')
    const {exitCode, stdout} = await place.vitrine(['runs', '--json'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('"runId":"happy"')
    expect(await place.vitrine(['runs'])).toMatchObject({exitCode: 0, stderr: ''})
  })

  test('uses the name of the folder as the id of a run', async ({place, expect}) => {
    copyRuns(place, 'happy')
    renameSync(place.dirOf('happy'), place.dirOf('renamed'))
    expect(await idsOf(place)).toEqual(['renamed'])
    expect((await place.vitrine(['attach', 'renamed', '--format', 'json'])).exitCode).toBe(0)
    expect((await place.vitrine(['rm', 'renamed'])).exitCode).toBe(0)
    expect(await idsOf(place)).toEqual([])
  })
})

describe.concurrent('vitrine rm', () => {
  test('removes only the runs that are named', async ({place, expect}) => {
    copyRuns(place, 'happy', 'error-success', 'no-result')
    expect((await place.vitrine(['rm', 'happy', 'no-result'])).exitCode).toBe(0)
    expect(await idsOf(place)).toEqual(['error-success'])
    expect(existsSync(place.dirOf('happy'))).toBe(false)
  })

  test('removes the remains of a crash, so that the id can be used again', async ({
    place,
    expect,
  }) => {
    copyRuns(place, 'happy')
    mkdirSync(place.dirOf('remains'))
    const {stderr} = await place.runFake('happy', ['--id', 'remains'])
    expect(stderr).toContain('vitrine rm remains')
    expect(await place.vitrine(['rm', 'remains'])).toMatchObject({exitCode: 0, stderr: ''})
    expect((await place.runFake('happy', ['--id', 'remains'])).exitCode).toBe(0)
  })

  test('removes existing runs and reports those that do not exist', async ({place, expect}) => {
    copyRuns(place, 'happy', 'no-result')
    const {exitCode, stderr} = await place.vitrine(['rm', 'happy', 'no-such-run'])
    expect(stderr).toContain('no-such-run')
    expect(exitCode).toBe(2)
    expect(await idsOf(place)).toContain('no-result')
  })

  test('does not remove a run that is running', async ({place, expect}) => {
    const {child, ended} = await startEndless(place)
    const {exitCode, stderr} = await place.vitrine(['rm', 'running'])
    expect(stderr).toContain('running')
    expect(exitCode).not.toBe(0)
    expect(existsSync(place.dirOf('running'))).toBe(true)
    child.kill('SIGINT')
    await ended
  })

  test('removes a run of another machine without an end only with --force', async ({
    place,
    expect,
  }) => {
    copyRuns(place, 'happy', 'error-success')
    const {result: _result, endedAt: _endedAt, ...record} = place.readRun('happy')
    const live = {...record, host: 'build-7'}
    writeFileSync(join(place.dirOf('happy'), 'run.json'), JSON.stringify(live))
    expect((await place.vitrine(['rm', '--keep', '0'])).exitCode).toBe(0)
    expect(await idsOf(place)).toEqual(['happy'])
    const {exitCode, stderr} = await place.vitrine(['rm', 'happy'])
    expect(stderr).toContain('run happy on build-7 has not ended')
    expect(exitCode).toBe(2)
    expect((await place.vitrine(['rm', '--force', 'happy'])).exitCode).toBe(0)
    expect(await idsOf(place)).toEqual([])
  })

  test('--keep keeps the newest runs', async ({place, expect}) => {
    copyRuns(place, 'happy', 'error-success', 'no-result')
    expect((await place.vitrine(['rm', '--keep', '2'])).exitCode).toBe(0)
    expect(await idsOf(place)).toEqual(['error-success', 'no-result'])
    expect((await place.vitrine(['rm', '--keep', '5'])).exitCode).toBe(0)
    expect(await idsOf(place)).toHaveLength(2)
  })

  test('--keep does not remove a run that is running', async ({place, expect}) => {
    const {child, ended} = await startEndless(place)
    copyRuns(place, 'happy')
    await place.vitrine(['rm', '--keep', '1'])
    expect(await idsOf(place)).toEqual(['happy', 'running'])
    child.kill('SIGINT')
    await ended
  })
})

test.concurrent('run --keep keeps the newest recordings, including its own', async ({
  place,
  expect,
}) => {
  copyRuns(place, 'happy', 'error-success')
  await place.runFake('no-result', ['--id', 'third', '--keep', '2'])
  expect(await idsOf(place)).toEqual(['error-success', 'third'])
})

test.concurrent('view prints the output of a command that is not a known agent, and its verdict', async ({
  place,
  expect,
}) => {
  const run = ['run', '--data-dir', place.dataDir, '--id', 'opaque', '--', 'sh', '-c']
  expect((await place.start([...run, 'echo hello; exit 3']).ended).exitCode).toBe(1)
  const {exitCode, stdout, stderr} = await place.vitrine(['view', 'opaque', '--verdict'])
  const [expected, ending, verdict = ''] = stdout.split('\n')
  expect({exitCode, expected, stderr}).toEqual({exitCode: 0, expected: 'hello', stderr: ''})
  expect(ending).toMatch(/^\[vitrine\] Failed: exit code 3, /)
  expect(JSON.parse(verdict)).toMatchObject({verdict: 'failed', reason: 'exit code 3'})
})

test.concurrent('view accepts a run whose output starts with binary data', async ({
  place,
  expect,
}) => {
  const script = "printf 'a\\000b\\n'; exit 0"
  const run = ['run', '--data-dir', place.dataDir, '--id', 'bytes', '--agent', 'claude']
  await place.start([...run, '--', 'sh', '-c', script]).ended
  expect(place.read('bytes', 'stdout').includes(0)).toBe(true)
  expect(await place.vitrine(['view', 'bytes'])).toMatchObject({exitCode: 0})
})

test.concurrent('view shortens paths by the working directory of the run when the agent does not print it', async ({
  place,
  expect,
}) => {
  const input = {file_path: join(place.folder, 'src', 'a.txt')}
  writeFileSync(place.file('stream'), `${JSON.stringify(toolUse('1', 'Read', input))}\n`)
  const run = ['run', '--data-dir', place.dataDir, '--id', 'bare', '--agent', 'claude']
  await place.start([...run, '--', 'cat', 'stream']).ended
  const {stdout} = await place.vitrine(['view', 'bare'])
  expect(stdout).toContain('[claude] Read: src/a.txt\n')
})
