import {spawn} from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {describe} from 'vitest'
import {recordHook} from '../../src/hooks/record-hook.ts'
import {modeOf, placeTest, readLines, type Ended} from '../support/run.ts'
import {bin, fixture} from '../support/vitrine.ts'

function payloadsOf(scenario: string): string[] {
  const text = readFileSync(fixture(`claude-hooks/2.1.325/${scenario}`), 'utf8')
  return text.trimEnd().split('\n')
}

type Hook = (
  payload: string,
  args?: readonly string[],
  env?: Record<string, string>,
) => Promise<Ended>

/** A test of `vitrine hook`. */
const hookTest = placeTest.extend<{hook: Hook}>({
  hook: async ({place}, use) => {
    await use((payload, args = [], env) => place.vitrine(['hook', ...args], {input: payload, env}))
  },
})

const quietly = {exitCode: 0, stdout: '', stderr: ''}

describe.concurrent('vitrine hook', () => {
  const test = hookTest

  test('records sessions as runs with their verdicts', async ({place, hook, expect}) => {
    const scenarios = ['compact', 'cleared', 'denied', 'quiet', 'tools']
    const play = async (scenario: string) => {
      const payloads = payloadsOf(scenario)
      for (const [index, payload] of payloads.entries()) {
        // The first, every fourth and the last, which ends the session, arrive as from Claude Code.
        const isCalled = index % 4 === 0 || index === payloads.length - 1
        if (isCalled) expect(await hook(payload)).toMatchObject(quietly)
        else await recordHook(Buffer.from(payload), {dataDir: place.dataDir})
      }
    }
    await Promise.all(scenarios.map(play))
    const runs = await place.list()
    const bySession = new Map(
      runs.map((run) => {
        const [line = ''] = place.read(run.runId, 'stdout').toString().split('\n')
        return [(JSON.parse(line) as {session_id: string}).session_id.slice(0, 8), run]
      }),
    )
    const tools = bySession.get('07f3a627')?.runId ?? ''
    expect(Object.fromEntries(bySession)).toMatchObject({
      '2bb53ce3': {
        agent: 'claude-hooks',
        verdict: 'succeeded',
        reason: 'Last turn completed without errors; session ended: clear',
      },
      bde4e4f1: {verdict: 'truncated', reason: 'no turn end; session ended: other'},
      '13491b0f': {verdict: 'failed', reason: 'API Error: 400 bad; session ended: other'},
      '9d1f103f': {verdict: 'succeeded'},
      '07f3a627': {verdict: 'succeeded'},
    })
    expect(runs).toHaveLength(scenarios.length)
    expect(place.read(tools, 'stdout')).toEqual(readFileSync(fixture('claude-hooks/2.1.325/tools')))
    expect(place.readRun(tools)).toMatchObject({prompt: 'Hook', cwd: '/home/dev/project'})
    const view = await place.vitrine(['view', tools, '--verdict'])
    expect(view.stdout).toContain('[claude-hooks] Bash: exit 2\n')
    expect(view.stdout).toContain('[claude-hooks] "All hooks ran."\n')
    expect(JSON.parse(view.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      verdict: 'succeeded',
      lines: 20,
    })
  })

  // With more of them: test/slow/run-hooks.test.ts.
  test('loses no payload of several that arrive at once', async ({place, hook, expect}) => {
    const payloads = Array.from({length: 6}, (_, index) =>
      JSON.stringify({
        session_id: 'parallel',
        cwd: '/p',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: {command: `${index}: ${'x'.repeat(index * 10_000)}`},
        tool_use_id: `tool-${index}`,
      }),
    )
    const ended = await Promise.all(payloads.map((payload) => hook(payload)))
    for (const end of ended) expect(end).toMatchObject(quietly)
    const [{runId} = {runId: ''}, ...others] = await place.list()
    expect(others).toEqual([])
    const lines = place.read(runId, 'stdout').toString().trimEnd().split('\n')
    expect(lines.toSorted()).toEqual(payloads.toSorted())
    // A time for each line, and the end of each line.
    let end = 0
    const ends = lines.map((line) => (end += Buffer.byteLength(line) + 1))
    const timings = readLines(place.read(runId, 'timing.ndjson').toString())
    expect(timings).toEqual(ends.map((at) => [expect.any(Number), 'out', at]))
    expect(readdirSync(join(place.dataDir, 'runs'))).toEqual([runId])
  })

  test.for([
    ['an empty payload', ''],
    ['invalid JSON', '{"half'],
    ['JSON that is not a payload', '{"type":"assistant"}'],
    ['binary data', '\0\u0001'],
  ] as const)(
    'prints nothing for %s without --debug',
    async ([, payload], {place, hook, expect}) => {
      const [plain, odd, debug] = await Promise.all([
        hook(payload),
        hook(payload, ['--no-such-option', 'word']),
        hook(payload, ['--debug']),
      ])
      expect(plain).toMatchObject(quietly)
      expect(odd).toMatchObject(quietly)
      expect(debug).toMatchObject({
        exitCode: 0,
        stdout: '',
        stderr: expect.stringMatching(/^vitrine: the payload .*\n$/) as string,
      })
      expect(existsSync(place.dataDir)).toBe(false)
    },
  )

  test('prints nothing when it cannot write', async ({place, hook, expect}) => {
    writeFileSync(place.dataDir, 'in the way')
    expect(await hook(payloadsOf('quiet')[0] ?? '')).toMatchObject(quietly)
    expect(await hook(payloadsOf('quiet')[0] ?? '', ['--debug'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: `vitrine: cannot write the recording: ${place.dataDir}/runs: part of the path is a file, expected a folder\n`,
    })
  })

  test('records nothing within vitrine run, which records the session', async ({
    place,
    hook,
    expect,
  }) => {
    expect(await hook(payloadsOf('quiet')[0] ?? '', [], {VITRINE_RUNS: 'x'})).toMatchObject(quietly)
    expect(existsSync(place.dataDir)).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')(
    'keeps the session open while the process that started its shell is running',
    async ({place, expect}) => {
      const [payload = ''] = payloadsOf('quiet')
      writeFileSync(place.file('payload'), payload)
      // Like Claude, which starts a shell for its hook and continues.
      const script = `
        const {spawnSync} = require('node:child_process')
        const {VITRINE, DATA, PAYLOAD} = process.env
        spawnSync('sh', ['-c', '"' + process.execPath + '" "' + VITRINE + '" hook --data-dir "' +
          DATA + '" < "' + PAYLOAD + '"; true'])
        console.log('called')
        setInterval(() => {}, 1000)`
      const claude = spawn(process.execPath, ['-e', script], {
        env: {
          PATH: process.env['PATH'],
          VITRINE: bin,
          DATA: place.dataDir,
          PAYLOAD: place.file('payload'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        await new Promise((resolve) => claude.stdout.once('data', resolve))
        const [run] = await place.list()
        expect(run).toMatchObject({verdict: null, state: 'idle'})
        expect(place.readRun(run?.runId ?? '')).toMatchObject({supervisor: {pid: claude.pid}})
      } finally {
        claude.kill('SIGKILL')
        await new Promise((resolve) => claude.once('close', resolve))
      }
      expect(await place.list()).toMatchObject([{verdict: null, state: 'unknown'}])
    },
  )
})

const foreign = {type: 'command', command: 'echo "vitrine hook" >> log'}

/** Settings files in various formats. */
const settings: Record<string, string> = {
  empty: '',
  'an empty object with room': '{\n}\n',
  tabs: JSON.stringify({env: {A: '1'}, hooks: {Stop: [{hooks: [foreign]}]}}, null, '\t'),
  'one line': '{"model":"opus","hooks":{"Stop":[{"matcher":"","hooks":[]}]}}',
  'lines of Windows': '{\r\n    "model": "opus"\r\n}\r\n',
  'all kinds of looks': `
{ "permissions" : {"allow": ["Read", "Bash(ls:*)"],
                   "deny": []},
  "big": 12345678901234567890, "e": 1E2, "s": "\\u00e9 \\"}] é",
  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [${JSON.stringify(foreign)}]}],
    "Stop": [
      {"hooks": [
        ${JSON.stringify(foreign)}
      ]}
    ],
    "SessionEnd": []
  }
}


`,
  'hooks that are empty': '{\n  "hooks": {},\n  "model": "opus"\n}\n',
}

interface Settings {
  /** Runs `vitrine hooks`. */
  hooks(...args: string[]): Promise<Ended>
  /** The content of the settings file. */
  written(): string
  installClaude(version: string): void
}

/** A test of `vitrine hooks` with its own settings file and Claude Code on the PATH. */
const settingsTest = placeTest.extend<{file: Settings}>({
  file: async ({place}, use) => {
    const file: Settings = {
      hooks: (...args) =>
        place.start(['hooks', ...args, '--settings', place.file('settings.json')], {
          env: {PATH: place.file('bin'), NO_COLOR: '1'},
        }).ended,
      written: () => readFileSync(place.file('settings.json'), 'utf8'),
      installClaude(version) {
        mkdirSync(place.file('bin'), {recursive: true})
        writeFileSync(place.file('bin/claude'), `#!/bin/sh\necho "${version} (Claude Code)"\n`)
        chmodSync(place.file('bin/claude'), 0o755)
      },
    }
    file.installClaude('2.1.325')
    await use(file)
  },
})

describe.concurrent('vitrine hooks', () => {
  const test = settingsTest
  const parse = (text: string) =>
    JSON.parse(text) as {hooks: Record<string, {hooks: (typeof foreign)[]}[]>}

  test.for(Object.keys(settings))(
    'keeps all other bytes of the settings: %s',
    async (name, {place, file, expect}) => {
      const {hooks, written} = file
      const original = settings[name] ?? ''
      writeFileSync(place.file('settings.json'), original)
      expect(await hooks('install')).toMatchObject({exitCode: 0, stderr: ''})
      const installed = written()
      const before: Partial<ReturnType<typeof parse>> =
        original.trim() === '' ? {} : parse(original)
      const {hooks: now, ...rest} = parse(installed)
      const {hooks: old = {}, ...others} = before
      expect(rest).toEqual(others)
      for (const [event, groups] of Object.entries(now)) {
        const ours = groups.flatMap((group) => group.hooks).filter(isOurs)
        expect({event, ours: ours.length}).toEqual({event, ours: 1})
        expect(groups.filter((group) => !group.hooks.some(isOurs))).toEqual(old[event] ?? [])
      }
      expect(Object.keys(now)).toHaveLength(24)
      // The original text is unchanged, in its original order.
      let from = 0
      for (const word of original.match(/[^\s{}[\],]+/g) ?? []) {
        from = installed.indexOf(word, from)
        expect({word, isThere: from !== -1}).toEqual({word, isThere: true})
      }

      expect((await hooks('install')).stdout).toContain('no change, 24 hooks installed')
      expect(written()).toBe(installed)
      expect(readdirSync(place.folder).toSorted()).toEqual([
        'bin',
        'settings.json',
        'settings.json.before-vitrine',
      ])
      expect(readFileSync(place.file('settings.json.before-vitrine'), 'utf8')).toBe(original)

      expect(await hooks('uninstall')).toMatchObject({exitCode: 0, stderr: ''})
      expect(written()).toBe(original)
      expect((await hooks('uninstall')).stdout).toContain('no change')
    },
  )

  test('removes its hooks from settings that were changed in the meantime', async ({
    place,
    file,
    expect,
  }) => {
    const {hooks, written} = file
    writeFileSync(place.file('settings.json'), settings['tabs'] ?? '')
    await hooks('install')
    const changed = written().replace('"A": "1"', '"A": "2"')
    writeFileSync(place.file('settings.json'), changed)
    await hooks('uninstall')
    expect(written()).toBe((settings['tabs'] ?? '').replace('"A": "1"', '"A": "2"'))
  })

  test('removes its hook from a group that has other hooks', async ({place, file, expect}) => {
    const {hooks, written} = file
    await hooks('install')
    const shared = parse(written())
    shared.hooks['Stop']?.[0]?.hooks.push(foreign)
    writeFileSync(place.file('settings.json'), JSON.stringify(shared, null, 2))
    await hooks('uninstall')
    expect(parse(written())).toEqual({hooks: {Stop: [{hooks: [foreign]}]}})
  })

  test('installs only the events that an old version of Claude Code supports', async ({
    file,
    expect,
  }) => {
    const {hooks, written, installClaude} = file
    installClaude('2.0.14')
    const {stderr} = await hooks('install')
    expect(stderr).toContain('claude 2.0.14 does not know the others')
    expect(Object.keys(parse(written()).hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Notification',
      'Stop',
      'SubagentStop',
      'PreCompact',
      'SessionEnd',
    ])
    await hooks('install', '--all')
    expect(Object.keys(parse(written()).hooks)).toHaveLength(24)
  })

  test('installs no hook for events that a hook must handle for Claude Code', async ({
    file,
    expect,
  }) => {
    const {hooks, written} = file
    await hooks('install', '--all')
    expect(written()).not.toMatch(/Worktree/)
  })

  test.skipIf(process.platform === 'win32')(
    'installs a command that works without PATH',
    async ({place, file, expect}) => {
      const {hooks, written} = file
      const dataDir = place.file("it's data")
      await hooks('install', '--data-dir', dataDir)
      const command = parse(written()).hooks['Stop']?.[0]?.hooks[0]?.command ?? ''
      expect(command).toContain(`'${process.execPath}' '${bin}' hook --data-dir `)
      const shell = spawn('/bin/sh', ['-c', command], {env: {PATH: '/nowhere'}, stdio: 'pipe'})
      shell.stdin.end(payloadsOf('quiet')[0])
      expect(await new Promise((resolve) => shell.once('close', resolve))).toBe(0)
      expect(readdirSync(join(dataDir, 'runs'))).toHaveLength(1)
      // Another path gives another command, which replaces the first.
      await hooks('install')
      expect(parse(written()).hooks['Stop']).toHaveLength(1)
      expect(written()).not.toContain("it's")
    },
  )

  test.skipIf(process.platform === 'win32')(
    'installs its short name when PATH resolves it',
    async ({place, file, expect}) => {
      const {hooks, written} = file
      symlinkSync(process.execPath, place.file('bin/node'))
      symlinkSync(bin, place.file('bin/vitrine'))
      await hooks('install')
      expect(parse(written()).hooks['Stop']?.[0]?.hooks[0]?.command).toBe('vitrine hook')
      expect((await hooks('status')).stdout).toContain('24 hooks of Vitrine\n  vitrine hook\n')
    },
  )

  test.for([
    ['{"a": 1,}', 'not valid JSON (line 1)'],
    ['{\n// no\n}', 'not valid JSON (line 2)'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"hooks": []}', '"hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" is not a list'],
  ] as const)(
    'does not change settings that it cannot parse: %j',
    async ([content, why], {place, file, expect}) => {
      const {hooks, written} = file
      writeFileSync(place.file('settings.json'), content)
      for (const ended of await Promise.all([hooks('install'), hooks('uninstall')])) {
        expect(ended).toMatchObject({
          exitCode: 2,
          stdout: '',
          stderr: `vitrine: ${place.file('settings.json')}: ${why}. Nothing was changed\n`,
        })
      }
      expect(written()).toBe(content)
      expect(readdirSync(place.folder).toSorted()).toEqual(['bin', 'settings.json'])
    },
  )

  test('prints a diff and writes nothing with --dry-run', async ({place, file, expect}) => {
    const {hooks, written} = file
    writeFileSync(place.file('settings.json'), '{\n  "model": "opus"\n}\n')
    const {stdout} = await hooks('install', '--dry-run')
    expect(stdout).toContain('\n-   "model": "opus"\n+   "model": "opus",\n+   "hooks": {\n')
    expect(stdout).toContain('Nothing was written (--dry-run)')
    expect(written()).toBe('{\n  "model": "opus"\n}\n')
    expect(readdirSync(place.folder).toSorted()).toEqual(['bin', 'settings.json'])
  })

  test('removes a settings file that it created', async ({place, file, expect}) => {
    const {hooks} = file
    await hooks('install')
    expect((await hooks('uninstall', '--dry-run')).stdout).not.toMatch(/^\+/m)
    expect((await hooks('uninstall')).stdout).toContain('24 hooks removed')
    expect(readdirSync(place.folder)).toEqual(['bin'])
  })

  test('prints the beginning of the diff, and all of it with --dry-run', async ({file, expect}) => {
    const {hooks} = file
    const lines = (await hooks('install', '--dry-run')).stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('+ '))).toHaveLength(lines.length - 4)
    const {stdout} = await hooks('install')
    const rest = lines.length - 4 - 24
    expect(stdout.split('\n')).toEqual([
      ...lines.slice(0, 25),
      `  … ${rest} more lines; --dry-run shows all lines`,
      '',
      '24 hooks installed',
      'New Claude Code sessions are now recorded. List them with: vitrine runs',
      '',
    ])
  })

  test('keeps every backup, the mode of the file and a symbolic link to it', async ({
    place,
    file,
    expect,
  }) => {
    const {hooks} = file
    writeFileSync(place.file('real.json'), '{}')
    chmodSync(place.file('real.json'), 0o640)
    symlinkSync('real.json', place.file('settings.json'))
    writeFileSync(place.file('settings.json.before-vitrine'), 'older')
    await hooks('install')
    expect(lstatSync(place.file('settings.json')).isSymbolicLink()).toBe(true)
    expect(modeOf(place.file('real.json'))).toBe('640')
    expect(readFileSync(place.file('settings.json.before-vitrine'), 'utf8')).toBe('older')
    expect(readFileSync(place.file('settings.json.before-vitrine-2'), 'utf8')).toBe('{}')
  })

  test('creates the settings of the user or of the project', async ({place, file, expect}) => {
    file.installClaude('2.1.325')
    const env = {PATH: place.file('bin')}
    for (const args of [[], ['--project'], ['--local']]) {
      expect((await place.start(['hooks', 'install', ...args], {env}).ended).exitCode).toBe(0)
    }
    // Home and project are one folder here.
    expect(readdirSync(place.file('.claude')).toSorted()).toEqual([
      'settings.json',
      'settings.local.json',
    ])
    await place.start(['hooks', 'install'], {env: {...env, CLAUDE_CONFIG_DIR: place.file('c')}})
      .ended
    expect(readdirSync(place.file('c'))).toEqual(['settings.json'])
    const {exitCode} = await place.start(['hooks', 'install', '--local', '--project'], {env}).ended
    expect(exitCode).toBe(2)
  })

  test('masks secrets in the diff, also on the line that it changes', async ({
    place,
    file,
    expect,
  }) => {
    const key = `sk-ant-api03-${'x1Y2'.repeat(20)}`
    writeFileSync(place.file('settings.json'), `{"env":{"ANTHROPIC_API_KEY":"${key}"}}`)
    for (const args of [['install', '--dry-run'], ['install'], ['uninstall']]) {
      const {stdout} = await file.hooks(...args)
      expect(stdout).toContain('ANTHROPIC_API_KEY')
      expect(stdout).not.toContain('x1Y2')
    }
    expect(file.written()).toContain(key)
  })

  test('prints a bounded diff of a large file', async ({place, file, expect}) => {
    writeFileSync(place.file('settings.json'), `{"a":"${'b '.repeat(2_500_000)}"}`)
    expect((await file.hooks('install', '--dry-run')).stdout.length).toBeLessThan(4000)
  })

  test('keeps a byte order mark', async ({place, file, expect}) => {
    const original = '\ufeff{\n  "model": "opus"\n}\n'
    writeFileSync(place.file('settings.json'), original)
    expect(await file.hooks('install')).toMatchObject({exitCode: 0, stderr: ''})
    expect(file.written().startsWith('\ufeff{\n  "model": "opus",\n  "hooks"')).toBe(true)
    await file.hooks('uninstall')
    expect(file.written()).toBe(original)
  })

  test('refuses a file that is not UTF-8', async ({place, file, expect}) => {
    const original = Buffer.from('{"name":"Andr\xe9"}', 'latin1')
    writeFileSync(place.file('settings.json'), original)
    expect(await file.hooks('install')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: `vitrine: ${place.file('settings.json')}: not UTF-8. Nothing was changed\n`,
    })
    expect(readFileSync(place.file('settings.json'))).toEqual(original)
  })

  test('refuses a read-only file', async ({place, file, expect}) => {
    writeFileSync(place.file('settings.json'), '{}')
    chmodSync(place.file('settings.json'), 0o444)
    const {exitCode, stderr} = await file.hooks('install')
    expect({exitCode, stderr}).toEqual({
      exitCode: 2,
      stderr: `vitrine: ${place.file('settings.json')}: is read-only. Nothing was changed. Try chmod u+w first\n`,
    })
    expect(readdirSync(place.folder).toSorted()).toEqual(['bin', 'settings.json'])
    expect((await file.hooks('install', '--dry-run')).exitCode).toBe(0)
  })

  test('refuses a link to a file that does not exist', async ({place, file, expect}) => {
    symlinkSync('missing.json', place.file('settings.json'))
    const {exitCode, stderr} = await file.hooks('install')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is a link to missing.json, which does not exist')
    expect(lstatSync(place.file('settings.json')).isSymbolicLink()).toBe(true)
  })

  test.skipIf(process.platform !== 'linux')(
    'prints one sentence when a folder cannot be created',
    async ({place, expect}) => {
      const path = '/proc/vitrine/settings.json'
      const {exitCode, stderr} = await place.vitrine(['hooks', 'install', '--settings', path])
      expect({exitCode, stderr: stderr.split('\n')[0]}).toEqual({
        exitCode: 2,
        stderr: `vitrine: ${path}: no such file or folder. Nothing was changed`,
      })
    },
  )

  test('leaves a hook of Vitrine that was written by hand, and reports it', async ({
    place,
    file,
    expect,
  }) => {
    const hand = {matcher: 'Bash', hooks: [{type: 'command', command: 'vitrine hook', timeout: 60}]}
    const original = JSON.stringify({hooks: {PreToolUse: [hand]}}, null, 2)
    writeFileSync(place.file('settings.json'), original)
    const {stdout, stderr} = await file.hooks('install')
    expect(stderr).toBe('vitrine: hand-written hooks are kept: PreToolUse\n')
    expect(stdout).toContain('23 hooks installed')
    expect(parse(file.written()).hooks['PreToolUse']).toEqual([hand])
    await file.hooks('uninstall')
    expect(file.written()).toBe(original)
    expect((await file.hooks('uninstall')).stdout).toContain('no change')
  })

  test('prints a coloured diff with FORCE_COLOR', async ({place, file, expect}) => {
    file.installClaude('2.1.325')
    const env = {PATH: place.file('bin'), FORCE_COLOR: '1'}
    const args = ['hooks', 'install', '--dry-run', '--settings', place.file('settings.json')]
    expect((await place.start(args, {env}).ended).stdout).toContain('\u001b[32m+ {\u001b[0m\n')
  })
})

function isOurs({command}: {command: string}): boolean {
  return command.endsWith(' hook')
}
