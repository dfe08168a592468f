import {chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findAgent} from '../agents/find-agent.ts'
import {agents} from '../agents/list.ts'
import {addFlags, findExecutable, findPrompt, findVersion, splitCommand} from './command.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-command-'))
})

afterAll(() => {
  rmSync(folder, {recursive: true, force: true})
})

describe('findCommandAgent', () => {
  test.each<[string[], string | null, number]>([
    [['claude', '-p', 'x'], 'claude', 1],
    [['/usr/local/bin/claude', '-p', 'x'], 'claude', 1],
    [['/home/a user/bin/codex', 'exec', 'x'], 'codex', 1],
    [["/it's/claude"], 'claude', 1],
    [['npx', '-y', '@openai/codex', 'exec', 'x'], 'codex', 3],
    [['npx', '@anthropic-ai/claude-code@2.1.0', '-p', 'x'], 'claude', 2],
    [['env', 'A=1', 'claude', '-p', 'x'], 'claude', 3],
    [['env', 'A=a b', 'claude', '-p', 'x'], 'claude', 3],
    [['timeout', '5m', 'gemini', '-p', 'x'], 'gemini', 3],
    [['sudo', '-u', 'dev', 'opencode', 'run', 'x'], 'opencode', 4],
    [['sh', '-c', 'claude -p x'], null, 1],
    [['./wrapper.sh', 'claude'], null, 1],
    [['cat', 'claude'], null, 1],
    [['true'], null, 1],
  ])('detects the agent of %j: %s', (words, id, length) => {
    const {agent, program, args} = splitCommand(words)
    expect({id: agent?.id ?? null, program, args}).toEqual({
      id,
      program: words.slice(0, length),
      args: words.slice(length),
    })
  })
})

describe('addFlags', () => {
  test.each<[string[], string[], string[]]>([
    [['-p', 'x'], ['--json'], ['-p', 'x', '--json']],
    [['x'], ['exec', '--json'], ['exec', 'x', '--json']],
    [
      ['-m', 'o3', 'x'],
      ['exec', '--json'],
      ['exec', '-m', 'o3', 'x', '--json'],
    ],
    [['-p', '--', '-x'], ['--json'], ['-p', '--json', '--', '-x']],
    [
      ['--', 'x'],
      ['run', '--format', 'json'],
      ['run', '--format', 'json', '--', 'x'],
    ],
    [['-p', 'x'], [], ['-p', 'x']],
    [[], ['--json'], ['--json']],
  ])('merges %j and %j to %j', (args, flags, expected) => {
    expect(addFlags(args, flags)).toEqual(expected)
  })

  const runnable = agents.filter(({commands}) => commands.length > 0)
  test.each(runnable.map(({id}) => id))('adds the flags of %s once, before --', (id) => {
    const agent = findAgent(id)
    if (agent === null) throw new Error(`no agent ${id}`)
    const args = ['--', 'do it']
    const made = addFlags(args, agent.flags(args))
    expect(made.slice(-2)).toEqual(args)
    expect(made.length).toBeGreaterThan(2)
    expect(addFlags(made, agent.flags(made))).toEqual(made)
    const [first = ''] = made
    const isCommand = !first.startsWith('-')
    expect(made.slice(isCommand ? 1 : 0, -2).every((arg) => arg !== '--')).toBe(true)
  })
})

describe('findPrompt', () => {
  const of = (command: string, input?: string | Uint8Array) => {
    const {agent, args} = splitCommand(command.match(/'[^']*'|\S+/g)?.map(unquote) ?? [])
    return findPrompt(agent, args, input)
  }
  const unquote = (word: string) => word.replace(/^'(.*)'$/, '$1')

  test.each<[string, string | undefined]>([
    ["claude -p 'Fix the tests'", 'Fix the tests'],
    ['claude -p Go --max-turns 1', 'Go'],
    ["claude -p 'Fix the tests' --allowedTools 'Bash(git *),Edit'", 'Fix the tests'],
    ["claude -p --settings '{}' Go", 'Go'],
    ["claude -p Go --settings '{\"a\": 1}' --append-system-prompt 'be very nice'", 'Go'],
    ["claude -p -- '-1 is not a count'", '-1 is not a count'],
    ["claude -p ''", undefined],
    ['claude --version', undefined],
    ['claude mcp list', undefined],
    ["codex exec -m o3 'Fix it' -i a.png b.png", 'Fix it'],
    ["codex -c 'model=x y' exec --json Go", 'Go'],
    ["codex 'Fix it'", 'Fix it'],
    ["codex exec resume --last 'Go on'", 'Go on'],
    ["codex exec resume 0199-aa 'Go on'", 'Go on'],
    ['codex exec -', undefined],
    ['codex login', undefined],
    ["gemini -m flash -p 'Fix it' --allowed-tools a b", 'Fix it'],
    ['gemini --prompt=Go', 'Go'],
    ['gemini fix the tests -o json', 'fix the tests'],
    ["qwen --max-session-turns 3 -p 'Fix it'", 'Fix it'],
    ["qwen --append-system-prompt 'be nice' 'Fix it'", 'Fix it'],
    ['opencode run -m a/b fix the tests --title', 'fix the tests'],
    ["opencode run --agent build 'Fix it' -f a.txt b.txt", 'Fix it'],
    ["copilot --model m -p 'Fix it' --allow-tool 'shell(git:*)' write", 'Fix it'],
    ["cline -m m --timeout 60 'Fix it'", 'Fix it'],
    ["kimi --output-format stream-json -p 'Fix it'", 'Fix it'],
    ["pi -p --model m -nt @notes.md 'Fix it'", 'Fix it'],
    ["amp -x 'Fix it' --stream-json", 'Fix it'],
    ['amp -x --stream-json', undefined],
    ["cursor-agent -p --model m 'Fix it'", 'Fix it'],
    ["sh -c 'Fix it'", undefined],
  ])('finds the prompt of %s: %j', (command, expected) => {
    expect(of(command)).toBe(expected)
  })

  test.each<[string, string | undefined]>([
    ['Fix the tests\n\nAll of them.\n', 'Fix the tests\n\nAll of them.'],
    ['{"type":"user","message":{"role":"user","content":"One"}}\n{"type":"user"}\n', 'One'],
    ['{"type":"user","message":{"content":[{"type":"text","text":"One"}]}}\n', 'One'],
    ['{"type":"control_request"}\n', undefined],
    [' \n', undefined],
  ])('finds the prompt in the input %j: %j', (input, expected) => {
    expect(of('claude -p', input)).toBe(expected)
    expect(of('claude -p', Buffer.from(input))).toBe(expected)
    expect(of('claude -p Go', input)).toBe('Go')
  })
})

describe('findExecutable', () => {
  beforeAll(() => {
    for (const name of ['bin', 'other', 'here']) mkdirSync(join(folder, name))
    for (const [name, mode] of [
      ['bin/tool', 0o755],
      ['other/tool', 0o755],
      ['bin/plain', 0o644],
      ['here/local', 0o755],
    ] as const) {
      writeFileSync(join(folder, name), '#!/bin/sh\n')
      chmodSync(join(folder, name), mode)
    }
    mkdirSync(join(folder, 'bin', 'folder'))
  })

  const find = (command: string, PATH = `${folder}/bin:${folder}/other`): string =>
    findExecutable(command, {PATH}, folder)

  test('finds the first match on the PATH, or a path relative to the working directory', () => {
    expect(find('tool')).toBe(join(folder, 'bin', 'tool'))
    expect(find('tool', `${folder}/other:${folder}/bin`)).toBe(join(folder, 'other', 'tool'))
    expect(find('./here/local')).toBe(join(folder, 'here', 'local'))
    expect(find('here/local', '')).toBe(join(folder, 'here', 'local'))
    expect(find('local', 'here')).toBe(join(folder, 'here', 'local'))
  })

  test.each([
    ['plain', 'not-executable', /^plain: cannot run: permission denied \(file mode 0644\)$/],
    ['./bin/folder', 'not-executable', /it is a directory$/],
    ['folder', 'not-found', /^folder: not found\. Searched 2 directories of PATH$/],
    ['./nothing', 'not-found', /^\.\/nothing: not found\.$/],
    ['claude', 'not-found', /Install it with npm install -g @anthropic-ai\/claude-code\./],
    ['cluade', 'not-found', /Did you mean claude\? \(npm install -g @anthropic-ai\/claude-code\)/],
    ['codx', 'not-found', /Did you mean codex\?/],
    ['something', 'not-found', /^something: not found\. Searched 2 directories of PATH/],
    ['x', 'not-found', /^x: not found\. Searched 2 directories of PATH/],
  ])('rejects %s: %s', (command, code, message) => {
    expect(() => find(command)).toThrow(
      expect.objectContaining({code, message: expect.stringMatching(message)}),
    )
  })
})

describe('findVersion', () => {
  test.each([
    ['@anthropic-ai/claude-code', '2.1.0', '2.1.0'],
    ['@anthropic-ai/claude-code', 17, undefined],
    ['something-else', '2.1.0', undefined],
  ])('finds the version of %s %s: %s', (name, version, expected) => {
    const root = mkdtempSync(join(folder, 'package-'))
    mkdirSync(join(root, 'dist'))
    writeFileSync(join(root, 'dist', 'cli.js'), '')
    writeFileSync(join(root, 'package.json'), JSON.stringify({name, version}))
    symlinkSync(join(root, 'dist', 'cli.js'), join(root, 'claude'))
    const agent = findAgent('claude')
    if (agent === null) throw new Error('no agent')
    expect(findVersion(join(root, 'claude'), agent)).toBe(expected)
    expect(findVersion(join(root, 'nothing'), agent)).toBeUndefined()
  })
})
