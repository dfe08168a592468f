import {spawn, type ChildProcessByStdio} from 'node:child_process'
import {once} from 'node:events'
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import {afterAll, beforeAll, describe, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {codex} from '../../src/agents/codex/index.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {OVER, writeRecording} from '../support/recording.ts'
import {inBatches} from '../support/run.ts'
import {bin, fixture, runVitrine, type VitrineResult} from '../support/vitrine.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-view-'))
})

afterAll(() => {
  rmSync(folder, {recursive: true, force: true})
})

/** Writes a file for a test and returns its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function start(...args: string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(process.execPath, [bin, ...args], {stdio: ['pipe', 'pipe', 'pipe']})
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  return child
}

const hello = '{"type":"assistant","message":{"content":"Hello"}}\n'

/** Runs several commands, some at once, and returns the result of each. */
async function viewAll(commands: string[][]): Promise<(command: string[]) => VitrineResult> {
  const ended = new Map<string, VitrineResult>()
  await inBatches(commands, async (command) => {
    ended.set(command.join(' '), await runVitrine(command))
  })
  return (command) => {
    const found = ended.get(command.join(' '))
    if (found === undefined) throw new Error(`was not run: ${command.join(' ')}`)
    return found
  }
}

describe.concurrent('vitrine view', () => {
  test('prints a line for each step of a recording', async ({expect}) => {
    expect(await runVitrine(['view', fixture('claude/2.1.325/hooks-stream')])).toEqual({
      status: 0,
      stdout: `[vitrine] claude 2.1.325 · opus-5-5 · project
[claude] "Reading."
[claude] Read: a.txt
[claude] Bash: exit 2
[claude] ERROR: exit 2
[claude] Write: b.txt
[claude] Task: Do
[claude] "All hooks ran."
[claude] Complete (cost: $0.0674)
`,
      stderr: '',
    })
  })

  test('shows the version of the agent that was recorded with a run', async ({expect}) => {
    const dataDir = join(folder, 'data')
    const dir = join(dataDir, 'runs', 'r')
    mkdirSync(dir, {recursive: true})
    const output = readFileSync(fixture('codex/0.166.0/text'))
    writeRecording(dir, codex, output, [output.length], {...OVER, agentVersion: '0.166.0'})
    const {stdout} = await runVitrine(['view', 'r', '--data-dir', dataDir])
    expect(stdout.split('\n')[0]).toBe('[vitrine] codex 0.166.0')
  })

  test('detects the agent of a recording', async ({expect}) => {
    const recordings = [
      ['codex/0.166.0/shell_ok', '[codex] Complete\n'],
      ['codex/0.36.0/shell_ok', '[codex] Complete\n'],
      ['gemini/0.61.0/shell_ok', '[gemini] Complete\n'],
      ['opencode/1.18.33/shell_ok', '[opencode] Complete (cost: $0.0061)\n'],
      ['copilot/1.0.102/shell_ok', '[copilot] Complete\n'],
      ['qwen/0.24.4/shell_ok', '[qwen] Complete\n'],
      ['pi/0.73.1/shell_ok', '[pi] Complete (cost: $0.0061)\n'],
      ['cline/3.0.65/shell_ok', '[cline] Complete\n'],
      ['kimi/2.1.0/shell_ok', '[kimi] Complete\n'],
      ['amp/documented/text', '[amp] Complete\n'],
      ['cursor/documented/tools', '[cursor] Complete\n'],
      ['claude/2.1.325/format-json', '[claude] Complete (cost: $0.0135)\n'],
    ].map(([name = '', last = '']) => ({name, last}))
    const shown = await viewAll(recordings.map(({name}) => ['view', fixture(name)]))
    await expectForEach(recordings, ({name, last}) => {
      const {status, stdout, stderr} = shown(['view', fixture(name)])
      expect({status, stderr}).toEqual({status: 0, stderr: ''})
      expect(stdout.endsWith(last)).toBe(true)
    })
  })

  test('does not call a failed run complete', async ({expect}) => {
    const {stdout} = await runVitrine(['view', fixture('claude/2.1.325/api-400')])
    expect(stdout).toContain(
      '[claude] ERROR: API Error: 400 messages: something is wrong\n[claude] Failed',
    )
    expect(stdout).not.toContain('Complete')
  })

  test('reports that a run was cut off', async ({expect}) => {
    const {stdout} = await runVitrine(['view', fixture('codex/0.166.0/sigkill_during_command')])
    expect(stdout).toContain('[codex]   -> unfinished\n[vitrine] Truncated: no turn end\n')
  })

  test('prints each line of stdin as it arrives', async ({expect}) => {
    const child = start('view')
    child.stdin.write(hello)
    expect(await once(child.stdout, 'data')).toEqual(['[claude] "Hello"\n'])
    child.stdin.write('{"type":"resu')
    child.stdin.write('lt","result":"ok","total_cost_usd":0.5}\n')
    expect(await once(child.stdout, 'data')).toEqual(['[claude] Complete (cost: $0.5000)\n'])
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test('reads a pipe without a command', async ({expect}) => {
    expect((await runVitrine([], {input: hello})).stdout).toContain('[claude] "Hello"\n')
  })

  test('prints a hint while a pipe has no known output', async ({expect}) => {
    const child = start('view')
    child.stdin.write('Paste your code here: ')
    expect(await once(child.stderr, 'data')).toEqual([
      'vitrine: waiting for the output of a known agent. Name it with --agent, or stop with Ctrl-C\n',
    ])
    child.stdin.end()
    expect(await once(child.stdout, 'data')).toEqual(['Paste your code here: '])
    expect(await once(child, 'close')).toEqual([2, null])
  })

  test('reports a cut line at the end on stderr, without its content', async ({expect}) => {
    const {status, stdout, stderr} = await runVitrine(['view'], {input: `${hello}{"secret":"x`})
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'vitrine: line 2: not valid JSON (cut off after 12 bytes), kept as malformed\n',
    })
    expect(stdout).toBe('[claude] "Hello"\n[vitrine] Truncated: the last line is incomplete\n')
  })

  test('counts unknown records at the end, and prints each with -v', async ({expect}) => {
    const input = `${hello}{"type":"novel"}\n{"type":"result","result":"ok"}\n`
    expect(await runVitrine(['view'], {input})).toEqual({
      status: 0,
      stdout: '[claude] "Hello"\n[claude] Complete\n',
      stderr:
        'vitrine: 1 record with unknown types or blocks. List them with: vitrine drift <file>\n',
    })
    expect((await runVitrine(['view', '-v'], {input})).stdout).toContain(
      '[claude] Unknown: novel (line 2, kept)\n',
    )
  })

  test('escapes control sequences in the output of the agent', async ({expect}) => {
    const text = '\u001b]0;pwned\u0007\u001b[31mred\u202e\u009b2J'
    const input = `${JSON.stringify({type: 'assistant', message: {content: text}})}\n`
    expect((await runVitrine(['view', '-'], {input})).stdout).toContain(
      '[claude] "\\x1b]0;pwned\\x07\\x1b[31mred\\u202e\\x9b2J"\n',
    )
  })

  test('escapes control sequences in the verdict and in JSON', async ({expect}) => {
    const evil = '\u001b]0;PWNED\u0007\u009b31m\u202e'
    const records = [
      {
        type: 'system',
        subtype: 'task_started',
        task_id: 't',
        is_backgrounded: true,
        description: `job\n${evil}`,
      },
      {type: 'assistant', message: {content: evil}},
      {type: 'result', result: evil, is_error: true},
    ]
    const input = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const good = input.replace(',"is_error":true', '')
    const variants = [['--verdict'], ['--verdict', '--format', 'json']].flatMap((args) =>
      [input, good].map((text) => ({args, text})),
    )
    await inBatches(variants, async ({args, text}) => {
      const {stdout} = await runVitrine(['view', ...args], {input: text})
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    })
    const {stdout} = await runVitrine(['view', '--format', 'json'], {input})
    const [, textEvent] = stdout
      .split('\n')
      .map((line) => (line === '' ? {} : (JSON.parse(line) as {text?: string})))
    expect(textEvent?.text).toBe(evil)
  })

  test('replaces input that is nested too deeply to print', async ({expect}) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const call = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"X","input":${deep}}]}}`
    const {status, stdout} = await runVitrine(['view', '--format', 'json'], {
      input: `${call}\n${hello}`,
    })
    expect(status).toBe(0)
    const [tool, text] = stdout
      .split('\n')
      .map((line) => (line === '' ? {} : (JSON.parse(line) as object)))
    expect(tool).toMatchObject({type: 'tool-start', input: '[nested too deeply to print]'})
    expect(text).toMatchObject({type: 'text', text: 'Hello'})
  })

  test('prints colours with FORCE_COLOR unless NO_COLOR is set', async ({expect}) => {
    const input = '{"type":"result","result":"ok"}\n'
    const colored = '\u001b[2m[claude]\u001b[0m \u001b[32mComplete\u001b[0m\n'
    expect((await runVitrine(['view'], {input, env: {FORCE_COLOR: '1'}})).stdout).toBe(colored)
    expect(
      (await runVitrine(['view'], {input, env: {FORCE_COLOR: '1', NO_COLOR: '1'}})).stdout,
    ).toBe('[claude] Complete\n')
  })

  test('prints ASCII signs in an ASCII locale', async ({expect}) => {
    const {stdout} = await runVitrine(['view', fixture('claude/2.1.325/subagent')], {
      env: {LC_ALL: 'C'},
    })
    expect(stdout).toContain('[claude]   | Bash: echo from-sub\n')
  })

  test('prints more with -v and -vv, and no text with --no-text', async ({expect}) => {
    const path = fixture('claude/2.1.325/write-edit-bash')
    expect((await runVitrine(['view', '-v', path])).stdout).toContain('[claude]   -> two\n')
    expect(
      (await runVitrine(['view', '-vv', fixture('claude/2.1.325/large-bash')])).stdout,
    ).not.toContain('-vv for all')
    expect((await runVitrine(['view', '--no-text', path])).stdout).not.toContain('"')
  })

  describe('--format json', () => {
    test('prints an event per line', async ({expect}) => {
      const {stdout} = await runVitrine([
        'view',
        '--format',
        'json',
        fixture('codex/0.166.0/shell_fail'),
      ])
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as {type: string; agent: string; line: number})
      expect(events.map(({type, line, agent}) => [type, line, agent])).toEqual([
        ['session-start', 1, 'codex'],
        ['tool-start', 3, 'codex'],
        ['tool-end', 4, 'codex'],
        ['text', 5, 'codex'],
        ['usage', 6, 'codex'],
        ['turn-end', 6, 'codex'],
      ])
    })

    test('gives a line without a time the time of the line before', async ({expect}) => {
      const {stdout} = await runVitrine([
        'view',
        '--format',
        'json',
        fixture('gemini/0.61.0/shell_ok'),
      ])
      const times = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as {at: number}).at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    })
  })

  describe('--format raw', () => {
    test.for(['claude/2.1.325/subagent', 'codex/0.166.0/unicode', 'amp/0.0.1790142911/no_login'])(
      'prints the input byte for byte: %s',
      async (name, {expect}) => {
        const path = fixture(name)
        const {stdout} = await runVitrine(['view', '--format', 'raw', path])
        expect(stdout).toBe(readFileSync(path, 'utf8'))
      },
    )

    test('prints bytes that are not UTF-8', async ({expect}) => {
      const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x0a, 0x80, 0x00])
      const child = start('view', '--format', 'raw', '--agent', 'claude', file('bytes', bytes))
      const chunks: Buffer[] = []
      child.stdout.setEncoding('latin1')
      child.stdout.on('data', (text: string) => chunks.push(Buffer.from(text, 'latin1')))
      await once(child, 'close')
      expect(Buffer.concat(chunks)).toEqual(bytes)
    })
  })

  describe('--verdict', () => {
    test('prints the verdict last in every format', async ({expect}) => {
      const verdicts = [
        [
          'claude/2.1.325/write-edit-bash',
          {
            verdict: 'succeeded',
            reason: 'Last turn completed without errors',
            costUsd: 0.053903999999999994,
            turns: 4,
            lines: 10,
          },
        ],
        [
          'claude/2.1.325/api-400',
          {
            verdict: 'failed',
            reason: 'API Error: 400 messages: something is wrong',
            costUsd: 0,
            turns: 1,
            lines: 3,
          },
        ],
        [
          'claude/2.1.325/sigint',
          {verdict: 'stopped', reason: 'interrupted', costUsd: 0, turns: 1, lines: 13},
        ],
        [
          'codex/0.166.0/sigint_during_command',
          {verdict: 'truncated', reason: 'no turn end', costUsd: null, turns: 1, lines: 3},
        ],
        [
          'codex/0.166.0/text',
          {
            verdict: 'succeeded',
            reason: 'Last turn completed without errors',
            costUsd: null,
            turns: 1,
            lines: 4,
          },
        ],
        [
          'opencode/1.18.33/shell_ok',
          {
            verdict: 'succeeded',
            reason: 'Last turn completed without errors',
            costUsd: 0.00612,
            turns: 2,
            lines: 7,
          },
        ],
      ].map(([name, expected]) => ({name: name as string, expected: expected as object}))
      const commands = ({name}: {name: string}) =>
        ['pretty', 'json', 'raw'].map((format) => [
          'view',
          '--verdict',
          '--format',
          format,
          fixture(name),
        ])
      const shown = await viewAll(verdicts.flatMap(commands))
      await expectForEach(verdicts, (verdict) => {
        for (const command of commands(verdict)) {
          const last = shown(command).stdout.trimEnd().split('\n').at(-1) ?? ''
          const {expected} = verdict
          expect(JSON.parse(last)).toEqual({type: 'verdict', ...expected, malformed: 0, unknown: 0})
        }
      })
    })

    test('prints the verdict on its own line after a cut line', async ({expect}) => {
      const {stdout} = await runVitrine(['view', '--verdict', '--format', 'raw'], {
        input: `${hello}{"half`,
      })
      expect(stdout.split('\n').at(1)).toBe('{"half')
      expect(stdout.split('\n').at(2)).toContain('"verdict":"truncated"')
    })

    test('counts malformed, unknown and blank lines', async ({expect}) => {
      const input = `${hello}\nprose\n{"type":"novel"}\n{"type":"result","result":"ok"}`
      const {stdout} = await runVitrine(['view', '--verdict', '--format', 'json'], {input})
      expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        verdict: 'succeeded',
        lines: 5,
        malformed: 1,
        unknown: 1,
      })
    })
  })

  describe('input that is not the output of an agent', () => {
    const names = agents.map(({id}) => id).join('|')

    test('is printed unchanged when it is text', async ({expect}) => {
      const input = 'Hello.\n\u001b[31mred\n'
      expect(await runVitrine(['view'], {input})).toEqual({
        status: 2,
        stdout: input,
        stderr:
          'vitrine: stdin: plain text without events, shown unchanged. To get events, add the flags that vitrine agents lists, or start the agent with vitrine run\n',
      })
    })

    test('is printed unchanged with a hint when it is JSON', async ({expect}) => {
      expect(await runVitrine(['view'], {input: '{"level":"info"}\n'})).toEqual({
        status: 2,
        stdout: '{"level":"info"}\n',
        stderr: `vitrine: stdin: unknown agent, shown unchanged. To parse it, use --agent ${names}\n`,
      })
    })

    test('is printed completely when it is long', async ({expect}) => {
      const input = '{"level":"info"}\n'.repeat(200_000)
      const {status, stdout} = await runVitrine(['view', file('log.jsonl', input)])
      expect(status).toBe(2)
      expect(stdout === input).toBe(true)
    })

    test('is parsed as the output of the agent given with --agent', async ({expect}) => {
      expect(await runVitrine(['view', '--agent', 'claude'], {input: 'Hello.\n'})).toMatchObject({
        status: 0,
        stderr: 'vitrine: line 1: not valid JSON (6 bytes), kept as malformed\n',
      })
    })

    test('is rejected when it is binary', async ({expect}) => {
      const path = file('picture.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 10, 10))
      expect(await runVitrine(['view', path])).toEqual({
        status: 2,
        stdout: '',
        stderr: `vitrine: ${path}: binary data, not the output of an agent\n`,
      })
    })

    test.for(['', '\n\n  \n'])('is rejected when it is empty: %j', async (content, {expect}) => {
      const path = file(`empty-${content.length}.jsonl`, content)
      expect(await runVitrine(['view', path])).toEqual({
        status: 2,
        stdout: '',
        stderr: `vitrine: ${path}: empty. Make the agent print events: vitrine agents lists the flags\n`,
      })
    })

    test.for(['--agent=claude', '--format=json'])(
      'is rejected with %s when it is empty or binary',
      async (option, {expect}) => {
        const bytes = Uint8Array.of(0x89, 0x50, 0, 1, 10)
        const files = [file(`none${option}`, ''), file(`bin${option}`, bytes)]
        const ended = await Promise.all(files.map((path) => runVitrine(['view', option, path])))
        for (const one of ended) expect(one).toMatchObject({status: 2, stdout: ''})
      },
    )

    test('is named with escaped control characters', async ({expect}) => {
      const {stderr} = await runVitrine(['view', 'e\u001b[31mx'])
      expect(stderr).toBe(
        'vitrine: e\\x1b[31mx: no such file or run. List runs with vitrine runs, or use - for stdin\n',
      )
    })

    test('may start like the output of an agent', async ({expect}) => {
      const input = [
        '{"type":"system","subtype":"init","session_id":"s","tools":[]}',
        '{"type":"message","role":"user","text":"x"}',
        '{"type":"completion","finalText":"x"}',
      ].join('\n')
      expect(await runVitrine(['view'], {input})).toMatchObject({status: 2, stdout: input})
    })

    test('may come before the output of an agent', async ({expect}) => {
      const input = `Reading additional input from stdin...\n{"type":"thread.started","thread_id":"t"}\n`
      expect((await runVitrine(['view'], {input})).stdout).toContain('[vitrine] codex\n')
    })
  })

  test('ends without an error when its reader closes the pipe', async ({expect}) => {
    const child = start('view')
    let stderr = ''
    child.stderr.on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => {})
    child.stdin.write(hello)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.write(hello)
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(stderr).toBe('')
  })

  test('continues when its stderr is closed', async ({expect}) => {
    const child = start('view', '--agent', 'claude')
    child.stderr.destroy()
    let stdout = ''
    child.stdout.on('data', (text: string) => (stdout += text))
    child.stdin.end(`${'prose\n'.repeat(1000)}${hello}`)
    expect(await once(child, 'close')).toEqual([0, null])
    expect(stdout).toContain('[claude] "Hello"\n')
  })

  test('ends --follow when the file is truncated or removed', async ({expect}) => {
    const cut = file('cut.jsonl', hello.repeat(2))
    const child = start('view', '--follow', cut)
    await once(child.stdout, 'data')
    writeFileSync(cut, hello)
    expect(await once(child.stderr, 'data')).toEqual([
      `vitrine: ${cut}: was truncated; stopped following it\n`,
    ])
    expect(await once(child, 'close')).toEqual([0, null])
    const gone = file('gone.jsonl', hello)
    const other = start('view', '--follow', gone)
    await once(other.stdout, 'data')
    rmSync(gone)
    expect(await once(other, 'close')).toEqual([0, null])
  })

  test('ends --follow of a pipe at SIGINT', async ({expect}) => {
    const child = start('view', '--follow')
    child.stdin.write(hello)
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test('ends --follow of text of an unknown program at SIGINT', async ({expect}) => {
    const child = start('view', '--follow', file('prose.txt', 'prose\n'.repeat(20)))
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([2, null])
  })

  test('waits for more with --follow until SIGINT', async ({expect}) => {
    const path = file('growing.jsonl', hello)
    const child = start('view', '--follow', '--verdict', path)
    expect(await once(child.stdout, 'data')).toEqual(['[claude] "Hello"\n'])
    appendFileSync(path, '{"type":"result","result":"ok","total')
    appendFileSync(path, '_cost_usd":0.25}\n')
    expect(await once(child.stdout, 'data')).toEqual(['[claude] Complete (cost: $0.2500)\n'])
    child.kill('SIGINT')
    expect(await once(child.stdout, 'data')).toEqual([
      expect.stringContaining('"verdict":"succeeded"'),
    ])
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test('replays with the pauses of the agent divided by --speed', async ({expect}) => {
    const record = (at: number, text: string) =>
      `${JSON.stringify({type: 'text', timestamp: at, sessionID: 's', part: {type: 'text', text}})}\n`
    const path = file('timed.jsonl', record(1000, 'one') + record(61_000, 'two'))
    const child = start('view', '--speed', '100', path)
    const begun = Date.now()
    let shown = ''
    child.stdout.on('data', (text: string) => (shown += text))
    await once(child, 'close')
    expect(shown).toContain('[opencode] "one"\n[opencode] "two"\n')
    expect(Date.now() - begun).toBeGreaterThanOrEqual(590)
  })
})
