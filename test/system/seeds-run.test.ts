import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, fake, type Ended} from '../support/run.ts'

const place = createPlace()

const LINES = [
  '{"type":"system","subtype":"init","session_id":"a-session","tools":["Read"]}',
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/test.go"}}]}}',
  '{invalid json}',
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"package main"}]}}',
  '{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.01}',
]

/** Runs `vitrine run -- claude …` with a fake `claude` on the PATH. */
function runClaude(options: string[], args: string[], env: Record<string, string> = {}) {
  const command = ['run', '--data-dir', place.dataDir, ...options, '--', 'claude', ...args]
  const path = `${place.file('bin')}:${process.env['PATH']}`
  return place.start(command, {env: {PATH: path, ...env}}).ended
}

beforeAll(() => {
  mkdirSync(place.file('bin'))
  symlinkSync(fake('replay'), place.file('bin/claude'))
  writeFileSync(place.file('out.jsonl'), `${LINES.join('\n')}\n`)
})
afterAll(() => place.clear())

describe.skipIf(process.platform === 'win32')('the default output of a run', () => {
  let plain: Ended
  let verbose: Ended

  beforeAll(async () => {
    writeFileSync(place.file('err.txt'), 'Waiting for a login\n')
    const env = {STDOUT_FILE: place.file('out.jsonl'), STDERR_FILE: place.file('err.txt')}
    const args = ['-p', "Fix the dog's tests", '--token=hunter2hunter2']
    plain = await runClaude([], args, env)
    verbose = await runClaude(['-v'], args, env)
  })

  test('shows tools, stderr and the end despite malformed lines', () => {
    expect(plain.exitCode).toBe(0)
    expect(plain.stdout).toContain('[claude] Read: /test.go\n')
    expect(plain.stderr).toContain('Waiting for a login\n')
    expect(plain.stdout).toContain('[claude] Malformed: line 3: not JSON, 14 bytes, kept\n')
    expect(plain.stdout).toContain('[claude] Complete (cost: $0.0100)\n')
    expect(plain.stdout).not.toContain('package main')
  })

  test('shows the command, tool output and stream counts with -v', () => {
    expect(verbose.stdout).toContain(
      "[vitrine] Agent command: claude -p 'Fix the dog'\\''s tests' '--token=***' --output-format stream-json --verbose\n",
    )
    expect(verbose.stdout).toContain('[claude]   -> package main\n')
    expect(verbose.stdout).toContain('[claude]   -> {invalid json}\n')
    expect(verbose.stdout).toContain('[vitrine] Stream: 5 lines, 1 malformed, 0 unknown\n')
    expect(plain.stdout).not.toMatch(/Agent command|Stream:/)
  })

  test('never shows the id of the session', () => {
    for (const {stdout, stderr} of [plain, verbose])
      expect(stdout + stderr).not.toContain('a-session')
  })
})

test.skipIf(process.platform === 'win32')(
  'each run of a loop gets the given arguments',
  async () => {
    const options = ['--until', 'never said', '--max-iterations', '2', '--id', 'again']
    const env = {STDOUT_FILE: place.file('out.jsonl')}
    const {exitCode} = await runClaude([...options, '--format', 'quiet'], ['-p', 'Go on'], env)
    expect(exitCode).toBe(1)
    const ran = ['claude', '-p', 'Go on', '--output-format', 'stream-json', '--verbose']
    expect(place.readRun('again-1')['ranArgv']).toEqual(ran)
    expect(place.readRun('again-2')['ranArgv']).toEqual(ran)
  },
)

test('the output of an unknown program is shown unchanged', async () => {
  const script = 'process.stdout.write("\\x1b[31mone\\0"); process.stderr.write("\\x1b[32mtwo")'
  const flags = ['--data-dir', place.dataDir, '--id', 'opaque', '-v']
  const ended = await place.start(['run', ...flags, '--', 'node', '-e', script]).ended
  expect(ended.stdout).toBe('\u001b[31mone\0')
  expect(ended.stderr).toContain('\u001b[32mtwo')
  expect(ended.stderr).toContain('unknown agent, its output is shown unchanged')
  expect(ended.stderr).toContain('[vitrine] Succeeded')
  const viewed = await place.vitrine(['view', 'opaque'])
  // oxlint-disable-next-line no-control-regex
  expect(viewed.stdout).not.toMatch(/[\u001b\0]/)
})

test('the stderr of an agent is printed to stderr', async () => {
  const script = 'echo trouble >&2; echo \'{"type":"result","result":"ok"}\''
  const ended = await place.startShell(script, ['--format', 'pretty']).ended
  expect(ended.stderr).toContain('trouble')
  expect(ended.stdout).not.toContain('trouble')
})
