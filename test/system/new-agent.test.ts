import {spawnSync} from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {createEventDecoder} from '../../src/core/events/event-parser.ts'
import type {JsonObject} from '../../src/core/wire/json.ts'
import {listBlocks, readPage} from '../support/pages.ts'
import {expectInvariants} from '../support/invariants.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vitrine-new-agent-'))
  mkdirSync(join(root, 'src/agents'), {recursive: true})
  const lines = ['amp', 'claude', 'cline', 'kimi'].map(
    (name) => `export {${name}} from './${name}/index.ts'\n`,
  )
  writeFileSync(
    join(root, 'src/agents/adapters.ts'),
    `// One line for each agent.\n${lines.join('')}`,
  )
})

afterEach(() => {
  rmSync(root, {recursive: true, force: true})
})

function run(file: string, ...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [join(repository, file), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return {status, stdout, stderr}
}

function newAgent(...args: string[]) {
  return run('scripts/new-agent.js', ...args, '--root', root)
}

/** Compiles the folder of Acme. */
function compile() {
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction')
  symlinkSync(join(repository, 'src/core'), join(root, 'src/core'), 'junction')
  const config = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {preserveSymlinks: true},
    include: ['src/agents/acme'],
  }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(config))
  return run('node_modules/typescript/bin/tsc', '-p', root)
}

describe('npm run new-agent', () => {
  test('creates the files of an agent, adds it to the list and prints the next steps', () => {
    const {status, stdout, stderr} = newAgent('acme-code', '--command', 'acme')
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toContain('Created src/agents/acme-code/index.ts\n')
    expect(stdout).toContain('Next steps, with details in src/agents/README.md:\n1. ')
    expect(readdirSync(join(root, 'src/agents/acme-code')).toSorted()).toEqual([
      'fixtures',
      'index.ts',
      'shapes.ts',
      'translate.test.ts',
      'translate.ts',
    ])
    const index = readFileSync(join(root, 'src/agents/acme-code/index.ts'), 'utf8')
    expect(index).toContain("id: 'acme-code',\n  label: 'Acme Code',\n  commands: ['acme'],")
    const lines = readFileSync(join(root, 'src/agents/adapters.ts'), 'utf8').split('\n')
    expect(lines[1]).toBe("export {acmeCode} from './acme-code/index.ts'")
    expect(lines[2]).toBe("export {amp} from './amp/index.ts'")
  })

  test('keeps the list in alphabetical order', () => {
    newAgent('zed')
    newAgent('claude-next')
    const lines = readFileSync(join(root, 'src/agents/adapters.ts'), 'utf8').trimEnd().split('\n')
    const folders = lines.slice(1).map((line) => /'\.\/(.*)\/index\.ts'$/.exec(line)?.[1])
    expect(folders).toEqual(['amp', 'claude', 'claude-next', 'cline', 'kimi', 'zed'])
  })

  test('creates files that compile', () => {
    newAgent('acme')
    expect(compile()).toEqual({status: 0, stdout: '', stderr: ''})
  })

  test.each([
    ['an existing agent', ['amp'], 'src/agents/amp already exists'],
    ['an invalid name', ['Acme'], 'invalid name "Acme": expected lower-case words'],
    ['no name', [], 'expected one name, as in: npm run new-agent acme'],
    ['two names', ['acme', 'other'], 'expected one name'],
  ])('rejects %s and changes nothing', (_, args, message) => {
    mkdirSync(join(root, 'src/agents/amp'))
    const before = readFileSync(join(root, 'src/agents/adapters.ts'), 'utf8')
    const {status, stdout, stderr} = newAgent(...args)
    expect({status, stdout}).toEqual({status: 1, stdout: ''})
    expect(stderr).toContain(`new-agent: ${message}`)
    expect(readFileSync(join(root, 'src/agents/adapters.ts'), 'utf8')).toBe(before)
    expect(existsSync(join(root, 'src/agents/acme'))).toBe(false)
  })

  test('rejects an agent that is only in the list', () => {
    expect(newAgent('kimi')).toMatchObject({
      status: 1,
      stderr: 'new-agent: src/agents/adapters.ts already has kimi\n',
    })
  })

  test('rejects a folder that is not the repository', () => {
    rmSync(join(root, 'src'), {recursive: true})
    const {status, stderr} = newAgent('acme')
    expect(status).toBe(1)
    expect(stderr).toMatch(/adapters\.ts does not exist: run it in the repository of Vitrine\n$/)
  })
})

describe('the worked example of src/agents/README.md', () => {
  const page = readPage('src/agents/README.md')
  const files = listBlocks(page, 'ts').map((code) => ({
    path: /^\/\/ (src\/agents\/acme\/[a-z.]+)\n/.exec(code)?.[1] ?? '',
    code,
  }))
  const [stream = ''] = listBlocks(page, 'jsonl')

  function write(): void {
    mkdirSync(join(root, 'src/agents/acme'))
    for (const {path, code} of files) writeFileSync(join(root, path), code)
  }

  test('has the files of an adapter, which compile', () => {
    expect(files.map(({path}) => path)).toEqual([
      'src/agents/acme/shapes.ts',
      'src/agents/acme/translate.ts',
      'src/agents/acme/index.ts',
    ])
    write()
    expect(compile()).toEqual({status: 0, stdout: '', stderr: ''})
  })

  test('translates its recording without drift', async () => {
    write()
    symlinkSync(join(repository, 'src/core'), join(root, 'src/core'), 'junction')
    const path = pathToFileURL(join(root, 'src/agents/acme/index.ts')).href
    const {acme} = (await import(/* @vite-ignore */ path)) as {acme: Adapter}
    const decoder = createEventDecoder(acme, {now: () => 0})
    const events = [...decoder.push(stream), ...decoder.end()]
    expect(decoder.drift()).toEqual([])
    expect(events).toMatchObject([
      {type: 'session-start', sessionId: 's-1', model: 'acme-2', agentVersion: '1.4.0'},
      {type: 'text', text: 'I will read the file.'},
      {type: 'tool-start', toolId: 'c1', name: 'shell', tool: 'Bash', summary: 'cat a.txt'},
      {type: 'tool-end', toolId: 'c1', ok: false, exitCode: 1},
      {type: 'text', text: 'The file is missing.'},
      {type: 'usage', tokens: {input: 120, output: 31}},
      {type: 'turn-end', ok: true, text: 'The file is missing.'},
    ])
    expectInvariants(events, 'acme')
    const lines = stream.trimEnd().split('\n')
    expect(lines.map((line) => acme.detect(JSON.parse(line) as JsonObject))).toEqual([
      3, 1, 1, 1, 1, 1,
    ])
    expect(acme.findPrompt([...acme.flags([]), '-m', 'acme-2', 'Fix it'])).toBe('Fix it')
  })
})
