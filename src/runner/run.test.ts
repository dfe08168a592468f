import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import type {AgentEvent} from '../core/index.ts'
import {isAlive, readRunRecord, recordingAt, RunError, type RunRecord} from '../recording/index.ts'
import {run, type RunOptions} from './run.ts'
import type {AgentRun, Notice} from './agent-run.ts'

/** How many more records can be written; then the disk is full. */
const disk = vi.hoisted(() => ({writes: Infinity}))

vi.mock('../recording/index.ts', async (importOriginal) => {
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

  test('come in order, and then the result', async () => {
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
    expect(await start('happy').result).toMatchObject({verdict: 'succeeded', turns: 1})
  })

  test('may be left early', async () => {
    const agent = start('slow', {env: env({LINES: '30', MS: '5'})})
    for await (const {type} of agent) {
      if (type === 'text') break
    }
    expect(await agent.result).toMatchObject({verdict: 'succeeded', lines: 32})
    expect(await collect(agent)).toEqual([])
  })

  test('can be had when it is over', async () => {
    const agent = start('happy')
    await agent.result
    expect(await collect(agent)).toEqual(all)
  })

  test('are shared by those who read at the same time, and end for all of them', async () => {
    const agent = start('slow', {env: env({LINES: '10', MS: '10'})})
    const [one = [], other = []] = await Promise.all([collect(agent), collect(agent)])
    expect(one.length + other.length).toBeGreaterThanOrEqual(12)
  })
})

describe('stop()', () => {
  test.each([0, 50, 400])('after %d ms', async (ms) => {
    const agent = start('slow', {env: env({LINES: '1000', MS: '10'})})
    await sleep(ms)
    agent.stop('enough')
    agent.stop()
    expect(await agent.result).toMatchObject({verdict: 'stopped', reason: 'enough'})
  })

  test('changes nothing when it is over', async () => {
    const agent = start('happy')
    await agent.result
    agent.stop()
    agent.stop()
    expect(await agent.result).toMatchObject({verdict: 'succeeded', ended: undefined})
  })

  test.each([2 ** 31, Infinity])('killAfterMs of %d is long, not short', async (killAfterMs) => {
    const agent = shell('trap "sleep 0.5; exit 0" INT; echo ready; while :; do sleep 0.1; done', {
      killAfterMs,
    })
    await vi.waitUntil(() => readRunRecord(agent.dir)?.live !== undefined)
    await sleep(300)
    agent.stop()
    expect((await agent.result).ended).toMatchObject({signal: 'SIGINT', wasForced: false})
  })
})

describe('what is left behind', () => {
  test.skipIf(process.platform !== 'linux')(
    'is ended when it has an environment of its own, too',
    async () => {
      const agent = shell('env -i sleep 60 & echo $!; exit 0')
      const {evidence} = await agent.result
      const pid = Number(readFileSync(recordingAt(agent.dir).stdout, 'utf8'))
      expect(pid).toBeGreaterThan(1)
      expect(isAlive({pid})).toBe(false)
      expect(evidence).toEqual(['one process that was left behind was ended'])
    },
  )
})

describe('a reader that is slow', () => {
  test('is no reason to think that the agent is', async () => {
    const agent = start('costly', {
      env: env({RESULTS: '15', MS: '100'}),
      lingerMs: 400,
      silenceMs: 400,
      onStuck: 'stop',
      onOutput: async () => void (await sleep(700)),
    })
    expect(await agent.result).toMatchObject({verdict: 'succeeded', turns: 15, ended: undefined})
  })
})

describe('a disk that gets full', () => {
  test('before the agent is started: nothing is', () => {
    disk.writes = 0
    expect(errorOf({})).toMatchObject({code: 'cannot-record'})
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  })

  test('when it is: it is looked after to its end, and that is told once', async () => {
    disk.writes = 1
    const notices: Notice[] = []
    const onNotice = (notice: Notice) => void notices.push(notice)
    const agent = start('slow', {env: env({LINES: '40', MS: '10'}), onNotice})
    expect(await agent.result).toMatchObject({
      verdict: 'succeeded',
      evidence: ['not all was recorded: the disk was full'],
    })
    expect(notices).toEqual([{type: 'not-recorded', reason: 'the disk was full'}])
  })
})

describe('a run that does not begin', () => {
  const table: [string, Partial<RunOptions>, string][] = [
    ['no command', {command: ''}, 'no-command'],
    ['a command that is not there', {command: 'no-such-command-here'}, 'not-found'],
    ['a folder', {command: tmpdir()}, 'not-executable'],
    ['arguments that are too long', {args: ['x'.repeat(3_000_000)]}, 'not-executable'],
    ['a folder to run in that is not there', {cwd: '/no/such/folder'}, 'not-executable'],
    ['an agent that nobody knows', {agent: 'nobody'}, 'bad-options'],
    [
      'a budget for one that does not tell its cost',
      {agent: 'codex', maxCostUsd: 1},
      'bad-options',
    ],
    ['a name that is a path', {runId: '../x'}, 'bad-id'],
  ]

  test.each(table)('%s', (_, options, code) => {
    const error = errorOf(options)
    expect(error).toBeInstanceOf(RunError)
    expect(error).toMatchObject({code})
  })

  test('leaves no recording', () => {
    for (const [, options] of table) errorOf(options)
    mkdirSync(join(dataDir, 'runs'), {recursive: true})
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([])
  })

  test('a name that is taken', async () => {
    await start('happy', {runId: 'one'}).result
    expect(errorOf({runId: 'one'})).toMatchObject({code: 'id-taken'})
    expect(readRunRecord(join(dataDir, 'runs', 'one'))).not.toBeNull()
  })
})
