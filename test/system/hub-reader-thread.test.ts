import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Worker} from 'node:worker_threads'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {startReader, type Reader} from '../../src/hub/reader/reader-thread.ts'
import {toProcessId} from '../../src/recording/process-id.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {writeRunRecord} from '../../src/recording/run-record-file.ts'
import {until} from '../support/run.ts'

// Threads cannot load TypeScript on every Node version, so these tests use the built files.
const built = new URL('../../dist/hub/reader/reader-worker.js', import.meta.url)

let dataDir: string
let reader: Reader
let threads: Worker[]
let seen: number[]
let errors: Error[]
let damages: string[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-reader-'))
  mkdirSync(join(dataDir, 'runs', 'a'), {recursive: true})
  size = 0
  threads = []
  seen = []
  errors = []
  damages = []
})

afterEach(async () => {
  vi.restoreAllMocks()
  await reader.close()
  rmSync(dataDir, {recursive: true, force: true})
})

function start(url = built): void {
  reader = startReader({
    dataDir,
    stateIntervalMs: 100,
    publish({messages}) {
      for (const {seq, type} of messages) if (type.startsWith('agent_')) seen.push(seq)
    },
    adopt: async () => {},
    createThread(data) {
      const thread = new Worker(url, {workerData: data, execArgv: []})
      threads.push(thread)
      return thread
    },
    onError: (error) => errors.push(error as Error),
    onDamage: (reason) => damages.push(reason),
  })
}

let size = 0

function print(word: string): void {
  const dir = join(dataDir, 'runs', 'a')
  const files = recordingAt(dir)
  size += word.length + 1
  appendFileSync(files.stdout, `${word}\n`)
  appendFileSync(files.timing, `[2000,"out",${size}]\n`)
}

function recordRun(): void {
  writeRunRecord(join(dataDir, 'runs', 'a'), {
    version: 1,
    runId: 'a',
    argv: ['make'],
    ranArgv: [],
    cwd: '/home/dev',
    agent: null,
    startedAt: 1000,
    marker: 'a-marker',
    supervisor: toProcessId(process.pid),
  })
}

async function listSeqs(): Promise<number[]> {
  const {messages} = await reader.listMessages('a', {since: 0, limit: 10})
  return messages.map(({seq}) => seq)
}

test('a successor continues where a reader thread ended, and answers its calls', async () => {
  recordRun()
  print('one')
  start()
  await until(() => seen.length === 1)
  // A thread that ends within a second has no successor.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1001)
  const waiting = reader.waitForItems('a', 2)
  await threads[0]?.terminate()
  print('two')
  await waiting
  await until(() => seen.length === 2)
  expect(threads).toHaveLength(2)
  print('three')
  reader.wake('a')
  await until(() => seen.length === 3)
  expect(seen).toEqual([2, 3, 4])
  expect(await listSeqs()).toEqual([1, 2, 3, 4])
  expect(errors).toEqual([])
})

test('a damaged index is removed and filled again', async () => {
  recordRun()
  print('one')
  start()
  await until(() => seen.length === 1)
  await reader.close()
  writeFileSync(join(dataDir, 'index.db'), 'not a database'.repeat(1000))
  print('two')
  start()
  await until(() => seen.length === 3)
  expect(damages).toEqual([expect.stringContaining('not a database')])
  expect(await listSeqs()).toEqual([1, 2, 3])
})

test('a thread that fails at start is not restarted, and pending calls are rejected', async () => {
  start(new URL('data:text/javascript,throw new Error("broken")'))
  await expect(reader.getRun('a')).rejects.toThrow('ended unexpectedly')
  await expect(reader.whenCaughtUp()).rejects.toThrow('ended unexpectedly')
  expect(threads).toHaveLength(1)
  expect(errors.map(({message}) => message)).toEqual(['broken'])
})
