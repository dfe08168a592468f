import {existsSync, mkdirSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {calls} from '../fake-agents/lines.js'
import {createPlace, until, type Place} from '../support/run.ts'

let place: Place

beforeEach(() => {
  place = createPlace()
})

afterEach(() => {
  place.clear()
})

async function record(...names: string[]): Promise<void> {
  for (const name of names) await place.runFake(name, ['--id', name])
}

async function ids(): Promise<string[]> {
  return (await place.list()).map(({runId}) => runId).toSorted()
}

describe('vitrine runs', () => {
  test('has nothing to say where nothing was run', async () => {
    expect(await place.vitrine(['runs', '--json'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
    expect((await place.vitrine(['runs'])).exitCode).toBe(0)
    expect(existsSync(place.dataDir)).toBe(false)
  })

  test('lists every run with its ending', async () => {
    await record('happy', 'error-success', 'no-result')
    const runs = await place.list()
    const byId = Object.fromEntries(runs.map((run) => [run.runId, run]))
    expect(runs).toHaveLength(3)
    expect(byId).toMatchObject({
      happy: {
        verdict: 'succeeded',
        reason: 'the last turn ended well',
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

  test('lists them for people, too', async () => {
    await record('happy', 'error-success')
    const {exitCode, stdout} = await place.vitrine(['runs'])
    expect(exitCode).toBe(0)
    for (const said of ['happy', 'succeeded', 'error-success', 'failed']) {
      expect(stdout).toContain(said)
    }
  })

  test('has no verdict on a run that is not over', async () => {
    const {child, ended} = place.startFake('silent', ['--id', 'running'])
    await until(() => existsSync(join(place.dirOf('running'), 'run.json')))
    expect(await place.list()).toMatchObject([{runId: 'running', verdict: null}])
    child.kill('SIGINT')
    await ended
    expect(await place.list()).toMatchObject([{runId: 'running', verdict: 'stopped'}])
  })

  test('names runs that were given no name', async () => {
    const [one, other] = await Promise.all([place.runFake('happy'), place.runFake('happy')])
    expect([one.exitCode, other.exitCode]).toEqual([0, 0])
    const runs = await place.list()
    expect(new Set(runs.map(({runId}) => runId)).size).toBe(2)
    for (const {runId, dir} of runs) expect(dir).toBe(place.dirOf(runId))
  })

  test('is not stopped by a recording that is damaged', async () => {
    await record('happy')
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

  test('calls a run what its folder is called', async () => {
    await record('happy')
    renameSync(place.dirOf('happy'), place.dirOf('renamed'))
    expect(await ids()).toEqual(['renamed'])
    expect((await place.vitrine(['attach', 'renamed', '--format', 'json'])).exitCode).toBe(0)
    expect((await place.vitrine(['rm', 'renamed'])).exitCode).toBe(0)
    expect(await ids()).toEqual([])
  })
})

describe('vitrine rm', () => {
  test('removes the runs that are named, and no other', async () => {
    await record('happy', 'error-success', 'no-result')
    expect((await place.vitrine(['rm', 'happy', 'no-result'])).exitCode).toBe(0)
    expect(await ids()).toEqual(['error-success'])
    expect(existsSync(place.dirOf('happy'))).toBe(false)
  })

  test('removes what a crash has left, so that its name can be had again', async () => {
    await record('happy')
    mkdirSync(place.dirOf('remains'))
    const {stderr} = await place.runFake('happy', ['--id', 'remains'])
    expect(stderr).toContain('vitrine rm remains')
    expect(await place.vitrine(['rm', 'remains'])).toMatchObject({exitCode: 0, stderr: ''})
    expect((await place.runFake('happy', ['--id', 'remains'])).exitCode).toBe(0)
  })

  test('removes what is there, and says what is not', async () => {
    await record('happy', 'no-result')
    const {exitCode, stderr} = await place.vitrine(['rm', 'happy', 'no-such-run'])
    expect(stderr).toContain('no-such-run')
    expect(exitCode).toBe(2)
    expect(await ids()).toContain('no-result')
  })

  test('does not remove a run that is not over', async () => {
    const {child, ended} = place.startFake('silent', ['--id', 'running'])
    await until(() => existsSync(join(place.dirOf('running'), 'run.json')))
    const {exitCode, stderr} = await place.vitrine(['rm', 'running'])
    expect(stderr).toContain('running')
    expect(exitCode).not.toBe(0)
    expect(existsSync(place.dirOf('running'))).toBe(true)
    child.kill('SIGINT')
    await ended
  })

  test('--keep keeps the last ones', async () => {
    await record('happy', 'error-success', 'no-result')
    expect((await place.vitrine(['rm', '--keep', '2'])).exitCode).toBe(0)
    expect(await ids()).toEqual(['error-success', 'no-result'])
    expect((await place.vitrine(['rm', '--keep', '5'])).exitCode).toBe(0)
    expect(await ids()).toHaveLength(2)
  })

  test('--keep leaves alone what is not over', async () => {
    const {child, ended} = place.startFake('silent', ['--id', 'running'])
    await until(() => existsSync(join(place.dirOf('running'), 'run.json')))
    await record('happy')
    await place.vitrine(['rm', '--keep', '1'])
    expect(await ids()).toEqual(['happy', 'running'])
    child.kill('SIGINT')
    await ended
  })
})

test('run --keep keeps the last ones, itself among them', async () => {
  await record('happy', 'error-success')
  await place.runFake('no-result', ['--id', 'third', '--keep', '2'])
  expect(await ids()).toEqual(['error-success', 'third'])
})

test('a run of a command that is no known agent is viewed as it is, with its verdict', async () => {
  const run = ['run', '--data-dir', place.dataDir, '--id', 'opaque', '--', 'sh', '-c']
  expect((await place.start([...run, 'echo hello; exit 3']).ended).exitCode).toBe(1)
  const {exitCode, stdout, stderr} = await place.vitrine(['view', 'opaque', '--verdict'])
  const [said, ending, verdict = ''] = stdout.split('\n')
  expect({exitCode, said, stderr}).toEqual({exitCode: 0, said: 'hello', stderr: ''})
  expect(ending).toMatch(/^\[vitrine\] Failed: exit code 3, /)
  expect(JSON.parse(verdict)).toMatchObject({verdict: 'failed', reason: 'exit code 3'})
})

test('a run whose output begins with bytes that are no text can be viewed', async () => {
  const script = "printf 'a\\000b\\n'; exit 0"
  const run = ['run', '--data-dir', place.dataDir, '--id', 'bytes', '--agent', 'claude']
  await place.start([...run, '--', 'sh', '-c', script]).ended
  expect(place.read('bytes', 'stdout').includes(0)).toBe(true)
  expect(await place.vitrine(['view', 'bytes'])).toMatchObject({exitCode: 0})
})

test('a run whose stream does not tell its folder is viewed with paths from there', async () => {
  const input = {file_path: join(place.folder, 'src', 'a.txt')}
  writeFileSync(place.file('stream'), `${JSON.stringify(calls('1', 'Read', input))}\n`)
  const run = ['run', '--data-dir', place.dataDir, '--id', 'bare', '--agent', 'claude']
  await place.start([...run, '--', 'cat', 'stream']).ended
  const {stdout} = await place.vitrine(['view', 'bare'])
  expect(stdout).toContain('[claude] Read: src/a.txt\n')
})
