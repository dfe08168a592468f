import {expect, describe, test} from 'vitest'
import {vitrine} from '../support/vitrine.ts'

describe('a mistake', () => {
  test.each([
    [
      'a file that is not there',
      ['view', 'nope.jsonl'],
      'vitrine: nope.jsonl: no such file. Name a recording, or - for stdin\n',
    ],
    ['a folder', ['view', '/'], 'vitrine: /: is a folder. Name a recording in it\n'],
    [
      'nothing',
      ['view'],
      'vitrine: stdin: empty. Was the agent told to print its events? See vitrine agents\n',
    ],
    [
      'an agent that is not known',
      ['view', '--agent', 'vim', '/'],
      'vitrine: --agent vim: no agent is known by that name. Known: amp, claude, claude-hooks, cline, codex, copilot, cursor, gemini, kimi, opencode, pi, qwen\n',
    ],
    ['an unknown command', ['veiw'], "vitrine: unknown command 'veiw' (did you mean view?)\n"],
    [
      'an agent without run',
      ['claude', '-p', 'Hello'],
      "vitrine: unknown command 'claude'. An agent is run with vitrine run claude\n",
    ],
    [
      'an unknown option',
      ['view', '--verdicts'],
      'vitrine: unknown option --verdicts (did you mean --verdict?)\n',
    ],
    [
      'a speed that is none',
      ['view', '--speed', 'fast'],
      "vitrine: option --speed <factor> argument 'fast' is invalid. It must be a number above 0.\n",
    ],
    ['no files', ['drift'], "vitrine: missing required argument 'files'\n"],
    [
      'a file that is not there, for drift',
      ['drift', 'nope.jsonl'],
      'vitrine: nope.jsonl: no such file. Name a recording, or - for stdin\n',
    ],
  ])('is answered in a line: %s', (_, args, stderr) => {
    expect(vitrine(args)).toEqual({status: 2, stdout: '', stderr})
  })

  test('shows where it comes from with --debug', () => {
    const {status, stderr} = vitrine(['--debug', 'view', 'nope.jsonl'])
    expect(status).not.toBe(0)
    expect(stderr).toContain('CliError: nope.jsonl: no such file')
  })
})

test('--version answers on stdout', () => {
  expect(vitrine(['--version'])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    stderr: '',
  })
})

test.each([
  [['--help'], 'agents'],
  [['view', '--help'], 'codex exec --json "Fix the tests" | vitrine view --verdict'],
  [['agents', '--help'], 'none of them lets it do more than you allow'],
  [['drift', '--help'], 'vitrine drift --json --fail run.jsonl'],
  [
    ['fake-agent', '--help'],
    'vitrine run --agent claude -- vitrine fake-agent run.jsonl --fault hang',
  ],
  [['record-fixture', '--help'], 'vitrine record-fixture 7f3a --name odd-retry'],
  [['hook', '--help'], 'always exits with 0'],
  [['hooks', '--help'], 'vitrine hooks install --dry-run'],
])('%j is worth reading', (args, text) => {
  const {status, stdout, stderr} = vitrine(args)
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  expect(stdout).toContain(text)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110)
})
