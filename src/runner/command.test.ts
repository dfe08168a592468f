import {chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {agents, findAgent} from '../agents/index.ts'
import {addFlags, findExecutable, findPrompt, findVersion, splitCommand} from './command.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-command-'))
})

afterAll(() => {
  rmSync(folder, {recursive: true, force: true})
})

describe('the agent in a command', () => {
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
  ])('%j is %s', (words, id, length) => {
    const {agent, program, args} = splitCommand(words)
    expect({id: agent?.id ?? null, program, args}).toEqual({
      id,
      program: words.slice(0, length),
      args: words.slice(length),
    })
  })
})

describe('flags', () => {
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
  ])('%j and %j are %j', (args, flags, expected) => {
    expect(addFlags(args, flags)).toEqual(expected)
  })

  const runnable = agents.filter(({commands}) => commands.length > 0)
  test.each(runnable.map(({id}) => id))('%s gets its own once, before --', (id) => {
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

describe('the prompt', () => {
  test.each<[string[], string | undefined]>([
    [['-p', 'Fix the tests'], 'Fix the tests'],
    [['exec', 'Fix the tests', '--model', 'o3'], 'Fix the tests'],
    [['-p', 'Fix it now', '--append-system-prompt=be very nice'], 'Fix it now'],
    [['--', '-1 is not a count'], '-1 is not a count'],
    [['-p', 'x', '--', '--why not'], '--why not'],
    [['exec', 'hello'], 'hello'],
    [['-p', ''], undefined],
    [['--version'], undefined],
    [[], undefined],
  ])('of %j is %j', (args, expected) => {
    expect(findPrompt(args)).toBe(expected)
  })
})

describe('where a program is', () => {
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

  test('the first on the PATH, or by its path from where it runs', () => {
    expect(find('tool')).toBe(join(folder, 'bin', 'tool'))
    expect(find('tool', `${folder}/other:${folder}/bin`)).toBe(join(folder, 'other', 'tool'))
    expect(find('./here/local')).toBe(join(folder, 'here', 'local'))
    expect(find('here/local', '')).toBe(join(folder, 'here', 'local'))
    expect(find('local', 'here')).toBe(join(folder, 'here', 'local'))
  })

  test.each([
    ['plain', 'not-executable', /^plain: cannot run: permission denied \(file mode 0644\)$/],
    ['./bin/folder', 'not-executable', /it is a folder$/],
    ['folder', 'not-found', /^folder: not found\. Looked in 2 folders of PATH$/],
    ['./nothing', 'not-found', /^\.\/nothing: not found\.$/],
    ['claude', 'not-found', /Install it with npm install -g @anthropic-ai\/claude-code\./],
    ['cluade', 'not-found', /Did you mean claude\? \(npm install -g @anthropic-ai\/claude-code\)/],
    ['codx', 'not-found', /Did you mean codex\?/],
    ['something', 'not-found', /^something: not found\. Looked in/],
    ['x', 'not-found', /^x: not found\. Looked in/],
  ])('%s: %s', (command, code, message) => {
    expect(() => find(command)).toThrow(
      expect.objectContaining({code, message: expect.stringMatching(message)}),
    )
  })
})

describe('the version', () => {
  test.each([
    ['@anthropic-ai/claude-code', '2.1.0', '2.1.0'],
    ['@anthropic-ai/claude-code', 17, undefined],
    ['something-else', '2.1.0', undefined],
  ])('of %s %s is %s', (name, version, expected) => {
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
