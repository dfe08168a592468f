import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {
  assistantText,
  init,
  result,
  toolResult,
  toolUse,
  toStream,
} from '../../test/fake-agents/lines.js'
import type {AgentEvent} from '../core/events/events.ts'
import {isAlive} from '../recording/process-id.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {RunError} from '../recording/run-error.ts'
import {run, type RunOptions} from './run.ts'
import type {AgentRun, Notice} from './agent-run.ts'

/** How many more records can be written before the disk is full. */
const disk = vi.hoisted(() => ({writes: Infinity}))

vi.mock('../recording/run-record-file.ts', async (importOriginal) => {
  const original = await importOriginal<{
    writeRunRecord: (dir: string, record: RunRecord) => void
  }>()
  return {
    ...original,
    writeRunRecord(...args: Parameters<typeof original.writeRunRecord>) {
      if (disk.writes-- <= 0) throw Object.assign(new Error('full'), {code: 'ENOSPC'})
      original.writeRunRecord(...args)
    },
  }
})

let dataDir: string
let runs: AgentRun[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-api-'))
  disk.writes = Infinity
})

afterEach(async () => {
  for (const agent of runs) {
    agent.stop()
    agent.stop()
    await agent.result
  }
  runs = []
  rmSync(dataDir, {recursive: true, force: true})
})

const fake = (name: string): string =>
  fileURLToPath(new URL(`../../test/fake-agents/${name}.js`, import.meta.url))

function start(name: string, options: Partial<RunOptions> = {}): AgentRun {
  const agent = run({command: fake(name), agent: 'claude', dataDir, ...options})
  runs.push(agent)
  return agent
}

function shell(script: string, options: Partial<RunOptions> = {}): AgentRun {
  const agent = run({command: 'sh', args: ['-c', script], dataDir, ...options})
  runs.push(agent)
  return agent
}

async function collect(agent: AsyncIterable<AgentEvent>): Promise<string[]> {
  const types: string[] = []
  for await (const {type} of agent) types.push(type)
  return types
}

function env(changes: Record<string, string>): NodeJS.ProcessEnv {
  return {...process.env, ...changes}
}

function errorOf(options: Partial<RunOptions>): unknown {
  try {
    run({command: fake('happy'), agent: 'claude', dataDir, ...options})
  } catch (error) {
    return error
  }
  return undefined
}

describe('the events', () => {
  const all = ['session-start', 'text', 'tool-start', 'tool-end', 'text', 'usage', 'turn-end']

  test('arrive in order, before the result', async () => {
    const agent = start('happy')
    expect(await collect(agent)).toEqual(all)
    expect(await agent.result).toMatchObject({
      runId: agent.runId,
      dir: agent.dir,
      agent: 'claude',
      verdict: 'succeeded',
      exitCode: 0,
      signal: null,
      text: 'It says one.',
    })
  })

  test('need not be read', async () => {
    expect(await start('happy').result).toMatchObject({verdict: 'succeeded', turns: 2})
  })

  test('need not be read to the end', async () => {
    const agent = start('slow', {env: env({LINES: '30', MS: '5'})})
    for await (const {type} of agent) {
      if (type === 'text') break
    }
    expect(await agent.result).toMatchObject({verdict: 'succeeded', lines: 32})
    expect(await collect(agent)).toEqual([])
  })

  test('can be read after the end of the run', async () => {
    const agent = start('happy')
    await agent.result
    expect(await collect(agent)).toEqual(all)
  })

  test('are shared by concurrent readers, and end for all of them', async () => {
    const agent = start('slow', {env: env({LINES: '10', MS: '10'})})
    const [one = [], other = []] = await Promise.all([collect(agent), collect(agent)])
    expect(one.length + other.length).toBeGreaterThanOrEqual(12)
  })
})

describe('stop()', () => {
  test.each([0, 50, 400])('stops the agent after %d ms', async (ms) => {
    const agent = start('slow', {env: env({LINES: '1000', MS: '10'})})
    await sleep(ms)
    agent.stop('enough')
    agent.stop()
    expect(await agent.result).toMatchObject({verdict: 'stopped', reason: 'enough'})
  })

  test('has no effect after the end of the run', async () => {
    const agent = start('happy')
    await agent.result
    agent.stop()
    agent.stop()
    expect(await agent.result).toMatchObject({verdict: 'succeeded', ended: undefined})
  })

  test.each([2 ** 31, Infinity])(
    'does not kill the agent early with a killAfterMs of %d',
    async (killAfterMs) => {
      const agent = shell('trap "sleep 0.3; exit 0" INT; echo ready; while :; do sleep 0.1; done', {
        killAfterMs,
      })
      const {stdout} = recordingAt(agent.dir)
      await vi.waitUntil(() => readFileSync(stdout, 'utf8').includes('ready'), {timeout: 20_000})
      agent.stop()
      expect((await agent.result).ended).toMatchObject({signal: 'SIGINT', wasForced: false})
    },
  )
})

describe('a process that the agent left behind', () => {
  test.skipIf(process.platform !== 'linux')(
    'is killed even when it has an environment of its own',
    async () => {
      const agent = shell('env -i sleep 60 & echo $!; exit 0')
      const {evidence} = await agent.result
      const pid = Number(readFileSync(recordingAt(agent.dir).stdout, 'utf8'))
      expect(pid).toBeGreaterThan(1)
      expect(isAlive({pid})).toBe(false)
      expect(evidence).toEqual(['1 leftover process was terminated'])
    },
  )
})

describe('a slow reader', () => {
  test('does not make the agent count as silent or lingering', async () => {
    const turn = join(dataDir, 'turn')
    writeFileSync(turn, toStream([init(), assistantText('Next.'), result('Next.')]))
    // A shell starts faster than Node: it prints before the limits on a busy machine, too.
    const agent = shell(`for turn in 1 2 3 4 5 6 7 8; do cat '${turn}'; sleep 0.15; done`, {
      agent: 'claude',
      lingerMs: 600,
      silenceMs: 600,
      onStuck: 'stop',
      onOutput: async () => void (await sleep(900)),
    })
    expect(await agent.result).toMatchObject({verdict: 'succeeded', turns: 8, ended: undefined})
  })
})

describe('a stream with a gap', () => {
  test('succeeds with evidence of the missing data', async () => {
    const file = join(dataDir, 'stream')
    const begin = toStream([init(), toolUse('t', 'Bash', {command: 'ls'})])
    // Like after a temporarily full disk: the rest of a line is lost, and the next line follows directly.
    const damaged =
      toStream([toolResult('t', 'a.txt')]).slice(0, 60) + toStream([assistantText('Done.')])
    writeFileSync(file, begin + damaged + toStream([result('Done.')]))
    const agent = shell(`cat '${file}'`, {agent: 'claude'})
    expect(await agent.result).toMatchObject({
      verdict: 'succeeded',
      evidence: ['1 malformed line, first at line 3', '1 tool call without a result: Bash: ls'],
    })
  })
})

describe('a retry that an agent reports on stderr', () => {
  test('is the reason why the run waits, until there is output', async () => {
    const go = join(dataDir, 'go')
    const agent = shell(
      `echo 'Attempt 3 failed: busy. Retrying after 60000ms...' >&2
      until [ -e '${go}' ]; do sleep 0.05; done
      echo '{"type":"message","timestamp":"2026-11-18T00:00:00.000Z","role":"assistant","content":"Hi"}'
      sleep 60`,
      {agent: 'gemini'},
    )
    const waiting = () => agent.status().waiting
    await expect.poll(() => waiting().why, {timeout: 5000}).toBe('api-retry')
    expect(waiting()).toMatchObject({detail: 'busy', attempt: 3})
    expect((waiting().until ?? 0) - waiting().since).toBe(60_000)
    writeFileSync(go, '')
    await expect.poll(() => waiting().why, {timeout: 5000}).toBe('writing')
  })
})

describe('messages on stdin', () => {
  test('keep the agent from lingering while they have no answer', async () => {
    const file = join(dataDir, 'turn')
    writeFileSync(file, toStream([init(), assistantText('Next.'), result('Next.')]))
    const message = '{"type":"user","message":{"role":"user","content":"x"}}\n'
    const script = `cat '${file}'; sleep 1.5; cat '${file}'; exec sleep 60`
    const options = {agent: 'claude', lingerMs: 300, input: message + message}
    const agent = shell(script, options)
    await expect.poll(() => agent.status().waiting.why, {timeout: 5000}).toBe('queued-input')
    expect(agent.status().waiting.detail).toBe('1 of 2 messages answered')
    expect(await agent.result).toMatchObject({
      verdict: 'succeeded',
      evidence: ['process stayed alive after its last turn and was terminated'],
    })
  })
})

describe('a disk that gets full', () => {
  test('prevents the start of the agent', () => {
    disk.writes = 0
    expect(errorOf({})).toMatchObject({code: 'cannot-record'})
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  })

  test('does not end a started run, and is reported once', async () => {
    disk.writes = 1
    const notices: Notice[] = []
    const onNotice = (notice: Notice) => void notices.push(notice)
    const agent = start('slow', {env: env({LINES: '40', MS: '10'}), onNotice})
    expect(await agent.result).toMatchObject({
      verdict: 'succeeded',
      evidence: ['recording incomplete: the disk was full'],
    })
    expect(notices).toEqual([{type: 'not-recorded', reason: 'the disk was full'}])
  })
})

describe('a run that cannot start', () => {
  const table: [string, Partial<RunOptions>, string][] = [
    ['a missing command', {command: ''}, 'no-command'],
    ['a command that does not exist', {command: 'no-such-command-here'}, 'not-found'],
    ['a folder', {command: tmpdir()}, 'not-executable'],
    ['arguments that are too long', {args: ['x'.repeat(3_000_000)]}, 'not-executable'],
    ['a working directory that does not exist', {cwd: '/no/such/folder'}, 'not-executable'],
    ['an unknown agent', {agent: 'no-such-agent'}, 'bad-options'],
    [
      'a budget for an agent that does not report cost',
      {agent: 'codex', maxCostUsd: 1},
      'bad-options',
    ],
    ['an id that is a path', {runId: '../x'}, 'bad-id'],
  ]

  test.each(table)('is rejected because of %s', (_, options, code) => {
    const error = errorOf(options)
    expect(error).toBeInstanceOf(RunError)
    expect(error).toMatchObject({code})
  })

  test('leaves no recording', () => {
    for (const [, options] of table) errorOf(options)
    mkdirSync(join(dataDir, 'runs'), {recursive: true})
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  })

  test('is rejected because its id is in use', async () => {
    await start('happy', {runId: 'one'}).result
    expect(errorOf({runId: 'one'})).toMatchObject({code: 'id-taken'})
    expect(readRunRecord(join(dataDir, 'runs', 'one'))).not.toBeNull()
  })
})

describe('the files of a run', () => {
  const script = 'echo a > a.txt; mkdir b; echo b > b/b.txt'

  test('are counted once, from the disk and from tools', async () => {
    const cwd = mkdtempSync(join(dataDir, 'work-'))
    expect(await shell(script, {cwd}).result).toMatchObject({fileCount: 2, isWatched: true})
    const reported = await start('writes', {cwd}).result
    expect(reported).toMatchObject({fileCount: 2, added: 1})
  })

  test('are unknown without a watch', async () => {
    const cwd = mkdtempSync(join(dataDir, 'work-'))
    const unwatched = shell(script, {cwd, watch: false})
    expect(await unwatched.result).toMatchObject({fileCount: 0, isWatched: false})
  })
})
