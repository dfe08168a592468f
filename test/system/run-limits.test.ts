import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {
  createPlace,
  fake,
  lastVerdict,
  sleep,
  until,
  type Place,
  type VerdictLine,
} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

interface Limited {
  name: string
  agent: string
  args: string[]
  env?: Record<string, string>
  exitCode: number
  verdict: VerdictLine['verdict']
  reason: RegExp
}

const endless = {LINES: '100000', MS: '20'}

describe('a limit that is passed ends the run', () => {
  const cases: Limited[] = [
    {
      name: '--timeout, while it speaks',
      agent: 'slow',
      args: ['--timeout', '0.7s'],
      env: endless,
      exitCode: 124,
      verdict: 'timed-out',
      reason: /of 700ms/,
    },
    {
      name: '--timeout, while a tool runs',
      agent: 'tool-hangs',
      args: ['--timeout', '0.7s'],
      exitCode: 124,
      verdict: 'timed-out',
      reason: /of 700ms/,
    },
    {
      name: '--silence, of one that never speaks',
      agent: 'silent',
      args: ['--silence', '0.4s', '--on-stuck', 'stop'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /silent for/,
    },
    {
      name: '--silence, of one that does not go',
      agent: 'ignores-sigterm',
      args: ['--silence', '0.4s', '--on-stuck', 'stop'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /silent for/,
    },
    {
      name: '--tool-timeout',
      agent: 'tool-hangs',
      args: ['--tool-timeout', '0.4s', '--on-stuck', 'stop'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /waiting for tool: Bash/,
    },
    {
      name: '--max-cost, between turns',
      agent: 'costly',
      args: ['--max-cost', '0.25'],
      env: {RESULTS: '100', MS: '300'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /of \$0\.25/,
    },
    {
      name: '--max-cost, of one that is done',
      agent: 'costly',
      args: ['--max-cost', '0.05'],
      env: {RESULTS: '1', MS: '0'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /\$0\.10 of \$0\.05/,
    },
    {
      name: '--max-turns',
      agent: 'turns',
      args: ['--max-turns', '3'],
      env: {TURNS: '1000', MS: '100'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /turns of 3/,
    },
  ]

  test.each(cases)('$name', async ({agent, args, env, exitCode, verdict, reason}) => {
    const ended = await place.runFake(agent, ['--format', 'json', ...args], {env})
    const judged = lastVerdict(ended)
    expect(judged).toMatchObject({type: 'verdict', verdict})
    expect(judged.reason).toMatch(reason)
    expect(ended.exitCode).toBe(exitCode)
    await place.expectNoSurvivors()
  })
})

describe('a limit that is not passed changes nothing', () => {
  test.each([
    ['background', ['--timeout', '60', '--max-cost', '1', '--max-turns', '50']],
    ['costly', ['--max-cost', '0.5', '--linger', '10s']],
    ['turns', ['--max-turns', '10', '--silence', '1m', '--tool-timeout', '1h']],
  ])('%s %j', async (agent, args) => {
    const ended = await place.runFake(agent, ['--format', 'json', ...args], {env: {MS: '20'}})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    expect(ended.exitCode).toBe(0)
  })

  test('silence is excused while a tool runs', async () => {
    const args = ['--silence', '0.3s', '--on-stuck', 'stop', '--timeout', '1.5s']
    const ended = await place.runFake('tool-hangs', ['--format', 'json', ...args])
    expect(lastVerdict(ended)).toMatchObject({verdict: 'timed-out'})
  })

  test('silence is excused while work goes on in the background', async () => {
    const args = ['--silence', '0.3s', '--on-stuck', 'stop', '--linger', '0.3s']
    const ended = await place.runFake('background', ['--format', 'json', ...args], {
      env: {MS: '1500'},
    })
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 2})
  })
})

test('--on-stuck warn says so and goes on', async () => {
  const args = ['--silence', '0.3s', '--on-stuck', 'warn']
  const {exitCode, stdout, stderr} = await place.runFake('slow', args, {
    env: {LINES: '2', MS: '1500'},
  })
  expect(`${stdout}${stderr}`).toMatch(/silent/)
  expect(exitCode).toBe(0)
})

describe('--linger', () => {
  test('ends one that hangs after its result, and that is success', async () => {
    const ended = await place.runFake('hangs', ['--linger', '0.3s', '--format', 'json'])
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
    expect(ended.exitCode).toBe(0)
    await place.expectNoSurvivors()
  })

  test('is not what --timeout calls a timeout', async () => {
    const args = ['--linger', '1h', '--timeout', '1.5s', '--format', 'json']
    const ended = await place.runFake('hangs', args)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
  })
})

describe('signals to vitrine', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s stops the agent', async (signal) => {
    const {child, ended, prints} = place.startFake('slow', ['--format', 'json'], {env: endless})
    await prints('This is line 3.')
    child.kill(signal)
    const result = await ended
    expect(lastVerdict(result)).toMatchObject({verdict: 'stopped'})
    expect(result.exitCode).toBe(130)
    await place.expectNoSurvivors()
  })

  test('SIGINT while it waits for stdin: nothing is started', async () => {
    const args = ['run', '--data-dir', place.dataDir, '--id', 'waits', '--stdin']
    const child = spawn(process.execPath, [bin, ...args, '--', fake('happy')])
    const ended = once(child, 'exit')
    await sleep(700)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(existsSync(place.dirOf('waits'))).toBe(false)
  })

  test('the recording of a stopped run is whole', async () => {
    const copy = place.file('stopped.copy')
    const args = ['--id', 'stopped', '--format', 'json']
    const {child, ended, prints} = place.startFake('slow', args, {env: {...endless, COPY: copy}})
    await prints('This is line 3.')
    child.kill('SIGINT')
    await ended
    await place.expectNoSurvivors()
    // It may die between its two writes.
    const written = readFileSync(copy)
    const recorded = place.read('stopped', 'stdout')
    expect(recorded.length).toBeGreaterThan(0)
    expect(written.subarray(0, recorded.length).equals(recorded)).toBe(true)
    expect(written.subarray(recorded.length).filter((byte) => byte === 10).length).toBeLessThan(2)
    const listed = (await place.list()).find(({runId}) => runId === 'stopped')
    expect(listed).toMatchObject({verdict: 'stopped'})
  })

  test('one that does not go is forced', async () => {
    const {child, ended, prints} = place.startFake('ignores-sigterm', ['--format', 'json'])
    await prints('Here I stay.')
    child.kill('SIGINT')
    const result = await ended
    expect(lastVerdict(result)).toMatchObject({verdict: 'stopped'})
    expect(result.exitCode).toBe(130)
    await place.expectNoSurvivors()
  })

  test('a second SIGINT forces at once', async () => {
    const {child, ended, prints} = place.startFake('ignores-sigterm', ['--format', 'json'])
    await prints('Here I stay.')
    child.kill('SIGINT')
    const again = setInterval(() => child.kill('SIGINT'), 300)
    const result = await ended
    clearInterval(again)
    expect(result.exitCode).toBe(130)
    await place.expectNoSurvivors()
  })

  test('the agent is asked before it is forced', async () => {
    const script = `trap 'echo polite >&2; exit 0' INT TERM; echo ready >&2; while :; do sleep 0.1; done`
    const {child, ended} = place.start([
      'run',
      '--data-dir',
      place.dataDir,
      '--agent',
      'claude',
      '--id',
      'polite',
      '--',
      'sh',
      '-c',
      script,
    ])
    await until(() => place.read('polite', 'stderr').includes('ready'))
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
    expect(place.read('polite', 'stderr').toString()).toContain('polite')
    await place.expectNoSurvivors()
  })
})
