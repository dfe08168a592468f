import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const fixtures = fileURLToPath(new URL('../src/agents/claude/fixtures/2.1.325/', import.meta.url))

function vitrine(args: string[], options: {input?: string; env?: Record<string, string>} = {}) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: {PATH: process.env['PATH'], TZ: 'UTC', ...options.env},
  })
  return {status, stdout, stderr}
}

describe('vitrine view', () => {
  test('shows a recording, a line for each step', () => {
    expect(vitrine(['view', `${fixtures}hooks-stream.jsonl`])).toEqual({
      status: 0,
      stdout: `[claude] "Reading."
[claude] Read: /home/dev/project/a.txt
[claude] Bash: exit 2
[claude] ERROR: Exit code 2
[claude] Write: /home/dev/project/b.txt
[claude] Task: Do
[claude] "All hooks ran."
[claude] Complete (cost: $0.0674)
`,
      stderr: '',
    })
  })

  test('indents what a sub-agent does', () => {
    expect(vitrine(['view', `${fixtures}subagent.jsonl`]).stdout).toContain(
      '[claude]   │ Bash: echo from-sub\n',
    )
  })

  test('never calls a failed run complete', () => {
    expect(vitrine(['view', `${fixtures}api-400.jsonl`]).stdout).toBe(
      `[claude] "API Error: 400 messages: something is wrong"
[claude] Failed: API Error: 400 messages: something is wrong (cost: $0.0000)
`,
    )
  })

  test('reads stdin live, line by line', async () => {
    const child = spawn(process.execPath, [bin, 'view'], {stdio: ['pipe', 'pipe', 'inherit']})
    child.stdout.setEncoding('utf8')
    child.stdin.write('{"type":"assistant","message":{"content":"Hello"}}\n')
    const [first] = (await once(child.stdout, 'data')) as [string]
    expect(first).toBe('[claude] "Hello"\n')
    child.stdin.end('{"type":"resu')
    const [last] = (await once(child.stdout, 'data')) as [string]
    expect(last).toBe('[claude] Malformed: a line of 13 bytes, not JSON, kept\n')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test('makes escape sequences of the agent harmless', () => {
    const text = '\u001b]0;pwned\u0007\u001b[31mred\u202e\u009b2J'
    const input = `${JSON.stringify({type: 'assistant', message: {content: text}})}\n`
    expect(vitrine(['view', '-'], {input}).stdout).toBe(
      '[claude] "\\x1b]0;pwned\\x07\\x1b[31mred\\u202e\\x9b2J"\n',
    )
  })

  test('says what is new and goes on', () => {
    const input = '{"type":"novel"}\n{"type":"result","result":"ok","total_cost_usd":0}\n'
    expect(vitrine(['view'], {input}).stdout).toBe(
      '[claude] Unknown: a record of a new type, kept\n[claude] Complete (cost: $0.0000)\n',
    )
  })

  test('colours on demand, and NO_COLOR has the last word', () => {
    const input = '{"type":"result","result":"ok"}\n'
    const colored = '\u001b[2m[claude]\u001b[0m \u001b[32mComplete\u001b[0m\n'
    expect(vitrine(['view'], {input, env: {FORCE_COLOR: '1'}}).stdout).toBe(colored)
    expect(vitrine(['view'], {input, env: {FORCE_COLOR: '1', NO_COLOR: '1'}}).stdout).toBe(
      '[claude] Complete\n',
    )
  })

  test('ends quietly when nobody reads on', async () => {
    const child = spawn(process.execPath, [bin, 'view'], {stdio: ['pipe', 'pipe', 'pipe']})
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => {})
    child.stdin.write('{"type":"assistant","message":{"content":"Hello"}}\n')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.write('{"type":"assistant","message":{"content":"Hello"}}\n')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(stderr).toBe('')
  })
})

describe('a mistake', () => {
  test.each([
    ['a file that is not there', ['view', 'nope.jsonl'], 1, 'vitrine: nope.jsonl: no such file\n'],
    ['a folder', ['view', '/'], 1, 'vitrine: /: is a folder, not a recording\n'],
    ['an unknown command', ['veiw'], 2, "vitrine: unknown command 'veiw'\n(Did you mean view?)\n"],
    ['an unknown option', ['view', '--nope'], 2, "vitrine: unknown option '--nope'\n"],
  ])('is answered in a line: %s', (_, args, status, stderr) => {
    expect(vitrine(args)).toEqual({status, stdout: '', stderr})
  })
})

test('--help and --version answer on stdout', () => {
  expect(vitrine(['--version'])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    stderr: '',
  })
  const {status, stdout, stderr} = vitrine(['view', '--help'])
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  expect(stdout).toContain(
    'claude -p "Fix the tests" --output-format stream-json --verbose | vitrine',
  )
})
