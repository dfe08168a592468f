import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, fake, sleep, until, type Place} from '../support/run.ts'

const ROUNDS = 20
const env = {LINES: '60', MS: '15'}

let place: Place
/** What the agent prints when nobody disturbs it. */
let whole: Buffer

beforeAll(() => {
  place = createPlace()
  whole = spawnSync(process.execPath, [fake('slow')], {
    env: {...process.env, ...env, MS: '0'},
  }).stdout
})

afterAll(() => {
  place.clear()
})

function isPrefix(bytes: string | Buffer): boolean {
  return whole.subarray(0, Buffer.byteLength(bytes)).equals(Buffer.from(bytes))
}

describe('kill -9 of vitrine run', () => {
  // From before the first line to after the last.
  const moments = Array.from({length: ROUNDS}, () => Math.floor(Math.random() * 1200))

  test.each(moments.map((ms, index) => ({ms, id: `killed-${index}`})))(
    'after $ms ms ($id)',
    async ({ms, id}) => {
      const {child, ended} = place.startFake('slow', ['--id', id], {env})
      await until(() => place.read(id, 'stdout').length > 0)
      await sleep(ms)
      child.kill('SIGKILL')
      await ended

      const survivors = place.survivors()
      const before = place.read(id, 'stdout')
      expect(isPrefix(before)).toBe(true)
      expect(before.length === whole.length || survivors.length > 0).toBe(true)

      const viewed = await place.vitrine(['view', id, '--format', 'raw'])
      expect({exitCode: viewed.exitCode, isPrefix: isPrefix(viewed.stdout)}).toEqual({
        exitCode: 0,
        isPrefix: true,
      })

      const attached = await place.vitrine(['attach', id, '--format', 'raw'])
      expect(attached.stdout).toBe(whole.toString())
      expect(attached.exitCode).toBe(0)
      expect(place.read(id, 'stdout').equals(whole)).toBe(true)
      const listed = (await place.list()).find(({runId}) => runId === id)
      expect(listed).toMatchObject({verdict: 'succeeded', costUsd: 0.0125})
      await place.expectNoSurvivors()
    },
  )
})

describe('kill -9 before the agent says anything', () => {
  test.each([0, 50, 100, 125, 150, 175, 200, 250, 300])('after %i ms', async (ms) => {
    const id = `early-${ms}`
    const {child, ended} = place.startFake('slow', ['--id', id], {env})
    await sleep(ms)
    child.kill('SIGKILL')
    await ended
    const {exitCode, stderr} = await place.vitrine(['runs', '--json'])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    const attached = await place.vitrine(['attach', id, '--format', 'raw'])
    await place.expectNoSurvivors()
    // All of it, or nothing: it was not started.
    expect(['', whole.toString()]).toContain(attached.stdout)
    expect(place.read(id, 'stdout').toString()).toBe(attached.stdout)
    expect(attached.stderr).not.toMatch(/\n\s+at /)
  })

  test('an agent that was just started is not lost', async () => {
    for (let round = 0; round < 10; round++) {
      const id = `just-started-${round}`
      const {child, ended} = place.start([
        'run',
        '--data-dir',
        place.dataDir,
        '--agent',
        'claude',
        '--id',
        id,
        '--',
        'sh',
        '-c',
        `sleep 0.5; ${fake('happy')}`,
      ])
      // The file is there just before the agent is.
      while (!existsSync(join(place.dirOf(id), 'stdout'))) await sleep(1)
      await sleep(round)
      child.kill('SIGKILL')
      await ended
      const wasStarted = place.survivors().length > 0
      const attached = await place.vitrine(['attach', id, '--format', 'raw'])
      await place.expectNoSurvivors()
      expect(attached.stdout).toBe(place.read(id, 'stdout').toString())
      expect(attached.stdout.includes('"type":"result"')).toBe(wasStarted)
    }
  })
})

test('an agent that failed after vitrine was killed has failed', async () => {
  const id = 'killed-failed'
  const {child, ended} = place.start([
    'run',
    '--data-dir',
    place.dataDir,
    '--agent',
    'claude',
    '--id',
    id,
    '--',
    'sh',
    '-c',
    `echo ready >&2; sleep 1; ${fake('error-success')}`,
  ])
  await until(() => place.read(id, 'stderr').includes('ready'))
  child.kill('SIGKILL')
  await ended
  const attached = await place.vitrine(['attach', id])
  expect(attached.stdout).not.toContain('Complete')
  expect(attached.exitCode).toBe(1)
  const listed = (await place.list()).find(({runId}) => runId === id)
  expect(listed).toMatchObject({verdict: 'failed', reason: 'API Error: 529 Overloaded'})
})

test('an agent that was killed with vitrine was cut off', async () => {
  const id = 'both-killed'
  const {child, ended} = place.startFake('slow', ['--id', id], {env: {...env, LINES: '100000'}})
  await until(() => place.read(id, 'stdout').length > 1000)
  child.kill('SIGKILL')
  await ended
  for (const pid of place.survivors()) process.kill(pid, 'SIGKILL')
  await place.expectNoSurvivors()
  const attached = await place.vitrine(['attach', id, '--format', 'raw'])
  expect(attached.stdout).toBe(place.read(id, 'stdout').toString())
  const listed = (await place.list()).find(({runId}) => runId === id)
  expect(['truncated', 'stopped']).toContain(listed?.verdict)
})

describe('a run that is watched', () => {
  test('can be viewed at any moment', async () => {
    const id = 'viewed'
    const {ended} = place.startFake('slow', ['--id', id], {env})
    await until(() => place.read(id, 'stdout').length > 0)
    let size = 0
    while (place.read(id, 'stdout').length < whole.length) {
      const {exitCode, stdout} = await place.vitrine(['view', id, '--format', 'raw'])
      expect({exitCode, isPrefix: isPrefix(stdout)}).toEqual({exitCode: 0, isPrefix: true})
      expect(stdout.length).toBeGreaterThanOrEqual(size)
      size = stdout.length
    }
    expect((await ended).exitCode).toBe(0)
  })

  test('can be attached to, by two at once', async () => {
    const id = 'attached'
    const {ended} = place.startFake('slow', ['--id', id], {env})
    await until(() => place.read(id, 'stdout').length > 0)
    const attached = await Promise.all([
      place.vitrine(['attach', id, '--format', 'raw']),
      place.vitrine(['attach', id, '--format', 'raw']),
    ])
    for (const {exitCode, stdout} of attached) {
      expect(stdout).toBe(whole.toString())
      expect(exitCode).toBe(0)
    }
    expect((await ended).exitCode).toBe(0)
  })

  test('is shown from its beginning to whoever attaches after its end', async () => {
    const {exitCode, stdout} = await place.vitrine(['attach', 'attached', '--format', 'raw'])
    expect(stdout).toBe(whole.toString())
    expect(exitCode).toBe(0)
  })

  test('does not mind when nobody reads on', async () => {
    const id = 'unread'
    const {child, ended} = place.startFake('slow', ['--id', id, '--format', 'raw'], {env})
    await until(() => place.read(id, 'stdout').length > 0)
    child.stdout.destroy()
    child.stderr.destroy()
    await ended
    await until(() => place.survivors().length === 0)
    // Whether it ends the run or lets it go on, what is recorded is what was said.
    expect(isPrefix(place.read(id, 'stdout'))).toBe(true)
  })
})
