import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {claude} from '../../src/agents/claude/index.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {createClientViews} from '../../src/hub/live/client-views.ts'
import {createItemPages} from '../../src/hub/reader/item-pages.ts'
import {openIndexer, type Indexer} from '../../src/hub/reader/indexer.ts'
import {nullSink, type EncodedBatch} from '../../src/hub/reader/message-sink.ts'
import type {PublishedSeqs} from '../../src/hub/reader/run-publisher.ts'
import {removeIndexFiles} from '../../src/database/files.ts'
import {openRunIndex, type RunIndex} from '../../src/hub/index/run-index.ts'
import {measureRecording} from '../../src/recording/completeness.ts'
import {toProcessId} from '../../src/recording/process-id.ts'
import {readRunRecord, writeRunRecord} from '../../src/recording/run-record-file.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {removeRun} from '../../src/recording/list-runs.ts'
import type {RunRecord} from '../../src/recording/run-record.ts'
import {sleep} from '../support/run.ts'

let dataDir: string
let index: RunIndex
let published: PublishedSeqs
let indexer: Indexer | undefined
let batches: EncodedBatch[]
let errors: unknown[]

beforeEach(() => {
  // Tests decide when a second has passed; other timers and file watchers are real.
  vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']})
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-indexer-'))
  mkdirSync(join(dataDir, 'runs'))
  openIndex()
  published = new Map()
  batches = []
  errors = []
})

afterEach(async () => {
  await indexer?.close()
  indexer = undefined
  index.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
  rmSync(dataDir, {recursive: true, force: true})
})

/** Polls until a condition holds, while the clock of the indexer runs fast. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(250)
    await sleep(5)
  }
}

/** Stops `Date` at `aheadMs` from now: files become idle only when a test advances it, even on a slow machine. */
function freezeClock(aheadMs = 0): void {
  const now = performance.timeOrigin + performance.now() + aheadMs
  vi.spyOn(Date, 'now').mockReturnValue(Math.round(now))
}

/** Lets the indexer scan its folder, and waits until it has read a recording that was created just before. */
async function scan(marker: string): Promise<void> {
  record(marker, ['marker'], ended)
  vi.advanceTimersByTime(1000)
  await until(() => history(marker).some(({type}) => type === 'run_ended'))
}

function openIndex(): void {
  index = openRunIndex(join(dataDir, 'index.db'), {onLost: (error) => errors.push(error)})
}

function open(findAgent: (id: string) => Adapter | null = () => null): Indexer {
  indexer = openIndexer({
    dataDir,
    index,
    sink: {...nullSink, publish: (batch) => batches.push(batch)},
    published,
    findAgent,
    onError: (error) => errors.push(error),
  })
  return indexer
}

const ended = {
  endedAt: 9000,
  result: {verdict: 'succeeded', reason: 'done', startedAt: 1000, durationMs: 8000, costUsd: null},
} as unknown as Partial<RunRecord>

/** Records a run of a command that prints some words. */
function record(runId: string, words: string[], changes: Partial<RunRecord> = {}): void {
  const dir = join(dataDir, 'runs', runId)
  mkdirSync(dir, {recursive: true})
  const files = recordingAt(dir)
  let end = statSync(files.stdout, {throwIfNoEntry: false})?.size ?? 0
  for (const word of words) {
    end += word.length + 1
    appendFileSync(files.stdout, `${word}\n`)
    appendFileSync(files.timing, `[2000,"out",${end}]\n`)
  }
  writeRunRecord(dir, {
    version: 1,
    runId,
    argv: ['make'],
    ranArgv: [],
    cwd: '/home/dev',
    agent: null,
    startedAt: 1000,
    marker: `${runId}-marker`,
    supervisor: toProcessId(process.pid),
    ...changes,
  })
}

const publishedMessages = (runId: string) =>
  batches
    .filter((batch) => batch.runId === runId)
    .flatMap(({messages}) => messages.map(({seq, type}) => ({seq, type})))
const history = (runId: string) =>
  publishedMessages(runId).filter(({type}) => type !== 'run_updated' && type !== 'progress_update')

test('the indexer ignores files and temporary folders among the runs', async () => {
  record('a', ['one'], ended)
  writeFileSync(join(dataDir, 'runs', '.hooks-0123'), '')
  writeFileSync(join(dataDir, 'runs', 'file'), '')
  // An incomplete recording of another machine.
  record('.b-0123', ['one'], {host: 'elsewhere'})
  await open().caughtUp
  const {runs} = index.listRuns({limit: 10})
  expect(runs.map(({runId}) => runId)).toEqual(['a'])
  expect(errors).toEqual([])
})

test.each([
  ['created while the indexer runs', false],
  ['found when the indexer starts', true],
])('a recording that is being copied is read when it is complete: %s', async (_name, isThere) => {
  record('a', ['one', 'two'], ended)
  const dir = join(dataDir, 'runs', 'a')
  const complete = {...(readRunRecord(dir) as RunRecord), sizes: measureRecording(dir)}
  const stdout = readFileSync(recordingAt(dir).stdout)
  const timing = readFileSync(recordingAt(dir).timing)
  rmSync(dir, {recursive: true})
  if (!isThere) await open().caughtUp
  mkdirSync(dir)
  writeRunRecord(dir, complete)
  if (isThere) await open().caughtUp
  let scans = 0
  for (const [path, bytes] of [
    [recordingAt(dir).timing, timing],
    [recordingAt(dir).stdout, stdout.subarray(0, 5)],
    [recordingAt(dir).stdout, stdout.subarray(5)],
  ] as const) {
    // The indexer scans after each part of the copy.
    await scan(`b${++scans}`)
    expect(history('a')).toEqual([])
    appendFileSync(path, bytes)
  }
  await until(() => history('a').some(({type}) => type === 'run_ended'))
  expect(history('a').map(({type}) => type)).toEqual([
    'run_started',
    'agent_output',
    'agent_output',
    'run_ended',
  ])
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({seq}) => seq)).toEqual(history('a').map(({seq}) => seq))
})

test('an incomplete recording is read when it is idle, and again when it is complete', async () => {
  record('a', ['one'], {...ended, sizes: {stdout: 8, stderr: 0}})
  freezeClock()
  await open().caughtUp
  await scan('b1')
  expect(history('a')).toEqual([])
  // A recording is idle when nothing was written to it for 5 s.
  freezeClock(6000)
  await until(() => history('a').length === 3)
  await indexer?.close()
  expect(index.getRun('a')?.verdict).toBe('succeeded')
  record('a', ['two'], {...ended, sizes: {stdout: 8, stderr: 0}})
  await open().caughtUp
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({json}) => (JSON.parse(json) as {type: string}).type)).toEqual([
    'run_started',
    'agent_output',
    'agent_output',
    'run_ended',
  ])
})

/** Opens an empty index, as after damage. */
async function replaceIndex(): Promise<void> {
  await indexer?.close()
  index.close()
  removeIndexFiles(join(dataDir, 'index.db'))
  openIndex()
}

test('rebuilding the index publishes no message twice', async () => {
  record('a', ['one', 'two'])
  await open().caughtUp
  await until(() => history('a').length === 3)
  await replaceIndex()
  await open().caughtUp
  record('a', ['three'])
  await until(() => history('a').some(({seq}) => seq === 4))
  expect(history('a').map(({seq}) => seq)).toEqual([1, 2, 3, 4])
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({seq}) => seq)).toEqual([1, 2, 3, 4])
})

test('the end of a run is published when it ends during a rebuild of the index', async () => {
  record('a', ['one'])
  await open().caughtUp
  await until(() => history('a').length === 2)
  await replaceIndex()
  record('a', ['two'], ended)
  await open().caughtUp
  await until(() => history('a').some(({type}) => type === 'run_ended'))
  expect(history('a').map(({seq}) => seq)).toEqual([1, 2, 3, 4])
  expect(batches.filter(({isOld}) => isOld === true)).toEqual([])
})

test('lost additions are read again, and no message is published twice', async () => {
  record('a', ['one'])
  await open().caughtUp
  await until(() => history('a').length === 2)
  indexer?.refill()
  index.removeRun('a')
  record('a', ['two'])
  await until(() => history('a').length === 3)
  expect(history('a').map(({seq}) => seq)).toEqual([1, 2, 3])
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({seq}) => seq)).toEqual([1, 2, 3])
})

test('a requested run is indexed before newer ones', async () => {
  for (let number = 0; number < 20; number++) {
    record(`r${number}`, ['one'], {...ended, startedAt: 1000 + number})
  }
  const opened = open()
  await opened.listed
  await opened.prepare('r0')
  expect(index.headOf('r0')?.lastSeq).toBe(3)
  expect(opened.waitingCount).toBeGreaterThan(0)
  await opened.caughtUp
  expect(opened.waitingCount).toBe(0)
})

test('a run that ended before the indexer started is listed as ended, and only its state is published', async () => {
  record('a', ['one'], ended)
  const opened = open()
  await opened.listed
  expect(index.getRun('a')).toMatchObject({isOver: true, verdict: 'succeeded'})
  await opened.caughtUp
  expect(publishedMessages('a').map(({type}) => type)).toEqual(['progress_update', 'run_updated'])
  expect(batches.every(({isOld}) => isOld === true)).toBe(true)
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  expect(messages.map(({type}) => type)).toEqual(['run_started', 'agent_output', 'run_ended'])
})

test.each(['live', 'over'])(
  'a new recording with the id of a removed %s run replaces it',
  async (state) => {
    record('a', ['one', 'two'], state === 'over' ? ended : {})
    await open().caughtUp
    // Waits until the folder of runs is watched.
    record('b', [])
    await until(() => publishedMessages('b').length > 0)
    removeRun({dir: join(dataDir, 'runs', 'a')})
    record('a', ['three'], {...ended, marker: 'another', argv: ['other']})
    await until(async () => index.getRun('a')?.title === 'other')
    await until(async () => index.getRun('a')?.isComplete === true)
    const {messages} = index.listMessages('a', {since: 0, limit: 10})
    expect(messages.map(({json}) => (JSON.parse(json) as {content?: string}).content)).toEqual([
      undefined,
      'three\n',
      undefined,
    ])
  },
)

const removals = () => batches.filter(({removal}) => removal !== undefined).map(({runId}) => runId)

test.each(['live', 'over'])('the removal of a %s run is published once', async (state) => {
  record('a', ['one'], state === 'over' ? ended : {})
  record('b', [])
  await open().caughtUp
  removeRun({dir: join(dataDir, 'runs', 'a')})
  await until(() => removals().length > 0)
  expect(index.getRun('a')).toBeNull()
  record('a', ['two'], {marker: 'another'})
  await until(() => publishedMessages('a').some(({type}) => type === 'run_started'))
  expect(removals()).toEqual(['a'])
})

test('a run that is removed before it was read leaves no entry', async () => {
  for (let number = 0; number < 50; number++) record(`r${number}`, ['one'], ended)
  const opened = open()
  await opened.listed
  expect(index.getRun('r49')).not.toBeNull()
  removeRun({dir: join(dataDir, 'runs', 'r49')})
  await opened.caughtUp
  await until(() => removals().includes('r49'))
  expect(index.getRun('r49')).toBeNull()
})

test('runs are not removed while their folder cannot be listed', async () => {
  record('a', ['one'], ended)
  await open().caughtUp
  const runsDir = join(dataDir, 'runs')
  renameSync(runsDir, `${runsDir}-aside`)
  writeFileSync(runsDir, '')
  vi.advanceTimersByTime(1000)
  // A scan would have emitted removals before this query is answered.
  expect(index.getRun('a')).not.toBeNull()
  rmSync(runsDir)
  renameSync(`${runsDir}-aside`, runsDir)
  await scan('b')
  expect(removals()).toEqual([])
  expect(index.getRun('a')).not.toBeNull()
})

test('no message is lost or reordered when a file cannot be read for a while', async () => {
  record('a', ['one', 'two'], {host: 'elsewhere'})
  const {stdout, files, timing} = recordingAt(join(dataDir, 'runs', 'a'))
  rmSync(stdout)
  symlinkSync(stdout, stdout)
  appendFileSync(files, '{"path":"x","action":"created"}\n')
  appendFileSync(timing, `[3000,"file",${statSync(files).size}]\n`)
  await open().caughtUp
  await until(() => errors.length > 0)
  rmSync(stdout)
  writeFileSync(stdout, 'one\ntwo\n')
  await until(() => history('a').length === 4)
  expect(history('a').map(({type}) => type)).toEqual([
    'run_started',
    'agent_output',
    'agent_output',
    'file_changed',
  ])
})

test('an idle remote run keeps no files open', async () => {
  vi.useRealTimers()
  record('a', ['one'], {host: 'elsewhere'})
  await open().caughtUp
  await until(() => history('a').length === 2)
  await until(() => countOpen('/runs/a/') === 0)
  expect(errors).toEqual([])
})

function countOpen(part: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).includes(part)
    } catch {
      return false
    }
  }).length
}

test('translates each line once, however many clients read the run', async () => {
  let translated = 0
  const counting: Adapter = {
    ...claude,
    createTranslator(options) {
      const translate = claude.createTranslator(options)
      return {
        ...translate,
        translate(...args) {
          translated++
          return translate.translate(...args)
        },
      }
    },
  }
  const lines = Array.from({length: 50}, (_, at) => JSON.stringify(textLine(at)))
  record('a', lines, {agent: 'claude', ...ended})
  const {caughtUp, isWaiting} = open((id) => (id === 'claude' ? counting : null))
  await caughtUp
  const pages = createItemPages(dataDir, index, isWaiting)
  const received = await Promise.all(
    Array.from({length: 20}, async () => {
      let items = 0
      const views = createClientViews({
        store: pages,
        mayAnswer: true,
        send(message, onSent) {
          items += JSON.parse(Buffer.from(message).toString()).items.length
          onSent()
        },
      })
      views.begin('a', 0, () => {})
      // The start, the lines and the end.
      await until(() => items >= lines.length + 2)
      expect(index.listMessages('a', {since: 0, limit: 100}).messages).toHaveLength(52)
      await pages.readRecords({runId: 'a', ranges: [[1, 50]], mayAnswer: true})
      return items
    }),
  )
  expect(received).toEqual(Array.from({length: 20}, () => 52))
  expect(translated).toBe(lines.length)
})

test('returns 1,000 lines that are spread over a run', async () => {
  const more = 'word '.repeat(50)
  const lines = Array.from({length: 10_000}, (_, at) => JSON.stringify(textLine(at, more)))
  record('a', lines, {agent: 'claude', ...ended})
  const {caughtUp, isWaiting} = open((id) => (id === 'claude' ? claude : null))
  await caughtUp
  const pages = createItemPages(dataDir, index, isWaiting)
  const wanted = Array.from({length: 1000}, (_, at) => at * 10 + 1)
  const ranges = wanted.map((line) => [line, line] as const)
  const json = await pages.readRecords({runId: 'a', ranges, mayAnswer: true})
  const {records} = JSON.parse(json ?? '')
  expect(records.map(({line}: {line: number}) => line)).toEqual(wanted)
  expect(records.at(-1)).toMatchObject({raw: `${lines[9990]}\n`})
})

function textLine(at: number, more = '') {
  const content = [{type: 'text', text: `text ${at}${more}`}]
  return {type: 'assistant', message: {id: `msg-${at}`, role: 'assistant', content}}
}
