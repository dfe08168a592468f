import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {inBatches} from '../support/run.ts'
import {bin, runVitrine, vitrine} from '../support/vitrine.ts'

const dir = mkdtempSync(join(tmpdir(), 'vitrine-completion-'))
const env = {
  PATH: `${join(dir, 'bin')}:${process.env['PATH']}`,
  HOME: dir,
  // Outside of the directory that is completed: fish writes its history there.
  XDG_DATA_HOME: join(dir, 'bin/share'),
  TERM: 'xterm',
}

beforeAll(() => {
  mkdirSync(join(dir, 'bin'))
  writeFileSync(join(dir, 'bin/vitrine'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
  chmodSync(join(dir, 'bin/vitrine'), 0o755)
  writeFileSync(join(dir, 'notes.jsonl'), '')
  mkdirSync(join(dir, 'data'))
  for (const id of ['aaa1', 'aab2', 'bbb3']) {
    const args = ['run', '--no-hub', '--data-dir', join(dir, 'data'), '--id', id, 'true']
    vitrine(args)
  }
})

afterAll(() => rmSync(dir, {recursive: true, force: true}))

function runShell(shell: string, args: string[], script: string): string {
  const {stdout, stderr, status} = spawnSync(shell, [...args, script], {
    cwd: dir,
    env,
    encoding: 'utf8',
  })
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  return stdout
}

/** Whether the tests of a shell run. Without the shell they are skipped, except in CI on Linux, where they fail. */
function isTested(name: string): boolean {
  if (process.env['CI'] !== undefined && process.platform === 'linux') return true
  return spawnSync(name, ['--version']).status === 0
}

/** Lines, with the words that readline splits them into, and their completions. */
const CASES: readonly (readonly [words: string[], completions: string[]])[] = [
  [
    ['vitrine', 're'],
    ['report', 'reindex', 'record-fixture'],
  ],
  [
    ['vitrine', '--'],
    ['--version', '--debug', '--help'],
  ],
  [
    ['vitrine', '--debug', 'se'],
    ['search', 'serve'],
  ],
  [
    ['vitrine', 'view', '--fo'],
    ['--format', '--follow'],
  ],
  [
    ['vitrine', 'view', '--format', ''],
    ['pretty', 'json', 'raw'],
  ],
  [['vitrine', 'view', '-f', 'p'], ['pretty']],
  [['vitrine', 'view', '--format', '=', 'j'], ['json']],
  [
    ['vitrine', 'view', '--format', '='],
    ['pretty', 'json', 'raw'],
  ],
  [
    ['vitrine', 'view', '--agent', 'co'],
    ['codex', 'copilot'],
  ],
  [['vitrine', 'run', '--agent', 'gem'], ['gemini']],
  [
    ['vitrine', 'run', '--permissions', ''],
    ['ask', 'allow', 'deny'],
  ],
  [
    ['vitrine', 'run', 'cl'],
    ['claude', 'cline'],
  ],
  [
    ['vitrine', 'run', '--timeout', '1h', '--', 'cl'],
    ['claude', 'cline'],
  ],
  [['vitrine', 'run', '--timeout', ''], []],
  [['vitrine', 'run', 'claude', '--form'], []],
  [['vitrine', 'run', 'claude', 'no'], ['notes.jsonl']],
  [
    ['vitrine', 'attach', '--data-dir', 'data', 'aa'],
    ['aab2', 'aaa1'],
  ],
  [
    ['vitrine', 'export', '--data-dir', '~/data', ''],
    ['bbb3', 'aab2', 'aaa1'],
  ],
  [['vitrine', 'export', '--data-dir', 'data', 'aaa1', ''], []],
  [['vitrine', 'rm', '--data-dir', '=', 'data', 'aaa1', 'b'], ['bbb3']],
  [
    ['vitrine', 'view', '--data-dir', 'data', ''],
    ['bbb3', 'aab2', 'aaa1', 'bin', 'data', 'notes.jsonl'],
  ],
  [['vitrine', 'view', 'n'], ['notes.jsonl']],
  [['vitrine', 'runs', '--data-dir', 'd'], ['data']],
  [['vitrine', 'serve', '--tls-cert', 'no'], ['notes.jsonl']],
  [
    ['vitrine', 'hooks', ''],
    ['install', 'uninstall', 'status'],
  ],
  [
    ['vitrine', 'completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['vitrine', 'help', 'exp'], ['export']],
  [['vitrine', 'nonsense', ''], []],
]

describe.skipIf(process.platform === 'win32')('vitrine completion bash', () => {
  const HARNESS = `eval "$(vitrine completion bash)"
complete_words() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _vitrine
  printf '%s\\n' "\${COMPREPLY[*]}"
}
`

  test('completes commands, options, choices, agents, run ids and paths', () => {
    const calls = CASES.map(([words]) => `complete_words ${words.map(quote).join(' ')}`)
    const lines = runShell('bash', ['-c'], HARNESS + calls.join('\n')).split('\n')
    const found = CASES.map(([words], index) => [
      words,
      (lines[index]?.split(' ') ?? []).toSorted(),
    ])
    const expected = CASES.map(([words, completions]) => [
      words,
      completions.length === 0 ? [''] : completions.toSorted(),
    ])
    expect(found).toEqual(expected)
  })

  test('completes every command that the help lists', () => {
    const [line = ''] = runShell('bash', ['-c'], `${HARNESS}complete_words vitrine ''`).split('\n')
    expect(line.split(' ').toSorted()).toEqual(listHelpCommands().toSorted())
  })

  test('completes every option that the help of a command lists', async () => {
    const commands = listHelpCommands().filter((name) => name !== 'help')
    const options = new Map<string, string[]>()
    await inBatches(commands, async (name) => {
      options.set(name, listOptions((await runVitrine([name, '--help'])).stdout))
    })
    const calls = commands.map((name) => `complete_words vitrine ${name} -`)
    const lines = runShell('bash', ['-c'], HARNESS + calls.join('\n')).split('\n')
    const found = commands.map((name, index) => [name, (lines[index]?.split(' ') ?? []).toSorted()])
    expect(found).toEqual(commands.map((name) => [name, (options.get(name) ?? []).toSorted()]))
  })

  test('leaves the arguments of an agent to the bash-completion package', () => {
    const script = `${HARNESS}
_command_offset() { COMPREPLY=("\${COMP_WORDS[$1]}" "\${#IFS}"); }
complete_words vitrine run --timeout 1h -- claude --mod`
    expect(runShell('bash', ['-c'], script)).toBe('claude 3\n')
  })

  test('is registered for vitrine', () => {
    const script = 'eval "$(vitrine completion bash)"; complete -p vitrine'
    expect(runShell('bash', ['-c'], script)).toBe('complete -F _vitrine vitrine\n')
  })
})

describe.skipIf(!isTested('zsh'))('vitrine completion zsh', () => {
  test.each([
    ['vitrine ', ['agents          -- list supported', 'view            -- show a run, a session']],
    ['vitrine view --fo', ['--follow  -- wait for more', '--format  -- pretty: readable']],
    ['vitrine view --format ', ['json    pretty  raw']],
    ['vitrine view --format=', ['json    pretty  raw']],
    ['vitrine runs --data-dir=', ['bin/   data/']],
    ['vitrine run --agent gem', ['gemini']],
    ['vitrine run cl', ['claude  cline']],
    ['vitrine run --timeout 1h cat ', ['bin/         data/        notes.jsonl']],
    ['vitrine rm --data-dir data ', ['aaa1  aab2  bbb3  -- true']],
    ['vitrine view --data-dir data ', ['aaa1  aab2  bbb3  -- true', 'notes.jsonl']],
  ])('lists the completions of %j', (line, expected) => {
    const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; LISTMAX=9999; show-done() { zle -I; print DONE }; zle -N show-done; bindkey '^Xd' show-done; bindkey '^I' list-choices"
zpty -w shell 'eval "$(vitrine completion zsh)"; print REA''DY'
zpty -r shell out '*READY*'
zpty -n -w shell ${quote(line)}$'\\t\\C-Xd'
zpty -r shell out '*DONE*'
print -r -- $out
zpty -d shell`
    const out = runShell('zsh', ['-f', '-c'], script)
    // A list with one match ends with escape sequences, so only its text is compared.
    for (const text of expected) expect(out).toContain(text)
  })
})

describe.skipIf(!isTested('fish'))('vitrine completion fish', () => {
  test('completes commands, options, choices, agents, run ids and paths', () => {
    const lines = [
      ['vitrine re', ['record-fixture', 'reindex', 'report']],
      ['vitrine view --fo', ['--follow', '--format']],
      ['vitrine view --format ', ['json', 'pretty', 'raw']],
      ['vitrine view --format=j', ['--format=json']],
      ['vitrine runs --data-dir=d', ['--data-dir=data/']],
      ['vitrine run --agent gem', ['gemini']],
      ['vitrine run cl', ['claude', 'cline']],
      ['vitrine run claude no', ['notes.jsonl']],
      ['vitrine attach --data-dir data aa', ['aab2', 'aaa1']],
      ['vitrine view --data-dir data ', ['bbb3', 'aab2', 'aaa1', 'bin/', 'data/', 'notes.jsonl']],
      ['vitrine runs --data-dir d', ['data/']],
      ['vitrine hooks ', ['install', 'uninstall', 'status']],
      ['vitrine runs ', []],
    ] as const
    const calls = lines.map(([line]) => `complete -C ${quote(line)}; echo ---`)
    const script = `vitrine completion fish | source\n${calls.join('\n')}`
    const outputs = runShell('fish', ['-c'], script).split('---\n')
    const found = lines.map(([line], index) => {
      const rows = (outputs[index] ?? '').split('\n').filter((row) => row !== '')
      return [line, rows.map((row) => row.split('\t')[0])]
    })
    expect(found).toEqual(lines)
  })
})

test('vitrine completion rejects an unknown shell', () => {
  const {status, stderr} = vitrine(['completion', 'tcsh'])
  expect(status).toBe(2)
  expect(stderr).toBe(
    "vitrine: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n",
  )
})

function listHelpCommands(): string[] {
  const {stdout} = vitrine(['--help'])
  const groups = stdout.slice(stdout.indexOf('Use:'), stdout.indexOf('Examples:'))
  return Array.from(groups.matchAll(/^  ([a-z-]+) /gm), ([, name = '']) => name)
}

function listOptions(help: string): string[] {
  const rows = Array.from(help.matchAll(/^  (-.*?)(?:  |$)/gm), ([, flags = '']) => flags)
  return rows.flatMap((flags) => flags.match(/(?<![\w-])--?[a-z][a-z-]*/gi) ?? [])
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
