import {spawnSync} from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {listBlocks, listPages} from '../support/pages.ts'
import {createPlace, fake, type Place} from '../support/run.ts'
import {bin as vitrineBin, fixture} from '../support/vitrine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Names that the code blocks of the docs use without declaring them. */
const globals = `
declare const child: import('node:child_process').ChildProcessWithoutNullStreams
declare const log: {warn(text: string): void}
declare const event: import('vitrine').AgentEvent
declare const bytes: Uint8Array
declare const [firstLines, line, output]: string[]
declare function show(value: unknown): void
declare function done(): void
`

let place: Place
let compiled: {status: number | null; stdout: string}

/** A project that has installed the package, with the examples and the code blocks of all pages. */
beforeAll(() => {
  place = createPlace()
  mkdirSync(place.file('node_modules'))
  symlinkSync(root, place.file('node_modules/vitrine'), 'junction')
  symlinkSync(join(root, 'node_modules/@types'), place.file('node_modules/@types'), 'junction')
  writeFileSync(place.file('package.json'), '{"type": "module"}')
  writeFileSync(place.file('globals.d.ts'), globals)
  for (const page of listPages()) {
    const name = page.path.replaceAll('/', '-').replace(/\.md$/, '')
    for (const [index, code] of listBlocks(page, 'ts').entries()) {
      writeFileSync(place.file(`${name}-${index + 1}.ts`), code)
    }
  }
  for (const name of readdirSync(join(root, 'examples'))) {
    if (name.endsWith('.ts')) writeFileSync(place.file(name), read(`examples/${name}`))
  }
  const files = readdirSync(place.folder).filter((name) => name.endsWith('.ts'))
  const flags = '--strict --module nodenext --target es2023 --lib es2023 --types node --outDir out'
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  compiled = start(process.execPath, [tsc, ...flags.split(' '), ...files])
})

afterAll(() => {
  place.clear()
})

test('the examples and the code blocks of all pages compile in a strict project', () => {
  expect(readdirSync(place.file('out')).length).toBeGreaterThan(16)
  expect(compiled).toMatchObject({status: 0, stdout: ''})
})

test('parse.ts prints failed tools and the cost', () => {
  const parse = (agent: string, name: string): string =>
    start(process.execPath, ['out/parse.js', agent], {input: readFileSync(fixture(name))}).stdout
  expect(parse('claude', 'claude/2.1.325/bash-fail')).toBe(
    'failed: Exit code 3\n1 tools, cost in dollars: 0.0270\n',
  )
  expect(parse('codex', 'codex/0.166.0/shell_fail')).toBe(
    'failed: cat: does-not-exist.txt: No such file or directory\n1 tools, cost in dollars: unknown\n',
  )
})

// The fake agents are shell scripts.
describe.skipIf(process.platform === 'win32')('with an agent', () => {
  test('run.ts shows the run and exits with its verdict', () => {
    const run = (agent: string): {status: number | null; stdout: string} =>
      start(process.execPath, ['out/run.js', 'claude', '-p', 'Hello'], {agent})
    expect(run('happy')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^\[vitrine\] claude 2\.1\.325 .*\n\[claude\] "Reading\."\n[^]*\nsucceeded: .* \(\$0\.01\)\. See vitrine view \w+\n$/,
      ) as string,
    })
    expect(run('error-success').status).toBe(1)
  })

  test('the workflow exits with the verdict and writes a summary and a page', () => {
    const {install, ...good} = follow('happy')
    expect(install).toEqual(['install -g ./vitrine-0.1.0.tgz @anthropic-ai/claude-code'])
    expect(good).toMatchObject({codes: [0, 0, 0], prompt: PROMPT, isPage: true})
    expect(good.log).toMatch(/^::group::.*\n[^]*\n::endgroup::\n[^]*::notice title=.*succeeded/im)
    expect(good.summary).toMatch(/^### ✓ Succeeded · \$0\.01 · /)
    const bad = follow('error-success')
    expect(bad).toMatchObject({codes: [0, 1, 0], isPage: true})
    expect(bad.log).toMatch(/^::error title=.*\n/m)
  })

  test('the workflow inserts no expression into a script and has few permissions', () => {
    const workflow = read('examples/github-workflow.yml')
    expect(readSteps(workflow).filter(({script}) => script.includes('${{'))).toEqual([])
    expect(workflow).toContain('\npermissions: {}\n')
    expect(workflow.match(/^ {6}\w+: (?:read|write)/gm)).toEqual(['      contents: read'])
  })
})

/** A prompt that tries to inject shell code. */
const PROMPT = `Fix "it"; $(touch pwned) \`touch pwned\``

/** Runs the steps of the workflow like a GitHub runner. */
function follow(agent: string) {
  const home = place.file(`job-${agent}`)
  mkdirSync(home)
  const summaryFile = join(home, 'summary.md')
  const npm = '#!/bin/sh\necho "$@" >> "$HOME/npm.log"\n'
  const ended = readSteps(read('examples/github-workflow.yml')).map(({script, env}) => {
    const given = Object.entries(env).map(([name, value]) => [
      name,
      value.includes('inputs.prompt') ? PROMPT : 'sk-ant-fake',
    ])
    const variables = {CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryFile}
    const options = {agent, npm, cwd: home, env: {...variables, ...Object.fromEntries(given)}}
    return start('bash', ['-e', '-c', script], {...options, home})
  })
  const [id = ''] = readdirSync(join(home, '.local/share/vitrine/runs'))
  const run = readFileSync(join(home, '.local/share/vitrine/runs', id, 'run.json'), 'utf8')
  expect(existsSync(join(home, 'pwned'))).toBe(false)
  return {
    codes: ended.map(({status}) => status),
    log: ended.map(({stdout}) => stdout).join(''),
    install: readFileSync(join(home, 'npm.log'), 'utf8').trimEnd().split('\n'),
    prompt: (JSON.parse(run) as {prompt: string}).prompt,
    summary: readFileSync(summaryFile, 'utf8'),
    isPage: readFileSync(join(home, 'agent.html'), 'utf8').startsWith('<!doctype html>'),
  }
}

/** Parses the script steps of a workflow with their variables: the part of YAML that it uses. */
function readSteps(workflow: string): {script: string; env: Record<string, string>}[] {
  return workflow.split(/^ {6}- /m).flatMap((step) => {
    const script = /^ *run: (?:\|\n)?(.*(?:\n {10}.*)*)/m.exec(step)?.[1]
    if (script === undefined) return []
    const env = /^ *env:\n((?: {10}.*\n)*)/m.exec(step)?.[1] ?? ''
    return [{script, env: Object.fromEntries(readPairs(env))}]
  })
}

function readPairs(lines: string): [string, string][] {
  return [...lines.matchAll(/^ *(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value])
}

interface StartOptions {
  input?: Uint8Array
  env?: Record<string, string>
  cwd?: string
  home?: string
  /** The fake agent that is installed as `claude`. */
  agent?: string
  /** The script that is installed as `npm`. */
  npm?: string
}

/** Runs a program until it exits, with `vitrine` and a fake agent on its PATH. */
function start(command: string, args: readonly string[], options: StartOptions = {}) {
  const {agent = 'happy', npm, cwd = place.folder, home = cwd, input, env} = options
  const bin = mkdtempSync(place.file('bin-'))
  symlinkSync(vitrineBin, join(bin, 'vitrine'))
  symlinkSync(fake(agent), join(bin, 'claude'))
  if (npm !== undefined) writeFileSync(join(bin, 'npm'), npm, {mode: 0o755})
  const PATH = [bin, process.env['PATH']].join(delimiter)
  const {status, stdout, stderr} = spawnSync(command, args, {
    cwd,
    env: {PATH, HOME: home, TZ: 'UTC', ...env},
    input: input ?? '',
    encoding: 'utf8',
  })
  return {status, stdout, stderr}
}
