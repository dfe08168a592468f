import {describe, expect, test} from 'vitest'
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
      'vitrine: nope.jsonl: no such file. Name a recording, or - for stdin\n',
    ],
    ['a folder', ['view', '/'], 'vitrine: /: is a folder. Name a recording in it\n'],
    [
      'an empty stdin',
      ['view'],
      'vitrine: stdin: empty. Was the agent told to print its events? See vitrine agents\n',
    ],
    [
      'an unknown agent',
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
      'an invalid speed',
      ['view', '--speed', 'fast'],
      "vitrine: option --speed <factor> argument 'fast' is invalid. It must be a number above 0.\n",
    ],
    ['missing files', ['drift'], "vitrine: missing required argument 'files'\n"],
    [
      'a missing file for drift',
      ['drift', 'nope.jsonl'],
      'vitrine: nope.jsonl: no such file. Name a recording, or - for stdin\n',
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

test('--help prints examples in lines of at most 110 characters', async () => {
  const commands = [
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
  ].map(([args, text]) => ({
    name: (args as string[]).join(' '),
    args: args as string[],
    text: text as string,
  }))
  const resultOf = await runAll(commands)
  await expectForEach(commands, (command) => {
    const {status, stdout, stderr} = resultOf(command)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toContain(command.text)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110)
  })
})
