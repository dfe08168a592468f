import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, test} from 'vitest'
import {
  createPlace,
  fake,
  isAlive,
  lastVerdict,
  modeOf,
  placeTest,
  readLines,
  until,
  type Ended,
  type Place,
  type VerdictLine,
} from '../support/run.ts'

interface Ending {
  name: string
  /** The fake agent, when it has another name. */
  agent?: string
  args?: string[]
  env?: Record<string, string>
  exitCode: number
  expected: Partial<VerdictLine>
  reason: string | RegExp
}

const endings: Ending[] = [
  {
    name: 'happy',
    exitCode: 0,
    expected: {
      verdict: 'succeeded',
      costUsd: 0.0125,
      turns: 2,
      lines: 6,
      malformed: 0,
      unknown: 0,
    },
    reason: 'Last turn completed without errors',
  },
  {
    // The background task runs longer than --linger, which does not apply to it.
    name: 'background',
    args: ['--linger', '0.3s'],
    env: {MS: '1000'},
    exitCode: 0,
    expected: {verdict: 'succeeded', costUsd: 0.04, turns: 3, lines: 13, unknown: 0},
    reason: 'Last turn completed without errors',
  },
  {
    name: 'hangs',
    args: ['--linger', '0.3s'],
    exitCode: 0,
    expected: {verdict: 'succeeded', turns: 1},
    reason: /completed without errors|stayed alive/,
  },
  {
    name: 'silent',
    args: ['--timeout', '0.5s'],
    exitCode: 124,
    expected: {verdict: 'timed-out', costUsd: null, turns: 0, lines: 0},
    reason: /of 500ms/,
  },
  {
    name: 'dies-mid-line',
    exitCode: 1,
    expected: {verdict: 'truncated', lines: 3, malformed: 1},
    reason: 'the last line is incomplete',
  },
  {
    name: 'dies-mid-line, with exit code 0',
    agent: 'dies-mid-line',
    env: {EXIT: '0'},
    exitCode: 1,
    expected: {verdict: 'truncated', lines: 3, malformed: 1},
    reason: 'the last line is incomplete',
  },
  {
    name: 'ignores-sigterm',
    args: ['--timeout', '0.5s', '--kill-after', '300ms'],
    exitCode: 124,
    expected: {verdict: 'timed-out', turns: 1},
    reason: /of 500ms/,
  },
  {
    name: 'prints-bytes',
    env: {BYTES: '20000000'},
    exitCode: 0,
    expected: {verdict: 'succeeded', malformed: 0, unknown: 0},
    reason: 'Last turn completed without errors',
  },
  {
    name: 'binary',
    exitCode: 1,
    expected: {verdict: 'truncated', turns: 0},
    reason: 'no turn end',
  },
  {
    name: 'binary, then a result',
    agent: 'binary',
    env: {RESULT: '1'},
    exitCode: 0,
    expected: {verdict: 'succeeded', turns: 1},
    reason: 'Last turn completed without errors',
  },
  {
    name: 'closes-stdout',
    exitCode: 1,
    expected: {verdict: 'truncated', turns: 1, lines: 2},
    reason: 'no turn end',
  },
  {
    name: 'closes-stdout, after its result',
    agent: 'closes-stdout',
    env: {RESULT: '1'},
    exitCode: 0,
    expected: {verdict: 'succeeded', turns: 1, lines: 3},
    reason: 'Last turn completed without errors',
  },
  {
    name: 'no-result',
    exitCode: 1,
    expected: {verdict: 'truncated', turns: 1, lines: 2},
    reason: 'no turn end',
  },
  {
    name: 'error-success',
    exitCode: 1,
    expected: {verdict: 'failed', costUsd: 0, turns: 1},
    reason: 'API Error: 529 Overloaded',
  },
  {
    name: 'slow',
    env: {LINES: '20', MS: '10'},
    exitCode: 0,
    expected: {verdict: 'succeeded', lines: 22},
    reason: 'Last turn completed without errors',
  },
  {
    name: 'several results, whose cost is counted once',
    agent: 'costly',
    env: {MS: '20'},
    exitCode: 0,
    expected: {verdict: 'succeeded', costUsd: 0.5, turns: 5},
    reason: 'Last turn completed without errors',
  },
]

describe('a run of a fake agent', () => {
  /** Has the recordings of all endings. */
  let shared: Place
  const verdicts = new Map<string, VerdictLine>()
  const idOf = (name: string): string => name.replaceAll(/\W+/g, '-')

  beforeAll(() => {
    shared = createPlace()
  })

  afterAll(() => {
    shared.clear()
  })

  describe.concurrent('ends with the right verdict, a complete private recording and no process left', () => {
    placeTest.for(endings)('$name', async (ending, {place, expect}) => {
      const {name, agent = name, args = [], env, exitCode, expected, reason} = ending
      const id = idOf(name)
      const copy = place.file('copy')
      const where = ['--id', id, '--data-dir', shared.dataDir]
      const ended = await place.runFake(agent, [...where, '--format', 'json', ...args], {
        env: {...env, COPY: copy},
      })
      const verdict = lastVerdict(ended)
      verdicts.set(id, verdict)
      expect(verdict).toMatchObject({type: 'verdict', ...expected, runId: id})
      expect(verdict.reason).toMatch(reason)
      expect(ended.exitCode).toBe(exitCode)
      await place.expectNoSurvivors()

      const written = existsSync(copy) ? readFileSync(copy) : Buffer.alloc(0)
      expect(shared.read(id, 'stdout').equals(written)).toBe(true)

      const dir = shared.dirOf(id)
      expect([shared.dataDir, join(shared.dataDir, 'runs'), dir].map(modeOf)).toEqual([
        '700',
        '700',
        '700',
      ])
      const files = readdirSync(dir)
      expect(files).toEqual(
        expect.arrayContaining(['run.json', 'stderr', 'stdin', 'stdout', 'timing.ndjson']),
      )
      expect(files.map((file) => [file, modeOf(join(dir, file))])).toEqual(
        files.map((file) => [file, '600']),
      )

      const viewed = await shared.vitrine(['view', id, '--verdict', '--format', 'json'])
      expect(viewed.exitCode).toBe(0)
      expect(lastVerdict(viewed)).toMatchObject({type: 'verdict', ...expected})
    })
  })

  test('is listed by vitrine runs with the verdict that it printed', async ({expect}) => {
    const listed = new Map((await shared.list()).map((run) => [run.runId, run]))
    expect(verdicts.size).toBe(endings.length)
    for (const [id, {verdict, reason, costUsd}] of verdicts) {
      const dir = shared.dirOf(id)
      expect(listed.get(id)).toMatchObject({verdict, reason, costUsd, agent: 'claude', dir})
    }
  })
})

describe.concurrent('a daemon that left the session of the agent', () => {
  placeTest('is killed when the agent has ended', async ({place, expect}) => {
    const pidFile = place.file('daemon.pid')
    const ended = await place.runFake('forks-daemon', ['--id', 'daemon', '--format', 'json'], {
      env: {PID_FILE: pidFile},
    })
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
    expect(ended.exitCode).toBe(0)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await until(() => !isAlive(pid))
    await place.expectNoSurvivors()
  })

  placeTest('is killed when the agent was stopped', async ({place, expect}) => {
    const pidFile = place.file('daemon.pid')
    const script = `${fake('forks-daemon')} && exec ${fake('hangs')}`
    const args = ['--format', 'json', '--linger', '0.3s']
    const ended = await place.startShell(script, args, {env: {PID_FILE: pidFile}}).ended
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 2})
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
    await place.expectNoSurvivors()
  })
})

describe.concurrent('the output of vitrine run', () => {
  placeTest('does not call a failed run complete', async ({place, expect}) => {
    const names = ['error-success', 'no-result', 'dies-mid-line']
    const runs = await Promise.all(names.map((name) => place.runFake(name)))
    for (const {stdout} of runs) {
      expect(stdout).not.toBe('')
      expect(stdout).not.toContain('Complete')
    }
  })

  placeTest('has the bytes of the agent with --format raw', async ({place, expect}) => {
    const copy = place.file('copy')
    const {stdout, exitCode} = await place.runFake('happy', ['--format', 'raw'], {
      env: {COPY: copy},
    })
    expect(stdout).toBe(readFileSync(copy, 'utf8'))
    expect(exitCode).toBe(0)
  })

  placeTest('has no steps with --format quiet', async ({place, expect}) => {
    const {stdout, exitCode} = await place.runFake('happy', ['--format', 'quiet'])
    expect(stdout).not.toContain('Read: ')
    expect(exitCode).toBe(0)
  })

  placeTest(
    'has one event per line and the verdict with --format json',
    async ({place, expect}) => {
      const {stdout} = await place.runFake('happy', ['--format', 'json'])
      expect(readLines(stdout).map((event) => (event as {type: string}).type)).toEqual([
        'session-start',
        'text',
        'tool-start',
        'tool-end',
        'text',
        'usage',
        'turn-end',
        'verdict',
      ])
    },
  )

  placeTest(
    'has every line that vitrine view prints for the recording',
    async ({place, expect}) => {
      const {stdout} = await place.runFake('happy', ['--id', 'pretty'])
      const viewed = await place.vitrine(['view', 'pretty'])
      expect(stdout).toContain('[claude] Read: a.txt\n')
      for (const line of viewed.stdout.trimEnd().split('\n')) expect(stdout).toContain(line)
    },
  )
})

describe.concurrent('an agent', () => {
  interface Facts {
    argv: string[]
    cwd: string
    env: string[]
    values: string[]
  }

  function factsOf({stdout}: Ended): Facts {
    const textEvent = readLines(stdout).find((event) => (event as {type: string}).type === 'text')
    return JSON.parse((textEvent as {text: string}).text) as Facts
  }

  placeTest(
    'gets its own arguments, working directory and environment when it is a script',
    async ({place, expect}) => {
      const agentArgs = ['-p', 'do it', '--model', 'opus']
      const ended = await place.runFake('prints-env', ['--format', 'json'], {
        agentArgs,
        env: {SOME_VARIABLE: '1', VITRINE_TOKEN: 'secret-token'},
      })
      const facts = factsOf(ended)
      expect(facts.env).not.toContain('VITRINE_TOKEN')
      const [run] = await place.list()
      const secrets = [String(place.readRun(run?.runId ?? '')['marker']), 'secret-token']
      for (const secret of secrets) expect(facts.values.join('\n')).not.toContain(secret)
      expect(facts).toMatchObject({argv: agentArgs, cwd: place.folder})
      expect(facts.env).toEqual(expect.arrayContaining(['SOME_VARIABLE', 'PATH']))
    },
  )

  placeTest(
    'gets the flags that make it print events when it is detected by its name',
    async ({place, expect}) => {
      mkdirSync(place.file('bin'))
      symlinkSync(fake('prints-env'), place.file('bin/claude'))
      const command = ['claude', '-p', 'do it', '--verbose', '--model', 'opus']
      const ended = await place.start(
        ['run', '--data-dir', place.dataDir, '--format', 'json', '--', ...command],
        {env: {PATH: `${place.file('bin')}:${process.env['PATH']}`}},
      ).ended
      const {argv} = factsOf(ended)
      expect(argv.slice(0, 5)).toEqual(command.slice(1))
      expect(argv.filter((arg) => arg === '--verbose')).toHaveLength(1)
      expect(argv.join(' ')).toContain('--output-format stream-json')
    },
  )

  placeTest('gets a closed stdin by default', async ({place, expect}) => {
    const {stdout} = await place.runFake('reads-stdin', ['--format', 'json'], {input: 'ignored'})
    expect(stdout).toContain(JSON.stringify('stdin: ""').slice(1, -1))
  })

  placeTest('gets our stdin with --stdin, and it is recorded', async ({place, expect}) => {
    const {stdout} = await place.runFake(
      'reads-stdin',
      ['--stdin', '--id', 'stdin', '--format', 'json'],
      {input: 'one\ntwo'},
    )
    expect(stdout).toContain(JSON.stringify('stdin: "one\\ntwo"').slice(1, -1))
    expect(place.read('stdin', 'stdin').toString()).toBe('one\ntwo')
  })

  placeTest(
    'has its stderr recorded byte for byte, and its exit code passed through',
    async ({place, expect}) => {
      const {exitCode} = await place.runFake('replay', ['--id', 'stderr', '--passthrough-exit'], {
        env: {STDERR_FILE: fake('happy'), STDOUT_FILE: fake('happy'), EXIT: '42'},
      })
      expect(place.read('stderr', 'stderr').equals(readFileSync(fake('happy')))).toBe(true)
      expect(place.read('stderr', 'stdout').equals(readFileSync(fake('happy')))).toBe(true)
      expect(exitCode).toBe(42)
    },
  )

  placeTest('has the time of its output recorded', async ({place, expect}) => {
    await place.runFake('slow', ['--id', 'timing'], {env: {LINES: '5', MS: '20'}})
    const timing = readLines(place.read('timing', 'timing.ndjson').toString())
    expect(timing.length).toBeGreaterThan(0)
  })
})
