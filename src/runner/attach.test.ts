import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {describe, test as baseTest} from 'vitest'
import {attach} from './attach.ts'
import {takeOverRun} from './take-over.ts'
import {signalGroup} from './process.ts'
import {toProcessId, type ProcessId} from '../recording/process-id.ts'
import {readRunRecord, writeRunRecord} from '../recording/run-record-file.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {supervisionOf} from '../recording/supervision.ts'
import {readTiming} from '../recording/timing.ts'

const turn = (text: string): string =>
  [
    {type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: []},
    {type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's'},
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** A process that has ended: no process has its pid and start time. */
const gone: ProcessId = {pid: 999_999_999, startTime: '1'}

/** Runs without a supervisor. */
interface Orphans {
  dataDir: string
  /** Creates a run whose supervisor was killed and whose agent is a shell script; returns its folder. */
  orphan(script: string | undefined, changes?: Partial<RunRecord>): Promise<string>
  /** Starts a process that is killed at the end of the test. */
  start(command: string, ...args: string[]): Promise<ChildProcess>
}

/** A test with recordings of its own, which may run concurrently with others. */
const test = baseTest.extend<{orphans: Orphans}>({
  // Vitest reads the names of fixtures from the pattern.
  // oxlint-disable-next-line no-empty-pattern
  orphans: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-attach-'))
    const children: ChildProcess[] = []
    await use({
      dataDir,
      orphan: (script, changes = {}) => createOrphan(dataDir, children, script, changes),
      async start(command, ...args) {
        const child = spawn(command, args, {detached: true})
        children.push(child)
        await once(child, 'spawn')
        return child
      },
    })
    for (const {pid} of children) signalGroup(pid ?? 0, 'SIGKILL')
    rmSync(dataDir, {recursive: true, force: true})
  },
})

async function createOrphan(
  dataDir: string,
  children: ChildProcess[],
  script: string | undefined,
  changes: Partial<RunRecord>,
): Promise<string> {
  const dir = join(dataDir, 'runs', 'orphan')
  mkdirSync(dir, {recursive: true})
  const files = recordingAt(dir)
  const stdio = [files.stdout, files.stderr].map((file) => openSync(file, 'a'))
  let process: ProcessId | undefined = gone
  if (script !== undefined) {
    const child = spawn('sh', ['-c', script], {detached: true, stdio: ['ignore', ...stdio]})
    children.push(child)
    await once(child, 'spawn')
    process = toProcessId(child.pid ?? 0)
  }
  for (const file of stdio) closeSync(file)
  writeRunRecord(dir, {
    version: 1,
    runId: 'orphan',
    argv: ['claude'],
    ranArgv: ['claude'],
    cwd: dataDir,
    agent: 'claude',
    startedAt: Date.now(),
    process,
    marker: 'orphan-0000',
    supervisor: gone,
    ...changes,
  })
  return dir
}

describe.concurrent('an orphaned run', () => {
  test('is supervised by the process that attaches, also after a snapshot was written', async ({
    orphans,
    expect,
  }) => {
    const {dataDir, orphan} = orphans
    const dir = await orphan('sleep 60')
    const run = attach({runId: 'orphan', dataDir})
    while (readRunRecord(dir)?.live === undefined) await sleep(10)
    const record = readRunRecord(dir)
    expect(record?.supervisor).toEqual(toProcessId(process.pid))
    expect(record === null ? null : supervisionOf(record)).toBe('supervised')
    run.stop()
    await run.result
  })

  test('is taken over by the first process that attaches, and by the next when that one dies', async ({
    orphans,
    expect,
  }) => {
    const {orphan} = orphans
    const dir = await orphan('sleep 60')
    const record = readRunRecord(dir)
    if (record === null) throw new Error('no record')
    // All processes have read the same record.
    const [one, other, later] = [{...record}, {...record}, {...record}]
    expect([takeOverRun(dir, one), takeOverRun(dir, other)]).toEqual([true, false])
    expect(one.supervisor).toEqual(toProcessId(process.pid))
    expect(other.supervisor).toEqual(gone)
    writeRunRecord(dir, {...one, supervisor: {pid: 999_999_998}})
    expect(takeOverRun(dir, later)).toBe(true)
    expect(readRunRecord(dir)?.supervisor).toEqual(toProcessId(process.pid))
  })

  test('is taken over after another process was killed while it took it over', async ({
    orphans,
    expect,
  }) => {
    const dir = await orphans.orphan('sleep 60')
    writeFileSync(join(dir, 'takeover.lock'), JSON.stringify(gone))
    // Version 0.1.0 leaves this file.
    writeFileSync(join(dir, `after-${gone.pid}-${gone.startTime}`), '{"pid":999999998}')
    const record = readRunRecord(dir)
    if (record === null) throw new Error('no record')
    expect(takeOverRun(dir, record)).toBe(true)
    expect(existsSync(join(dir, 'takeover.lock'))).toBe(false)
  })

  test('is not taken over after it has ended, even with an outdated record', async ({
    orphans,
    expect,
  }) => {
    const {dataDir, orphan} = orphans
    const dir = await orphan(undefined)
    const record = readRunRecord(dir)
    if (record === null) throw new Error('no record')
    await attach({runId: 'orphan', dataDir}).result
    const before = readFileSync(join(dir, 'run.json'), 'utf8')
    expect(takeOverRun(dir, record)).toBe(false)
    expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(before)
  })

  test('is not stopped by limits before its recorded output is read', async ({orphans, expect}) => {
    const {dataDir, orphan} = orphans
    const dir = await orphan('sleep 1.2', {
      startedAt: Date.now() - 60_000,
    })
    const {stdout, timing} = recordingAt(dir)
    const past = Date.now() - 50_000
    // A finished turn, and one that continues.
    const first = turn('first') + '\n'.repeat(140_000)
    appendFileSync(timing, `[${past},"out",${first.length}]\n`)
    appendFileSync(stdout, `${first}${turn('second').split('\n')[0]}\n`)
    const run = attach({
      runId: 'orphan',
      dataDir,
      lingerMs: 1000,
      onOutput: async () => void (await sleep(700)),
    })
    const {ended} = await run.result
    expect(ended).toBeUndefined()
  })

  test('keeps its limits', async ({orphans, expect}) => {
    const {dataDir, orphan} = orphans
    await orphan(`printf '%s' '${turn('done')}'; sleep 60`, {limits: {lingerMs: 300}})
    const {verdict, ended} = await attach({runId: 'orphan', dataDir}).result
    expect({verdict, signal: ended?.signal}).toEqual({verdict: 'succeeded', signal: 'SIGTERM'})
  })

  test('gets a time for each chunk once', async ({orphans, expect}) => {
    const {dataDir, orphan} = orphans
    const dir = await orphan('sleep 0.3; echo more >&2')
    const {stderr, timing} = recordingAt(dir)
    appendFileSync(stderr, 'before\n')
    appendFileSync(timing, `[1,"err",7]\n`)
    await attach({runId: 'orphan', dataDir}).result
    expect(readTiming(timing).map(({kind, end}) => [kind, end])).toEqual([
      ['err', 7],
      ['err', 12],
    ])
  })

  test('ends at the time of its last output if its agent has ended', async ({orphans, expect}) => {
    const {dataDir, orphan} = orphans
    const startedAt = Date.now() - 3_600_000
    const dir = await orphan(undefined, {startedAt})
    const {stdout, stderr} = recordingAt(dir)
    writeFileSync(stdout, turn('done'))
    const at = new Date(startedAt + 5000)
    for (const file of [stdout, stderr]) utimesSync(file, at, at)
    const result = await attach({runId: 'orphan', dataDir}).result
    expect(result).toMatchObject({verdict: 'succeeded', durationMs: 5000})
    expect(readRunRecord(dir)).toMatchObject({endedAt: startedAt + 5000})
  })
})

test('follows a run on another machine without taking it over', async ({orphans, expect}) => {
  const {dataDir, orphan} = orphans
  const dir = await orphan(undefined, {host: 'elsewhere'})
  const before = readFileSync(join(dir, 'run.json'), 'utf8')
  const run = attach({runId: 'orphan', dataDir})
  await sleep(300)
  expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(before)
  const record = readRunRecord(dir)
  if (record === null) throw new Error('no record')
  const result = {
    verdict: 'failed',
    reason: 'as recorded',
    exitCode: 3,
    signal: null,
    costUsd: null,
  }
  writeRunRecord(dir, {...record, result: result as NonNullable<RunRecord['result']>})
  expect(await run.result).toMatchObject(result)
})

describe.concurrent('a supervised run', () => {
  test('is taken over when its supervisor dies', async ({orphans, expect}) => {
    const {dataDir, orphan, start} = orphans
    const supervisor = await start('sleep', '60')
    // An agent that has finished its turn and does not exit.
    const dir = await orphan(`printf '%s' '${turn('done')}'; sleep 60`, {
      supervisor: toProcessId(supervisor.pid ?? 0),
    })
    const run = attach({runId: 'orphan', dataDir, lingerMs: 500})
    expect(readRunRecord(dir)?.supervisor.pid).toBe(supervisor.pid)
    supervisor.kill('SIGKILL')
    const {verdict, ended} = await run.result
    expect({verdict, signal: ended?.signal}).toEqual({verdict: 'succeeded', signal: 'SIGTERM'})
    expect(readRunRecord(dir)?.result?.verdict).toBe('succeeded')
  })

  test('is not changed by a process that attaches', async ({orphans, expect}) => {
    const {dataDir, orphan} = orphans
    const dir = await orphan(`sleep 0.3; printf '%s' '${turn('done')}'`, {
      supervisor: toProcessId(process.pid),
    })
    const before = readFileSync(join(dir, 'run.json'), 'utf8')
    const run = attach({runId: 'orphan', dataDir})
    await sleep(700)
    expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(before)
    const record = readRunRecord(dir)
    if (record === null) throw new Error('no record')
    const result = {
      verdict: 'failed',
      reason: 'as recorded',
      exitCode: 3,
      signal: null,
      costUsd: null,
    }
    writeRunRecord(dir, {...record, result: result as NonNullable<RunRecord['result']>})
    expect(await run.result).toMatchObject({...result, text: 'done'})
  })
})
