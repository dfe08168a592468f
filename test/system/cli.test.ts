import {describe, expect, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {inBatches} from '../support/run.ts'
import {runVitrine, type VitrineResult} from '../support/vitrine.ts'

interface Command {
  name: string
  args: string[]
}

/** Runs several commands, some at once, and returns the result of each. */
async function runAll(commands: readonly Command[]): Promise<(command: Command) => VitrineResult> {
  const ended = new Map<string, VitrineResult>()
  await inBatches(commands, async ({name, args}) => {
    ended.set(name, await runVitrine(args))
  })
  return ({name}) => {
    const found = ended.get(name)
    if (found === undefined) throw new Error(`was not run: ${name}`)
    return found
  }
}

describe('a wrong command line', () => {
  const mistakes = [
    [
      'a missing file',
      ['view', 'nope.jsonl'],
      'vitrine: nope.jsonl: no such file or run. List runs with vitrine runs, or use - for stdin\n',
    ],
    ['a folder', ['view', '/'], 'vitrine: /: is a directory. Name a file in it\n'],
    [
      'an empty stdin',
      ['view'],
      'vitrine: stdin: empty. Make the agent print events: vitrine agents lists the flags\n',
    ],
    [
      'an unknown agent',
      ['view', '--agent', 'vim', '/'],
      `vitrine: --agent vim: unknown agent. Known agents: ${agents.map(({id}) => id).join(', ')}\n`,
    ],
    ['an unknown command', ['veiw'], "vitrine: unknown command 'veiw' (did you mean view?)\n"],
    [
      'an agent without run',
      ['claude', '-p', 'Hello'],
      "vitrine: unknown command 'claude'. To run an agent: vitrine run claude\n",
    ],
    [
      'an unknown option',
      ['view', '--verdicts'],
      'vitrine: unknown option --verdicts (did you mean --verdict?)\n',
    ],
    [
      'an invalid speed',
      ['view', '--speed', 'fast'],
      "vitrine: option --speed <factor> argument 'fast' is invalid. Expected a number above 0, such as 2 or 0.5.\n",
    ],
    ['missing files', ['drift'], "vitrine: missing required argument 'files'\n"],
    [
      'a missing file for drift',
      ['drift', 'nope.jsonl'],
      'vitrine: nope.jsonl: no such file or run. List runs with vitrine runs, or use - for stdin\n',
    ],
  ].map(([name, args, stderr]) => ({
    name: name as string,
    args: args as string[],
    stderr: stderr as string,
  }))

  test('is reported in one line', async () => {
    const resultOf = await runAll(mistakes)
    await expectForEach(mistakes, (mistake) => {
      expect(resultOf(mistake)).toEqual({status: 2, stdout: '', stderr: mistake.stderr})
    })
  })

  test('is reported with a stack trace with --debug', async () => {
    const {status, stderr} = await runVitrine(['--debug', 'view', 'nope.jsonl'])
    expect(status).not.toBe(0)
    expect(stderr).toContain('CliError: nope.jsonl: no such file')
  })
})

test('--version prints to stdout', async () => {
  expect(await runVitrine(['--version'])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    stderr: '',
  })
})

const GROUPS = {
  Use: ['run', 'view', 'runs', 'search', 'usage', 'serve', 'demo', 'export', 'agents'],
  Manage: [
    'attach',
    'rm',
    'archive',
    'doctor',
    'statusline',
    'hooks',
    'hook',
    'login',
    'token',
    'report',
    'reindex',
    'completion',
    'help',
  ],
  Develop: ['drift', 'fake-agent', 'record-fixture'],
}

const HELP_TEXTS: Readonly<Record<string, string>> = {
  view: 'codex exec --json "Fix the tests" | vitrine view --verdict',
  agents: 'none of them extends its\npermissions',
  drift: 'vitrine drift --json --fail run.jsonl',
  'fake-agent': 'vitrine run --agent claude -- vitrine fake-agent run.jsonl --fault hang',
  'record-fixture': 'vitrine record-fixture 7f3a --name odd-retry',
  hook: 'always exits with 0',
  hooks: 'vitrine hooks install --dry-run',
  completion: 'eval "$(vitrine completion bash)"',
}

test('--help lists all commands in groups', async () => {
  const {stdout} = await runVitrine(['--help'])
  const sections = Array.from(stdout.matchAll(/^(\w+):\n((?:  .*\n)+)/gm))
  const groups = sections.map(([, heading = '', rows = '']) => [
    heading,
    Array.from(rows.matchAll(/^  ([a-z][a-z-]*)  /gm), ([, name = '']) => name),
  ])
  expect(Object.fromEntries(groups)).toMatchObject(GROUPS)
})

test('run --help names the agents whose permission requests can be answered', async () => {
  const {stdout} = await runVitrine(['run', '--help'])
  expect(stdout).toContain('\nPermissions (Claude Code only):\n')
})

test('--help prints a sentence and examples in lines of at most 80 characters', async () => {
  const names = Object.values(GROUPS).flat()
  const commands = ['', ...names.filter((name) => name !== 'help')].map((name) => ({
    name,
    args: name === '' ? ['--help'] : [name, '--help'],
  }))
  const resultOf = await runAll(commands)
  await expectForEach(commands, (command) => {
    const {status, stdout, stderr} = resultOf(command)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toMatch(/^Usage: vitrine .*\n\n[A-Z][^.]*\.\n\n/)
    expect(stdout).toContain('\nExamples:\n')
    expect(stdout).toContain(HELP_TEXTS[command.name] ?? '')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})
