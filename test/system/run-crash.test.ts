import {existsSync} from 'node:fs'
import {beforeAll, describe} from 'vitest'
import {
  checkKillAtStart,
  checkKillEarly,
  checkKillMidRun,
  isPrefix,
  readKnownAgent,
  type KnownAgent,
} from '../support/kill-run.ts'
import {fake, placeTest as test, until} from '../support/run.ts'

let agent: KnownAgent

beforeAll(() => {
  agent = readKnownAgent(40, 15)
})

// Rounds at random moments: test/slow/run-crash.test.ts.
describe.concurrent('after kill -9 of vitrine run', () => {
  test('attach completes a run that was killed between two lines', async ({place, expect}) => {
    const id = 'mid-run'
    const moment = () => until(() => place.read(id, 'stdout').includes('This is line 10.'))
    await checkKillMidRun({place, expect, agent, id, moment})
  })

  test('attach shows all output or none when the agent had not printed yet', async ({
    place,
    expect,
  }) => {
    const id = 'early'
    const moment = () => until(() => existsSync(place.dirOf(id)), 1)
    await checkKillEarly({place, expect, agent, id, moment})
  })

  test('attach finds an agent that was just started', async ({place, expect}) => {
    await checkKillAtStart({place, expect, id: 'just-started', moment: () => Promise.resolve()})
  })

  test('attach reports the failure of an agent that failed later', async ({place, expect}) => {
    const id = 'killed-failed'
    const script = `echo ready >&2; sleep 0.5; ${fake('error-success')}`
    const {child, ended} = place.startShell(script, ['--id', id])
    await until(() => place.read(id, 'stderr').includes('ready'))
    child.kill('SIGKILL')
    await ended
    const attached = await place.vitrine(['attach', id])
    expect(attached.stdout).not.toContain('Complete')
    expect(attached.exitCode).toBe(1)
    const listed = (await place.list()).find(({runId}) => runId === id)
    expect(listed).toMatchObject({verdict: 'failed', reason: 'API Error: 529 Overloaded'})
  })

  test('the run counts as cut off when the agent was killed too', async ({place, expect}) => {
    const id = 'both-killed'
    const env = {...agent.env, LINES: '100000'}
    const {child, ended} = place.startFake('slow', ['--id', id], {env})
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
})

describe.concurrent('a run in progress', () => {
  test('can be viewed at any moment', async ({place, expect}) => {
    const id = 'viewed'
    const {ended} = place.startFake('slow', ['--id', id], {env: agent.env})
    await until(() => place.read(id, 'stdout').length > 0)
    let size = 0
    while (place.read(id, 'stdout').length < agent.output.length) {
      const {exitCode, stdout} = await place.vitrine(['view', id, '--format', 'raw'])
      expect({exitCode, isPrefix: isPrefix(agent, stdout)}).toEqual({exitCode: 0, isPrefix: true})
      expect(stdout.length).toBeGreaterThanOrEqual(size)
      size = stdout.length
    }
    expect((await ended).exitCode).toBe(0)
  })

  test('shows its complete output to two clients that attach at once, and after its end', async ({
    place,
    expect,
  }) => {
    const id = 'attached'
    const {ended} = place.startFake('slow', ['--id', id], {env: agent.env})
    await until(() => place.read(id, 'stdout').length > 0)
    const attach = () => place.vitrine(['attach', id, '--format', 'raw'])
    const attached = await Promise.all([attach(), attach()])
    expect((await ended).exitCode).toBe(0)
    for (const {exitCode, stdout} of [...attached, await attach()]) {
      expect(stdout).toBe(agent.output.toString())
      expect(exitCode).toBe(0)
    }
  })

  test('records only what the agent printed when its own reader closes the pipes', async ({
    place,
    expect,
  }) => {
    const id = 'unread'
    const args = ['--id', id, '--format', 'raw']
    const {child, ended} = place.startFake('slow', args, {env: agent.env})
    await until(() => place.read(id, 'stdout').length > 0)
    child.stdout.destroy()
    child.stderr.destroy()
    await ended
    await until(() => place.survivors().length === 0)
    expect(isPrefix(agent, place.read(id, 'stdout'))).toBe(true)
  })
})
