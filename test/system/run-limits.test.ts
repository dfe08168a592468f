import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {beforeAll, describe} from 'vitest'
import {init, result, toolUse, toStream} from '../fake-agents/lines.js'
import {
  fake,
  lastVerdict,
  type Ended,
  placeTest as test,
  sleep,
  until,
  type Place,
  type VerdictLine,
} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

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

describe.concurrent('a limit that is exceeded ends the run', () => {
  const cases: Limited[] = [
    {
      name: '--timeout while the agent prints',
      agent: 'slow',
      args: ['--timeout', '0.5s'],
      env: endless,
      exitCode: 124,
      verdict: 'timed-out',
      reason: /of 500ms/,
    },
    {
      name: '--timeout while a tool runs',
      agent: 'tool-hangs',
      args: ['--timeout', '0.5s'],
      exitCode: 124,
      verdict: 'timed-out',
      reason: /of 500ms/,
    },
    {
      name: '--silence of an agent that never prints',
      agent: 'silent',
      args: ['--silence', '0.4s', '--on-stuck', 'stop'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /silent for/,
    },
    {
      name: '--silence of an agent that ignores signals',
      agent: 'ignores-sigterm',
      args: ['--silence', '0.4s', '--on-stuck', 'stop', '--kill-after', '300ms'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /silent for/,
    },
    {
      name: '--tool-timeout of a tool that hangs',
      agent: 'tool-hangs',
      args: ['--tool-timeout', '0.4s', '--on-stuck', 'stop'],
      exitCode: 125,
      verdict: 'stuck',
      reason: /waiting for tool: Bash/,
    },
    {
      name: '--max-cost between turns',
      agent: 'costly',
      args: ['--max-cost', '0.25'],
      env: {RESULTS: '100', MS: '50'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /of \$0\.25/,
    },
    {
      name: '--max-cost of an agent that has finished',
      agent: 'costly',
      args: ['--max-cost', '0.05'],
      env: {RESULTS: '1', MS: '0'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /\$0\.10 of \$0\.05/,
    },
    {
      name: '--max-turns while tools run',
      agent: 'turns',
      args: ['--max-turns', '3'],
      env: {TURNS: '1000', MS: '50'},
      exitCode: 125,
      verdict: 'over-budget',
      reason: /turns of 3/,
    },
  ]

  test.for(cases)('$name', async (limited, {place, expect}) => {
    const {agent, args, env, exitCode, verdict, reason} = limited
    const ended = await place.runFake(agent, ['--format', 'json', ...args], {env})
    const judged = lastVerdict(ended)
    expect(judged).toMatchObject({type: 'verdict', verdict})
    expect(judged.reason).toMatch(reason)
    expect(ended.exitCode).toBe(exitCode)
    await place.expectNoSurvivors()
  })
})

describe.concurrent('a limit that is not exceeded', () => {
  /** Output of an agent with a background task: until its first result, and the rest. */
  let background: [string, string]

  beforeAll(() => {
    const {stdout} = spawnSync(process.execPath, [fake('background')], {
      env: {...process.env, MS: '0'},
      encoding: 'utf8',
    })
    const rest = stdout.indexOf('{"type":"system","subtype":"task_updated"')
    background = [stdout.slice(0, rest), stdout.slice(rest)]
  })

  // A shell starts faster than Node: its first output comes before the limit on a busy machine, too.
  function startPrinting(place: Place, script: string, texts: readonly string[], args: string[]) {
    for (const [index, text] of texts.entries()) writeFileSync(place.file(`${index + 1}`), text)
    return place.startShell(script, ['--format', 'json', ...args]).ended
  }

  test.for([
    ['background', ['--timeout', '60', '--max-cost', '1', '--max-turns', '50']],
    ['costly', ['--max-cost', '0.5', '--linger', '10s']],
    ['turns', ['--max-turns', '10', '--silence', '1m', '--tool-timeout', '1h']],
  ] as const)('does not change the run: %s %j', async ([agent, args], {place, expect}) => {
    const ended = await place.runFake(agent, ['--format', 'json', ...args], {env: {MS: '20'}})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    expect(ended.exitCode).toBe(0)
  })

  test('does not count silence while a tool runs', async ({place, expect}) => {
    const tool = toStream([init(), toolUse('toolu_1', 'Bash', {command: 'sleep 1000'})])
    const args = ['--silence', '1s', '--on-stuck', 'stop', '--timeout', '2.5s']
    const ended = await startPrinting(place, 'cat 1; exec sleep 1000', [tool], args)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'timed-out'})
  })

  test('does not count silence while a background task runs', async ({place, expect}) => {
    const args = ['--silence', '1s', '--on-stuck', 'stop', '--linger', '0.3s']
    const ended = await startPrinting(place, 'cat 1; sleep 2; cat 2', background, args)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 3})
  })

  test('does not make --timeout a failure of an agent that has finished', async ({
    place,
    expect,
  }) => {
    const done = toStream([init(), result('Done.')])
    const args = ['--linger', '1h', '--timeout', '5s']
    const ended = await startPrinting(place, 'cat 1; exec sleep 1000', [done], args)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
  })

  test('--on-stuck warn prints a warning and lets the agent continue', async ({place, expect}) => {
    const script = `until [ -e warned ]; do sleep 0.05; done; exec ${fake('happy')}`
    const args = ['--silence', '0.3s', '--on-stuck', 'warn']
    const {ended, prints} = place.startShell(script, args)
    await prints('silent')
    writeFileSync(place.file('warned'), '')
    expect((await ended).exitCode).toBe(0)
  })

  test('--linger ends an agent that stays alive after its result; the run succeeded', async ({
    place,
    expect,
  }) => {
    const ended = await place.runFake('hangs', ['--linger', '0.3s', '--format', 'json'])
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
    expect(ended.exitCode).toBe(0)
    await place.expectNoSurvivors()
  })
})

describe.concurrent('work after a turn', () => {
  const countResults = ({stdout}: Ended) => stdout.match(/"type":"turn-end"/g)?.length
  const run = (place: Place, agent: string, args: string[], env: Record<string, string> = {}) =>
    place.runFake(agent, ['--format', 'json', '--linger', '0.3s', ...args], {env})

  test('is awaited when the agent planned it', async ({place, expect}) => {
    const ended = await run(place, 'wakes-up', [], {MS: '1500'})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', evidence: []})
    expect(countResults(ended)).toBe(2)
  })

  test('is in the evidence when the agent planned it and did not do it', async ({
    place,
    expect,
  }) => {
    const ended = await run(place, 'wakes-up', [], {MS: '1000', SLEEPS: '1'})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    expect(lastVerdict(ended).evidence).toEqual([
      'process stayed alive after its last turn and was terminated',
      'planned wake-up did not run: check the build',
    ])
  })

  test('is awaited when it compacts the conversation', async ({place, expect}) => {
    const ended = await run(place, 'compacts', [], {MS: '1500'})
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', evidence: []})
    expect(countResults(ended)).toBe(2)
  })

  test.skipIf(process.platform !== 'linux')(
    'is awaited when it runs a hook',
    async ({place, expect}) => {
      const ended = await run(place, 'exit-hook', ['--linger', '2s'], {
        HOOK: 'sleep 4; touch hooked',
      })
      expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', evidence: []})
      expect(existsSync(place.file('hooked'))).toBe(true)
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'is on the verdict line when it is cut off',
    async ({place, expect}) => {
      const args = ['--linger', '2s', '--timeout', '4s']
      const ended = await place.runFake('exit-hook', args, {env: {HOOK: 'sleep 60; true'}})
      expect(ended.stdout).toMatch(/Timed out: .*unfinished: sleep 60; true/)
      await place.expectNoSurvivors()
    },
  )
})

describe.concurrent('a stuck agent', () => {
  test('is diagnosed in the output and in the evidence when it is stopped', async ({
    place,
    expect,
  }) => {
    const args = ['--silence', '1s', '--on-stuck', 'stop', '--format', 'json']
    const ended = await place.runFake('silent', args)
    expect(ended.stderr).toMatch(/stuck: silent for .*, process alive.*; stopping the run/)
    const {verdict, evidence} = lastVerdict(ended)
    expect(verdict).toBe('stuck')
    expect(evidence.join()).toMatch(/^starting, process alive/)
  })

  test.skipIf(process.platform !== 'linux')(
    'ends without SIGKILL when it is suspended',
    async ({place, expect}) => {
      const args = ['--silence', '1s', '--on-stuck', 'stop', '--format', 'json']
      const script = `cat 1; kill -STOP $$; exec sleep 1000`
      writeFileSync(place.file('1'), toStream([init(), toolUse('t', 'Bash', {command: 'sleep 1'})]))
      const judged = lastVerdict(await place.startShell(script, args).ended)
      expect(judged).toMatchObject({verdict: 'stuck', ended: {wasForced: false}})
      expect(judged.reason).toMatch(/^suspended \(SIGSTOP\) for /)
    },
  )
})

describe.concurrent('signals to vitrine run', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)(
    '%s stops the agent',
    async (signal, {place, expect}) => {
      const {child, ended, prints} = place.startFake('slow', ['--format', 'json'], {env: endless})
      await prints('This is line 3.')
      child.kill(signal)
      const stopped = await ended
      expect(lastVerdict(stopped)).toMatchObject({verdict: 'stopped'})
      expect(stopped.exitCode).toBe(130)
      await place.expectNoSurvivors()
    },
  )

  test('SIGINT while it reads stdin: the agent is not started', async ({place, expect}) => {
    const args = ['run', '--data-dir', place.dataDir, '--id', 'waits', '--stdin']
    const child = spawn(process.execPath, [bin, ...args, '--', fake('happy')])
    const ended = once(child, 'exit')
    await untilInterruptible(child.pid ?? 0)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(existsSync(place.dirOf('waits'))).toBe(false)
  })

  test('the recording of a stopped run is complete', async ({place, expect}) => {
    const copy = place.file('stopped.copy')
    const args = ['--id', 'stopped', '--format', 'json']
    const {child, ended, prints} = place.startFake('slow', args, {env: {...endless, COPY: copy}})
    await prints('This is line 3.')
    child.kill('SIGINT')
    await ended
    await place.expectNoSurvivors()
    // The agent may end between its two writes.
    const written = readFileSync(copy)
    const recorded = place.read('stopped', 'stdout')
    expect(recorded.length).toBeGreaterThan(0)
    expect(written.subarray(0, recorded.length).equals(recorded)).toBe(true)
    expect(written.subarray(recorded.length).filter((byte) => byte === 10).length).toBeLessThan(2)
    const listed = (await place.list()).find(({runId}) => runId === 'stopped')
    expect(listed).toMatchObject({verdict: 'stopped'})
  })

  test('an agent that ignores signals is killed after 5 s by default', async ({place, expect}) => {
    const args = ['--id', 'deaf', '--format', 'json']
    const {child, ended, prints} = place.startFake('ignores-sigterm', args)
    await prints('Here I stay.')
    child.kill('SIGINT')
    const stopped = await ended
    expect(lastVerdict(stopped)).toMatchObject({verdict: 'stopped'})
    expect(stopped.exitCode).toBe(130)
    const {ended: ending} = place.readRun('deaf')['result'] as {ended: {afterMs: number}}
    expect(ending).toMatchObject({signal: 'SIGKILL', wasForced: true})
    expect(ending.afterMs).toBeGreaterThanOrEqual(4900)
    await place.expectNoSurvivors()
  })

  test('a second SIGINT kills the agent at once', async ({place, expect}) => {
    const args = ['--id', 'forced', '--format', 'json', '--kill-after', '1h']
    const {child, ended, prints, warns} = place.startFake('ignores-sigterm', args)
    await prints('Here I stay.')
    child.kill('SIGINT')
    await warns('stopping: ')
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
    expect(place.readRun('forced')).toMatchObject({
      result: {verdict: 'stopped', ended: {signal: 'SIGKILL', wasForced: true}},
    })
    await place.expectNoSurvivors()
  })

  test('the agent can end by itself before it is killed', async ({place, expect}) => {
    const script = `trap 'echo polite >&2; exit 0' INT TERM; echo ready >&2; while :; do sleep 0.1; done`
    const {child, ended} = place.startShell(script, ['--id', 'polite'])
    await until(() => place.read('polite', 'stderr').includes('ready'))
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
    expect(place.read('polite', 'stderr').toString()).toContain('polite')
    await place.expectNoSurvivors()
  })
})

/** Waits until a process handles SIGHUP, which Node does not by itself: then it handles SIGINT as well. */
async function untilInterruptible(pid: number): Promise<void> {
  if (process.platform !== 'linux') return sleep(700)
  const SIGHUP_BIT = 1n
  await until(() => {
    const [, mask = '0'] =
      /^SigCgt:\s+(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (BigInt(`0x${mask}`) & SIGHUP_BIT) !== 0n
  })
}
