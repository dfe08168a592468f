import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {assistantText, init, result, toStream} from '../fake-agents/lines.js'
import {createPlace, fake} from '../support/run.ts'

const place = createPlace()

/** Runs a command with a fake `claude` on the PATH that prints a text. */
function run(
  printed: string,
  options: string[],
  words: string[],
  env: Record<string, string> = {},
) {
  writeFileSync(place.file('out'), printed)
  const command = ['run', '--data-dir', place.dataDir, '--no-hub', ...options, '--', ...words]
  const path = `${place.file('bin')}:${process.env['PATH']}`
  return place.start(command, {env: {PATH: path, STDOUT_FILE: place.file('out'), ...env}}).ended
}

beforeAll(() => {
  mkdirSync(place.file('bin'))
  symlinkSync(fake('replay'), place.file('bin/claude'))
})
afterAll(() => place.clear())

const text = ['claude', '-p', 'x', '--output-format', 'text']
const stream = toStream([init({}), assistantText('Hello.'), result('Hello.')])

describe.skipIf(process.platform === 'win32').sequential('an agent that prints text', () => {
  test('is shown byte for byte and succeeds with exit code 0', async () => {
    const ended = await run('Hello.\nYes', ['--id', 'text'], text)
    expect(ended).toMatchObject({exitCode: 0, stdout: 'Hello.\nYes'})
    expect(ended.stderr).toContain('Claude Code prints plain text with these arguments')
    expect(ended.stderr).toContain('[vitrine] Succeeded')
    expect(place.readRun('text')).toMatchObject({agent: null, prompt: 'x', ranArgv: text})
  })

  test('is checked with --until by its text', async () => {
    const options = ['--until', 'DONE', '--max-iterations', '1']
    expect((await run('All is DONE\n', options, text)).exitCode).toBe(1)
    expect((await run('<response>DONE</response>\n', options, text)).exitCode).toBe(0)
  })

  test('cannot be limited by cost, which is reported before it starts', async () => {
    const ended = await run('Hello.', ['--max-cost', '1'], text)
    expect(ended).toMatchObject({exitCode: 2, stdout: ''})
    expect(ended.stderr).toBe(
      'vitrine: --max-cost is not supported for Claude Code: it prints text with these arguments. Use --timeout\n',
    )
  })

  test('prints its version and help as without Vitrine', async () => {
    const ended = await run('2.1.325 (Claude Code)\n', [], ['claude', '--version'])
    expect(ended).toMatchObject({exitCode: 0, stdout: '2.1.325 (Claude Code)\n'})
  })
})

describe.skipIf(process.platform === 'win32').sequential('an agent that prints events', () => {
  test('shows its answer when it prints only a result', async () => {
    const printed = toStream([result('Hello from the result.')])
    const ended = await run(printed, [], ['claude', '-p', 'x', '--output-format', 'json'])
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toContain('[claude] "Hello from the result."\n')
  })

  test('is detected in a shell script', async () => {
    const script = 'claude -p "x" --output-format stream-json --verbose'
    const ended = await run(stream, ['--id', 'script'], ['bash', '-c', script])
    expect(ended.stdout).toContain('[claude] "Hello."\n')
    expect(place.readRun('script')).toMatchObject({agent: 'claude'})
  })

  test('is shown byte for byte in a shell script that prints other output', async () => {
    const ended = await run('Hello.\n', [], ['bash', '-c', 'claude -p "x"'])
    expect(ended).toMatchObject({exitCode: 0, stdout: 'Hello.\n'})
  })
})

test('a run without a terminal names its recording before the first event', async () => {
  const running = place.startFake('silent', ['--id', 'late', '--format', 'pretty'])
  await running.prints('[vitrine] claude · recording late\n')
  running.child.kill('SIGINT')
  expect((await running.ended).exitCode).toBe(130)
})

describe.sequential('a pipe into vitrine', () => {
  const failed = toStream([init({}), result('No.', {is_error: true})])

  test.each([
    [['--exit-code'], failed, 1],
    [['view', '--exit-code'], failed, 1],
    [['--exit-code', '--verdict'], failed, 1],
    [['--exit-code'], stream, 0],
    [['view', '--exit-code', '--format', 'raw'], toStream([init({})]), 1],
    [[], failed, 0],
  ])('with %j exits with the code of the verdict', async (args, input, exitCode) => {
    expect((await place.start(args, {input}).ended).exitCode).toBe(exitCode)
  })
})
