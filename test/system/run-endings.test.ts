import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {
  createPlace,
  fake,
  isAlive,
  lastVerdict,
  modeOf,
  readLines,
  type Ended,
  type Place,
  type VerdictLine,
} from '../support/run.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

interface Ending {
  name: string
  /** The script, when it has another name. */
  agent?: string
  args?: string[]
  env?: Record<string, string>
  exitCode: number
  expected: Partial<VerdictLine>
  /** What the reason says. */
  reason: string | RegExp
}

const endings: Ending[] = [
  {
    name: 'happy',
    exitCode: 0,
    expected: {
      verdict: 'succeeded',
      costUsd: 0.0125,
      turns: 1,
      lines: 6,
      malformed: 0,
      unknown: 0,
    },
    reason: 'the last turn ended well',
  },
  {
    // Longer than it may linger: what runs in the background is no lingering.
    name: 'background',
    args: ['--linger', '0.3s'],
    env: {MS: '1500'},
    exitCode: 0,
    expected: {verdict: 'succeeded', costUsd: 0.04, turns: 2, lines: 13, unknown: 0},
    reason: 'the last turn ended well',
  },
  {
    name: 'hangs',
    args: ['--linger', '0.3s'],
    exitCode: 0,
    expected: {verdict: 'succeeded', turns: 1},
    reason: /ended well|linger/,
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
    reason: 'the last line is cut off',
  },
  {
    name: 'dies-mid-line, with exit code 0',
    agent: 'dies-mid-line',
    env: {EXIT: '0'},
    exitCode: 1,
    expected: {verdict: 'truncated', lines: 3, malformed: 1},
    reason: 'the last line is cut off',
  },
  {
    name: 'ignores-sigterm',
    args: ['--timeout', '0.5s'],
    exitCode: 124,
    expected: {verdict: 'timed-out', turns: 0},
    reason: /of 500ms/,
  },
  {
    name: 'prints-much',
    env: {BYTES: '20000000'},
    exitCode: 0,
    expected: {verdict: 'succeeded', malformed: 0, unknown: 0},
    reason: 'the last turn ended well',
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
    reason: 'the last turn ended well',
  },
  {
    name: 'closes-stdout',
    exitCode: 1,
    expected: {verdict: 'truncated', turns: 0, lines: 2},
    reason: 'no turn end',
  },
  {
    name: 'closes-stdout, after its result',
    agent: 'closes-stdout',
    env: {RESULT: '1'},
    exitCode: 0,
    expected: {verdict: 'succeeded', turns: 1, lines: 3},
    reason: 'the last turn ended well',
  },
  {
    name: 'no-result',
    exitCode: 1,
    expected: {verdict: 'truncated', turns: 0, lines: 2},
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
    reason: 'the last turn ended well',
  },
  {
    name: 'several results, counted once in cost',
    agent: 'costly',
    env: {MS: '20'},
    exitCode: 0,
    expected: {verdict: 'succeeded', costUsd: 0.5, turns: 5},
    reason: 'the last turn ended well',
  },
]

describe.each(endings)('$name', ({name, agent = name, args = [], env, exitCode, ...wanted}) => {
  const id = name.replaceAll(/\W+/g, '-')
  const copy = (): string => place.file(`${id}.copy`)

  test('ends with the right verdict, whole and alone', async () => {
    const ended = await place.runFake(agent, ['--id', id, '--format', 'json', ...args], {
      env: {...env, COPY: copy()},
    })
    const verdict = lastVerdict(ended)
    expect(verdict).toMatchObject({type: 'verdict', ...wanted.expected, runId: id})
    expect(verdict.reason).toMatch(wanted.reason)
    expect(ended.exitCode).toBe(exitCode)
    await place.expectNoSurvivors()

    const written = existsSync(copy()) ? readFileSync(copy()) : Buffer.alloc(0)
    expect(place.read(id, 'stdout').equals(written)).toBe(true)

    const listed = (await place.list()).find(({runId}) => runId === id)
    expect(listed).toMatchObject({
      verdict: verdict.verdict,
      reason: verdict.reason,
      costUsd: verdict.costUsd,
      agent: 'claude',
      dir: place.dirOf(id),
    })
  })

  test('leaves a recording for its owner only', () => {
    const dir = place.dirOf(id)
    expect([place.dataDir, join(place.dataDir, 'runs'), dir].map(modeOf)).toEqual([
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
  })

  test('can be viewed, with the same verdict', async () => {
    const viewed = await place.vitrine(['view', id, '--verdict', '--format', 'json'])
    expect(viewed.exitCode).toBe(0)
    expect(lastVerdict(viewed)).toMatchObject({type: 'verdict', ...wanted.expected})
  })
})

test('a daemon in a session of its own is swept away', async () => {
  const pidFile = place.file('daemon.pid')
  const ended = await place.runFake('forks-daemon', ['--id', 'daemon', '--format', 'json'], {
    env: {PID_FILE: pidFile},
  })
  expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1})
  expect(ended.exitCode).toBe(0)
  await expect
    .poll(() => isAlive(Number(readFileSync(pidFile, 'utf8'))), {timeout: 10_000})
    .toBe(false)
  await place.expectNoSurvivors()
})

test('a daemon is swept away when the run is stopped, too', async () => {
  const pidFile = place.file('stopped-daemon.pid')
  const script = `${fake('forks-daemon')} && exec ${fake('hangs')}`
  const ended = await place.start(
    [
      'run',
      '--data-dir',
      place.dataDir,
      '--agent',
      'claude',
      '--format',
      'json',
      '--linger',
      '0.3s',
      '--',
      'sh',
      '-c',
      script,
    ],
    {env: {PID_FILE: pidFile}},
  ).ended
  expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 2})
  expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
  await place.expectNoSurvivors()
})

describe('what is shown', () => {
  test('a failed run is never called complete', async () => {
    for (const name of ['error-success', 'no-result', 'dies-mid-line']) {
      const {stdout} = await place.runFake(name)
      expect(stdout).not.toContain('Complete')
    }
  })

  test('raw is what the agent printed', async () => {
    const copy = place.file('raw.copy')
    const {stdout, exitCode} = await place.runFake('happy', ['--format', 'raw'], {
      env: {COPY: copy},
    })
    expect(stdout).toBe(readFileSync(copy, 'utf8'))
    expect(exitCode).toBe(0)
  })

  test('quiet shows no steps', async () => {
    const {stdout, exitCode} = await place.runFake('happy', ['--format', 'quiet'])
    expect(stdout).not.toContain('Read: ')
    expect(exitCode).toBe(0)
  })

  test('JSON is one event per line, and the verdict', async () => {
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
  })

  test('pretty is what view shows of the recording', async () => {
    const {stdout} = await place.runFake('happy', ['--id', 'pretty'])
    const viewed = await place.vitrine(['view', 'pretty'])
    expect(stdout).toContain('[claude] Read: a.txt\n')
    for (const line of viewed.stdout.trimEnd().split('\n')) expect(stdout).toContain(line)
  })
})

describe('how the agent is started', () => {
  interface Facts {
    argv: string[]
    cwd: string
    env: string[]
  }

  function factsOf({stdout}: Ended): Facts {
    const said = readLines(stdout).find((event) => (event as {type: string}).type === 'text')
    return JSON.parse((said as {text: string}).text) as Facts
  }

  test('a script is left its own arguments, and the folder of whoever started it', async () => {
    const agentArgs = ['-p', 'do it', '--model', 'opus']
    const ended = await place.runFake('tells-env', ['--format', 'json'], {agentArgs})
    expect(factsOf(ended)).toMatchObject({argv: agentArgs, cwd: place.folder})
  })

  test('an agent that is known by its name is told to print its events', async () => {
    mkdirSync(place.file('bin'))
    symlinkSync(fake('tells-env'), place.file('bin/claude'))
    const command = ['claude', '-p', 'do it', '--verbose', '--model', 'opus']
    const ended = await place.start(
      ['run', '--data-dir', place.dataDir, '--format', 'json', '--', ...command],
      {env: {PATH: `${place.file('bin')}:${process.env['PATH']}`}},
    ).ended
    const {argv} = factsOf(ended)
    expect(argv.slice(0, 5)).toEqual(command.slice(1))
    expect(argv.filter((arg) => arg === '--verbose')).toHaveLength(1)
    expect(argv.join(' ')).toContain('--output-format stream-json')
  })

  test('with the environment of whoever started it', async () => {
    const ended = await place.runFake('tells-env', ['--format', 'json'], {
      env: {SOME_VARIABLE: '1'},
    })
    expect(factsOf(ended).env).toEqual(expect.arrayContaining(['SOME_VARIABLE', 'PATH']))
  })

  test('with stdin closed', async () => {
    const {stdout} = await place.runFake('reads-stdin', ['--format', 'json'], {input: 'ignored'})
    expect(stdout).toContain(JSON.stringify('stdin: ""').slice(1, -1))
  })

  test('with our stdin when that is asked for, and it is recorded', async () => {
    const {stdout} = await place.runFake(
      'reads-stdin',
      ['--stdin', '--id', 'stdin', '--format', 'json'],
      {input: 'one\ntwo'},
    )
    expect(stdout).toContain(JSON.stringify('stdin: "one\\ntwo"').slice(1, -1))
    expect(place.read('stdin', 'stdin').toString()).toBe('one\ntwo')
  })
})

test('what the agent says on stderr is recorded as it is', async () => {
  await place.runFake('replay', ['--id', 'stderr'], {
    env: {STDERR_FILE: fake('happy'), STDOUT_FILE: fake('happy')},
  })
  expect(place.read('stderr', 'stderr').equals(readFileSync(fake('happy')))).toBe(true)
  expect(place.read('stderr', 'stdout').equals(readFileSync(fake('happy')))).toBe(true)
})

test("--passthrough-exit gives the agent's own exit code", async () => {
  const {exitCode} = await place.runFake('replay', ['--passthrough-exit'], {env: {EXIT: '42'}})
  expect(exitCode).toBe(42)
})

test('the time of what was printed is recorded', async () => {
  await place.runFake('slow', ['--id', 'timing'], {env: {LINES: '5', MS: '50'}})
  const timing = readLines(place.read('timing', 'timing.ndjson').toString())
  expect(timing.length).toBeGreaterThan(0)
})
