import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {expectForEach} from '../support/each-fixture.ts'
import {createPlace, fake, inBatches, readLines, type Ended, type Place} from '../support/run.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** Returns a file that exists only if the agent was started. */
const copy = (): string => place.file('copy')

function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return place.start(['run', '--data-dir', place.dataDir, ...args], {env: {COPY: copy(), ...env}})
    .ended
}

/** Summarises how a command was rejected: with one line as its only output. */
function describeRefusal({exitCode, stdout, stderr}: Ended): object {
  const [message = '', ...more] = stderr.trimEnd().split('\n')
  return {exitCode, stdout, message, more, wasStarted: existsSync(copy())}
}

/** Escapes a text for a regular expression. */
function escape(text: string): string {
  return text.replaceAll(/[^\w\s-]/g, String.raw`\$&`)
}

function refusal(about: string): object {
  const message = expect.stringMatching(new RegExp(`^vitrine: .*${about}`, 'i'))
  return {exitCode: 2, stdout: '', message, more: [], wasStarted: false}
}

describe('usage', () => {
  test('an unknown option is rejected', async () => {
    const ended = await run(['--no-such-option', '--', fake('happy')])
    expect(describeRefusal(ended)).toEqual(refusal('--no-such-option'))
  })

  test('a missing command is rejected', async () => {
    const {exitCode, stderr} = await run([])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^vitrine: /)
    expect(await run(['--'])).toMatchObject({exitCode: 2})
  })

  const values = [
    ['--timeout', 'abc'],
    ['--timeout', '-1'],
    ['--timeout', ''],
    ['--timeout', '1y'],
    ['--timeout', 'NaN'],
    ['--timeout', 'Infinity'],
    ['--silence', '10 minutes'],
    ['--tool-timeout', 'm'],
    ['--linger', 'soon'],
    ['--answer-timeout', '1e'],
    ['--max-cost', 'abc'],
    ['--max-cost', '-0.5'],
    ['--max-cost', ''],
    ['--max-turns', '1.5'],
    ['--max-turns', '-3'],
    ['--max-turns', 'many'],
    ['--max-line-bytes', '0'],
    ['--max-line-bytes', '64k'],
    ['--max-iterations', '0'],
    ['--max-iterations', 'x'],
    ['--keep', '-1'],
    ['--format', 'xml'],
    ['--on-stuck', 'maybe'],
    ['--permissions', 'sometimes'],
    ['--agent', 'nobody'],
    ['--allow', 'Bash('],
    ['--id', '../up'],
    ['--id', 'a/b'],
    ['--id', '.hidden'],
  ].map(([option = '', value = '']) => ({name: `${option}=${value}`, option, value}))

  test('an invalid value of an option is rejected in one line', async () => {
    const ended = new Map<string, Ended>()
    await inBatches(values, async ({name}) => {
      ended.set(name, await run([name, '--', fake('happy')]))
    })
    await expectForEach(values, ({name, option, value}) => {
      const refused = ended.get(name)
      if (refused === undefined) throw new Error('was not run')
      expect(describeRefusal(refused)).toEqual(refusal(`(${option}|${escape(value)})`))
    })
  })

  test('a duration may have a unit and a fraction', async () => {
    // Every value is parsed and the last one applies.
    const timeouts = ['0.5', '0.5s', '90', '90s', '10m', '2h'].flatMap((value) => [
      '--timeout',
      value,
    ])
    expect((await place.runFake('happy', [...timeouts, '--format', 'quiet'])).exitCode).toBe(0)
  })

  test('--permissions is rejected for an agent that does not support it', async () => {
    const ended = await run(['--agent', 'codex', '--permissions', 'ask', '--', fake('happy')])
    expect(describeRefusal(ended)).toEqual(refusal('codex'))
  })

  test('arguments after the command belong to the agent', async () => {
    const {exitCode, stdout} = await place.start([
      'run',
      '--data-dir',
      place.dataDir,
      '--agent',
      'claude',
      '--format',
      'json',
      fake('prints-env'),
      '--no-such-option',
      '--timeout',
      'abc',
    ]).ended
    expect(stdout).toContain('--no-such-option')
    expect(exitCode).toBe(0)
  })

  test.skipIf(process.platform === 'win32')(
    'an option of Vitrine that was given to the agent by mistake is explained',
    async () => {
      const picky = place.file('picky')
      writeFileSync(picky, '#!/bin/sh\necho "error: unknown option \'$1\'" >&2\nexit 1\n')
      chmodSync(picky, 0o755)
      const {exitCode, stderr} = await run(['--agent', 'claude', picky, '--max-cost', '5'])
      expect(exitCode).toBe(1)
      expect(stderr).toContain(
        `vitrine: --max-cost was passed to ${picky}. Put options of Vitrine before it: vitrine run --max-cost … ${picky} …\n`,
      )
      const other = await run(['--agent', 'claude', picky, '--colour', '--max-cost', '5'])
      expect(other.stderr).not.toContain('was passed to')
    },
  )
})

describe('a command that is not found', () => {
  test('exits with 127 and prints how to install a known agent', async () => {
    const {exitCode, stderr} = await run(['claude', '-p', 'x'], {PATH: place.folder})
    expect(stderr).toMatch(/^vitrine: claude: .*npm install/)
    expect(exitCode).toBe(127)
  })

  test('exits with 127 and suggests a known agent for a misspelled one', async () => {
    const {exitCode, stderr} = await run(['cluade', '-p', 'x'], {PATH: place.folder})
    expect(stderr).toMatch(/^vitrine: cluade: .*claude/)
    expect(exitCode).toBe(127)
  })

  test('exits with 127 and suggests separate words for a quoted command line', async () => {
    const {exitCode, stderr} = await run(['claude -p hello'])
    expect(stderr).toMatch(
      /^vitrine: claude -p hello: not found\..* vitrine run claude -p hello\n$/,
    )
    expect(exitCode).toBe(127)
    expect((await run(['no such program'])).stderr).not.toContain('vitrine run')
  })

  test('exits with 127 for any other name or path', async () => {
    for (const command of ['no-such-program-anywhere', place.file('nothing-here')]) {
      const {exitCode, stderr} = await run(['--agent', 'claude', '--', command])
      expect(stderr).toContain(command)
      expect(exitCode).toBe(127)
    }
  })

  test('leaves no run that seems to be running', async () => {
    for (const {verdict} of await place.list()) expect(verdict).not.toBeNull()
  })
})

describe('a command that cannot be executed', () => {
  test('exits with 126 for a file that is not executable', async () => {
    const path = place.file('plain')
    writeFileSync(path, '#!/bin/sh\necho hello\n')
    chmodSync(path, 0o644)
    const {exitCode, stderr} = await run(['--agent', 'claude', '--', path])
    expect(stderr).toContain(path)
    expect(exitCode).toBe(126)
  })

  test('exits with 126 for a folder', async () => {
    const path = place.file('folder')
    mkdirSync(path)
    const {exitCode, stderr} = await run(['--agent', 'claude', '--', path])
    expect(stderr).toContain(path)
    expect(exitCode).toBe(126)
  })
})

describe('where recordings cannot be written', () => {
  test.each(['in-the-way', 'in-the-way/data'])(
    'the agent is not started and the reason is printed: %s',
    async (name) => {
      writeFileSync(place.file('in-the-way'), 'a file')
      const args = ['run', '--data-dir', place.file(name), '--agent', 'claude', '--', fake('happy')]
      const {exitCode, stdout, stderr} = await place.start(args, {env: {COPY: copy()}}).ended
      expect(stderr).toMatch(/^vitrine: .*in-the-way/)
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(stdout).toBe('')
      expect([1, 2]).toContain(exitCode)
      expect(existsSync(copy())).toBe(false)
    },
  )
})

describe('two runs with one id', () => {
  test('the second is rejected and the first stays unchanged', async () => {
    expect((await place.runFake('happy', ['--id', 'twice'])).exitCode).toBe(0)
    const before = place.read('twice', 'stdout')
    const runBefore = place.readRun('twice')
    const ended = await run(['--agent', 'claude', '--id', 'twice', '--', fake('error-success')])
    expect(describeRefusal(ended)).toEqual(refusal('twice'))
    expect(place.read('twice', 'stdout').equals(before)).toBe(true)
    expect(place.readRun('twice')).toEqual(runBefore)
  })

  test('one of two that start at the same time is rejected', async () => {
    const both = await Promise.all(
      [1, 2].map(() => place.runFake('slow', ['--id', 'race'], {env: {LINES: '20', MS: '20'}})),
    )
    expect(both.map(({exitCode}) => exitCode).toSorted()).toEqual([0, 2])
  })
})

describe('a run that does not exist', () => {
  test('is rejected by view, attach and rm, which remove nothing', async () => {
    const commands = [
      ['view', 'no-such-run'],
      ['attach', 'no-such-run'],
      ['rm', 'no-such-run'],
      ['attach', '../runs'],
      ['rm', '..'],
      ['rm', '.'],
      ['rm', '../../data'],
    ]
    expect((await place.runFake('happy')).exitCode).toBe(0)
    const before = await place.list()
    await inBatches(commands, async (args) => {
      const {exitCode, stdout, stderr} = await place.vitrine(args)
      expect(stderr).toMatch(/^vitrine: /)
      expect(stderr).not.toMatch(/\n\s+at /)
      expect({args, exitCode, stdout}).toEqual({args, exitCode: 2, stdout: ''})
    })
    expect(existsSync(place.dataDir)).toBe(true)
    expect(before.length).toBeGreaterThan(0)
    expect(await place.list()).toEqual(before)
  })

  test('is rejected by rm when the name is missing', async () => {
    expect(await place.vitrine(['rm'])).toMatchObject({exitCode: 2, stdout: ''})
  })
})

test('a line over --max-line-bytes is malformed for every reader of the recording', async () => {
  const flags = ['--id', 'long', '--format', 'json', '--max-line-bytes', '1000']
  const {stdout} = await place.runFake('slow', flags, {env: {LINES: '3', GROW: '500', MS: '1'}})
  const {stdout: viewed} = await place.vitrine(['view', 'long', '--format', 'json'])
  for (const text of [stdout, viewed]) {
    const events = readLines(text) as {type: string; reason?: string}[]
    const malformed = events.filter(({type}) => type === 'malformed')
    expect(malformed.map(({reason}) => reason)).toEqual(['line-too-long', 'line-too-long'])
  }
  expect(place.read('long', 'stdout').length).toBeGreaterThan(3000)
})
