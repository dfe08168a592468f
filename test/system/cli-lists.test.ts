import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {fixture, vitrine} from '../support/vitrine.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-lists-'))
})

afterAll(() => {
  rmSync(folder, {recursive: true, force: true})
})

describe('vitrine agents', () => {
  function program(name: string, script: string): void {
    mkdirSync(join(folder, 'bin'), {recursive: true})
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }

  test.skipIf(process.platform === 'win32')('lists supported and installed agents', () => {
    program('claude', 'echo "2.1.325 (Claude Code)"')
    program('codex', 'echo "codex-cli 0.166.0" >&2')
    program('gemini', 'exit 1')
    mkdirSync(join(folder, 'bin', 'pi'), {recursive: true})
    writeFileSync(join(folder, 'bin', 'qwen'), 'not a program')
    const {status, stdout, stderr} = vitrine(['agents'], {env: {PATH: join(folder, 'bin')}})
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toBe('AGENT\tINSTALLED\tFLAGS VITRINE ADDS\tTHINKING\tPERMISS.\tCOST')
    expect(rows.map((row) => row.split('\t', 1)[0])).toEqual(agents.map(({id}) => id))
    expect(rows).toEqual(
      expect.arrayContaining([
        'amp\tnot found\t--stream-json\tyes\tyes\tno',
        'claude\t2.1.325\t--output-format stream-json --verbose\tyes\tyes\tyes',
        'claude-hooks\tby hooks\t\tyes\tyes\tyes',
        'codex\t0.166.0\texec --json\tyes\tno\tno',
        'gemini\tyes\t-o stream-json\tno\tno\tno',
        'opencode\tnot found\trun --format json --thinking\tyes\tyes\tyes',
        'pi\tnot found\t--mode json\tyes\tno\tyes',
        'qwen\tnot found\t--output-format stream-json\tyes\tyes\tno',
      ]),
    )
  })

  test.skipIf(process.platform === 'win32')('prints one JSON object per line with --json', () => {
    const {stdout} = vitrine(['agents', '--json'], {env: {PATH: join(folder, 'bin')}})
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as {agent: string})
    expect(rows.map(({agent}) => agent)).toEqual(agents.map(({id}) => id))
    expect(rows.find(({agent}) => agent === 'claude')).toEqual({
      agent: 'claude',
      label: 'Claude Code',
      path: join(folder, 'bin', 'claude'),
      version: '2.1.325',
      flags: ['--output-format', 'stream-json', '--verbose'],
      env: {},
      reports: {thinking: true, permissions: true, cost: true},
    })
  })
})

describe('vitrine drift', () => {
  const novel = [
    '{"type":"system","subtype":"init","session_id":"s","claude_code_version":"9.9.9","tools":[]}',
    '{"type":"system","subtype":"session_budget","left":1}',
    '{"type":"result","result":"ok","fallback_credit":1}',
    '{"type":"result","result":"ok","fallback_credit":1}',
    '{"type":"assistant","message":{"role":"assistant","content":[{"type":"advisor_note"}]}}',
    'prose',
  ].join('\n')
  const write = () => {
    const path = join(folder, 'novel.jsonl')
    writeFileSync(path, novel)
    return path
  }

  test('finds nothing unknown in captures', () => {
    const files = ['claude/2.1.325/subagent', 'codex/0.166.0/shell_ok'].map(fixture)
    expect(vitrine(['drift', '--fail', ...files])).toEqual({
      status: 0,
      stdout: 'Nothing unknown in 2 files, 19 records.\n',
      stderr: '',
    })
  })

  test('lists types, subtypes, blocks and fields by version', () => {
    expect(vitrine(['drift', write()])).toEqual({
      status: 0,
      stdout: `AGENT	VERSION	KIND	UNKNOWN	COUNT	FIRST SEEN
claude	9.9.9	subtype	system/session_budget	1	line 2
claude	9.9.9	field	result.fallback_credit	2	line 3
claude	9.9.9	block	assistant/advisor_note	1	line 5

3 unknown shapes in 1 file, 4 records of 6. Nothing was lost.
--json for a report to share.
`,
      stderr: '',
    })
  })

  test('adds up counts over files and exits with 1 with --fail', () => {
    const path = write()
    const {status, stdout} = vitrine(['drift', '--fail', '--json', path, path])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      files: 2,
      records: 12,
      driftRecords: 8,
      unknown: [
        {
          agent: 'claude',
          version: '9.9.9',
          kind: 'subtype',
          name: 'system/session_budget',
          count: 2,
          line: 2,
          file: path,
        },
        {
          agent: 'claude',
          version: '9.9.9',
          kind: 'field',
          name: 'result.fallback_credit',
          count: 4,
          line: 3,
          file: path,
        },
        {
          agent: 'claude',
          version: '9.9.9',
          kind: 'block',
          name: 'assistant/advisor_note',
          count: 2,
          line: 5,
          file: path,
        },
      ],
    })
  })

  test('continues when a file cannot be read', () => {
    const {status, stdout, stderr} = vitrine([
      'drift',
      write(),
      'nope.jsonl',
      fixture('codex/0.166.0/text'),
    ])
    expect({status, stderr}).toEqual({
      status: 2,
      stderr:
        'vitrine: nope.jsonl: no such file or run. List runs with vitrine runs, or use - for stdin\n',
    })
    expect(stdout).toContain('3 unknown shapes in 2 files, 4 records of 10.')
  })

  test('lists lines that are not objects', () => {
    const input = '{"type":"thread.started","thread_id":"t"}\n5\n'
    expect(vitrine(['drift', '--fail', '-'], {input})).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('codex\t—\ttype\t(not an object)\t1\tline 2') as string,
    })
  })

  test('reads stdin, and reports an unknown agent', () => {
    expect(
      vitrine(['drift', '-'], {input: '{"type":"thread.started","thread_id":"t"}\n'}).stdout,
    ).toBe('Nothing unknown in 1 file, 1 record.\n')
    expect(vitrine(['drift', '-'], {input: 'prose\n'})).toEqual({
      status: 2,
      stdout: '',
      stderr: 'vitrine: stdin: unknown agent. Name one with --agent\n',
    })
  })
})
