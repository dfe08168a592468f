import {appendFileSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Worker} from 'node:worker_threads'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createLocalBus} from '../../src/hub/live/local-bus.ts'
import type {Indexer} from '../../src/hub/reader/indexer.ts'
import {startIndexer} from '../../src/hub/reader/indexer-thread.ts'
import {createMessageSink} from '../../src/hub/reader/message-sink.ts'
import type {Store} from '../../src/hub/index/store.ts'
import {toProcessId} from '../../src/recording/process-id.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {writeRunRecord} from '../../src/recording/run-record-file.ts'
import {until} from '../support/run.ts'
import {openSqliteStore} from '../support/sqlite-store.ts'

// Threads cannot load TypeScript on every Node version, so these tests use the built files.
const built = (path: string) => new URL(`../../dist/hub/${path}`, import.meta.url)

let dataDir: string
let store: Store
let indexer: Indexer
let threads: Worker[]
let seen: number[]
let errors: Error[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-reader-'))
  mkdirSync(join(dataDir, 'runs', 'a'), {recursive: true})
  store = await openSqliteStore(join(dataDir, 'index.db'), {onDamage: () => {}})
  threads = []
  seen = []
  errors = []
})

afterEach(async () => {
  vi.restoreAllMocks()
  await indexer.close()
  await store.close()
  rmSync(dataDir, {recursive: true, force: true})
})

function start(url = built('reader/indexer-worker.js')): void {
  const bus = createLocalBus()
  bus.subscribe({runId: 'a'}, ({messages}) => {
    for (const {seq, type} of messages) if (type.startsWith('agent_')) seen.push(seq)
  })
  indexer = startIndexer({
    sink: createMessageSink(store, bus),
    createReader() {
      const data = {dataDir, stateIntervalMs: 100}
      const thread = new Worker(url, {workerData: data, execArgv: []})
      threads.push(thread)
      return thread
    },
    onError: (error) => errors.push(error as Error),
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

test('a successor continues where a reader thread ended', async () => {
  size = 0
  const dir = join(dataDir, 'runs', 'a')
  writeRunRecord(dir, {
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
  print('one')
  start()
  await until(() => seen.length === 1)
  // A thread that ends within a second has no successor.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1001)
  await threads[0]?.terminate()
  print('two')
  await until(() => seen.length === 2)
  expect(threads).toHaveLength(2)
  expect(indexer.liveCount).toBe(1)
  await indexer.rebuild()
  await indexer.caughtUp
  print('three')
  indexer.wake('a')
  await until(() => seen.length === 3)
  expect(seen).toEqual([2, 3, 4])
  const {messages} = await store.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({seq}) => seq)).toEqual([1, 2, 3, 4])
})

test('a thread that fails at start is not restarted, and pending calls are rejected', async () => {
  start(new URL('data:text/javascript,throw new Error("broken")'))
  await expect(indexer.listed).rejects.toThrow('ended unexpectedly')
  await expect(indexer.caughtUp).rejects.toThrow('ended unexpectedly')
  expect(threads).toHaveLength(1)
  expect(errors.map(({message}) => message)).toEqual(['broken'])
})
