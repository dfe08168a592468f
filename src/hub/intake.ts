import {readdirSync, statSync, watch, type FSWatcher} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as setTimer} from 'node:timers'
import {setImmediate, setTimeout} from 'node:timers/promises'
import {maskSecrets, maskSecretsIn, type Adapter, type RunSummary} from '../core/index.ts'
import {
  isRunName,
  readRunRecord,
  recordingAt,
  whereabouts,
  type RunRecord,
} from '../recording/index.ts'
import type {Bus} from './bus.ts'
import {encodeMessage, type EncodedMessage} from './encode.ts'
import {openRunReader, type RunReader} from './run-reader.ts'
import {describeState} from './state-messages.ts'
import type {RunEntry, Store} from './store.ts'

/** Takes runs in: reads every recording of a data folder as it grows, into the index and to those who watch. */
export interface Intake {
  /** Settles when the index has every run, though not yet every message. */
  readonly listed: Promise<void>
  /** Settles when the index has everything that was there at the start. */
  readonly caughtUp: Promise<void>
  /** How many runs are being followed, and how many recordings wait to be indexed. */
  readonly liveCount: number
  readonly waitingCount: number
  /**
   * There is more of a run to be read.
   *
   * @param hasRecord - Whether its record is another too.
   */
  wake(runId: string, hasRecord?: boolean): void
  /** Forgets the index and fills it again. */
  rebuild(): Promise<void>
  close(): Promise<void>
}

/** What an intake needs. */
export interface IntakeOptions {
  dataDir: string
  store: Store
  bus: Bus
  findAgent(id: string): Adapter | null
  /** Looks after a run that nobody else does any more. */
  adopt?: ((runId: string) => Promise<void>) | undefined
  /**
   * How long to wait between two messages about what holds.
   *
   * @defaultValue 1000
   */
  stateIntervalMs?: number | undefined
  /** Gets what cannot be told to anybody else. */
  onError?: ((error: unknown) => void) | undefined
}

/** A run that is being followed. */
interface Followed {
  reader: RunReader
  /** What is in the index already. */
  knownSeq: number
  watcher?: FSWatcher | undefined
  isAdopted: boolean
  requestCount: number
  /** When it was read last, and when it was last told what holds. */
  readAt: number
  toldAt: number
  /** When it last had anything new. */
  newsAt: number
  /** Is due when it may be read again. */
  timer?: NodeJS.Timeout | undefined
}

/** Not every change is told by the system, so a look now and then is due anyway. */
const LOOK_MS = 250
const SCAN_MS = 1000
/** Who writes all the time is read now and then, not for each word. */
const REST_MS = 25
/** Others want the thread too: those who ask, and those who send. */
const LONGEST_TURN_MS = 10
/** The index may be behind by so many messages before reading waits for it. */
const MOST_BACKLOG = 20_000
/** Of a run in which nothing happens what holds is told less often. */
const IDLE_MS = 60_000
const IDLE_FACTOR = 10
/** How many earlier runs of the same work are looked at. */
const MOST_EARLIER = 20

/** Opens the intake of a data folder. */
export function openIntake(options: IntakeOptions): Intake {
  const {dataDir, store, bus, findAgent, stateIntervalMs = 1000, onError = () => {}} = options
  const runsDir = join(dataDir, 'runs')
  const followed = new Map<string, Followed>()
  /** Runs that are over and in the index, by their markers. */
  const done = new Map<string, string>()
  /** How far those who watch were told of runs, before the index was made anew. */
  const told = new Map<string, {marker: string; seq: number}>()
  /** Runs that were over when they were found, and are not in the index. */
  const waiting = new Set<string>()
  /** Runs that have something to read, in the order in which they are read. */
  const queue = new Set<Followed>()
  let isWorking = false
  let isListed = false
  let isClosed = false
  let folderWatcher: FSWatcher | undefined
  let filling = fill()
  const timers = [setInterval(look, Math.min(LOOK_MS, stateIntervalMs)), setInterval(scan, SCAN_MS)]
  for (const timer of timers) timer.unref()

  return {
    get listed() {
      return filling.listed
    },
    get caughtUp() {
      return filling.caughtUp
    },
    get liveCount() {
      return followed.size
    },
    get waitingCount() {
      return waiting.size
    },
    wake(runId, hasRecord = false) {
      const run = followed.get(runId)
      if (run === undefined) return void (isListed && discover(runId, false))
      if (hasRecord) run.reader.lookAgain()
      readSoon(run)
    },
    async rebuild() {
      // What was to be read into the old one is read into the new one.
      waiting.clear()
      const cleared = filling.caughtUp.catch(() => {}).then(clear)
      // Whoever asks from now on waits for the new one.
      filling = fill(cleared)
      await cleared
    },
    async close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      folderWatcher?.close()
      for (const run of followed.values()) leave(run)
      await filling.caughtUp.catch(() => {})
    },
  }

  /** Compares the index with the recordings, and reads what it lacks. */
  function fill(cleared: Promise<void> = Promise.resolve()): {
    listed: Promise<void>
    caughtUp: Promise<void>
  } {
    const listed = cleared.then(list)
    // Whoever waits for it is told; nobody has to.
    const caughtUp = listed.then(catchUp)
    caughtUp.catch(onError)
    return {listed, caughtUp}
  }

  async function clear(): Promise<void> {
    isListed = false
    for (const run of followed.values()) {
      const {runId, seq, record} = run.reader
      const before = toldSeqOf(run.reader)
      told.set(runId, {marker: record.marker, seq: Math.max(seq, run.knownSeq, before)})
      leave(run)
    }
    done.clear()
    await store.clear()
  }

  async function list(): Promise<void> {
    const stamps = new Map((await store.listStamps()).map((row) => [row.runId, row]))
    let count = 0
    for (const runId of listFolders()) {
      // Whoever asks meanwhile is answered.
      if (++count % 10 === 0) await setImmediate()
      if (isClosed) return
      const row = stamps.get(runId)
      stamps.delete(runId)
      const stamp = stampOf(runId)
      if (row?.isComplete === true && stamp !== undefined && row.stamp.endsWith(stamp)) {
        done.set(runId, row.stamp.slice(0, -stamp.length - 1))
        continue
      }
      // A recording that took the place of another has messages of its own.
      const record = readRunRecord(join(runsDir, runId))
      const isOther = row !== undefined && record !== null && !row.stamp.startsWith(record.marker)
      if (isOther) store.removeRun(runId)
      discover(runId, true, isOther ? 0 : (row?.lastSeq ?? 0), record)
    }
    for (const runId of stamps.keys()) store.removeRun(runId)
    await store.settled()
    isListed = true
  }

  async function catchUp(): Promise<void> {
    for (const runId of waiting) {
      if (isClosed) return
      await index(runId).catch(onError)
      waiting.delete(runId)
    }
    await store.settled()
  }

  /** Reads a recording that is over into the index. */
  async function index(runId: string): Promise<void> {
    const dir = join(runsDir, runId)
    const record = readRunRecord(dir)
    if (record === null) return
    const reader = openReader(dir, record)
    // Those who watched it want to see its end.
    const isOld = !told.has(runId)
    try {
      for (;;) {
        const {messages, isMore} = reader.advance()
        pass(reader, messages.map(encodeMessage), 0, isOld)
        await store.room()
        await setImmediate()
        if (isClosed) return
        if (!isMore) break
      }
    } finally {
      reader.rest()
    }
    settle(reader)
    tellState(reader, isOld)
    told.delete(runId)
  }

  function listFolders(): string[] {
    try {
      // Locks and drafts are there too.
      return readdirSync(runsDir).filter(isRunName)
    } catch {
      return []
    }
  }

  /** What a recording looks like now; `undefined` when it is none. */
  function stampOf(runId: string): string | undefined {
    try {
      const {mtimeMs, size} = statSync(join(runsDir, runId, 'run.json'))
      return `${mtimeMs} ${size}`
    } catch {
      return undefined
    }
  }

  function discover(
    runId: string,
    isOld: boolean,
    knownSeq = 0,
    record: RunRecord | null = null,
  ): void {
    if (isClosed || followed.has(runId) || done.has(runId) || waiting.has(runId)) return
    const dir = join(runsDir, runId)
    record ??= readRunRecord(dir)
    // One that is being made has no record yet.
    if (record === null) return
    if (isOld && record.result !== undefined) {
      const reader = openReader(dir, record)
      store.putRun(describeRun(reader, reader.foresee(), false))
      waiting.add(runId)
      return
    }
    follow(dir, record, knownSeq)
  }

  function openReader(dir: string, record: RunRecord): RunReader {
    const agent = record.agent === null ? null : findAgent(record.agent)
    const ground: {earlierMs?: number[]} = {}
    if (record.result === undefined) void measureEarlier(record, ground).catch(onError)
    return openRunReader(dir, record, {agent, mask: maskSecrets, ground})
  }

  /** Work that was done before takes about as long again. */
  async function measureEarlier(
    {workOrder, runId}: RunRecord,
    ground: {earlierMs?: number[]},
  ): Promise<void> {
    if (workOrder === undefined) return
    const query = {workOrderId: workOrder.id, state: 'over', limit: MOST_EARLIER} as const
    const {runs} = await store.listRuns(query)
    ground.earlierMs = runs
      .filter((run) => run.runId !== runId && run.verdict === 'succeeded')
      .map(({startedAt, endedAt = startedAt}) => endedAt - startedAt)
  }

  function follow(dir: string, record: RunRecord, knownSeq: number): void {
    const run: Followed = {
      reader: openReader(dir, record),
      knownSeq,
      isAdopted: false,
      // None told yet, not even that there is none.
      requestCount: -1,
      readAt: 0,
      toldAt: 0,
      newsAt: Date.now(),
    }
    followed.set(record.runId, run)
    store.putRun(describeRun(run.reader, run.reader.summarize(Date.now()), false))
    readSoon(run)
  }

  /** Reads what is new of a run, unless that was just done: then a little later. */
  function readSoon(run: Followed): void {
    if (queue.has(run) || run.timer !== undefined) return
    const restMs = run.readAt + REST_MS - performance.now()
    if (restMs > 1) {
      run.timer = setTimer(() => {
        run.timer = undefined
        read(run)
      }, restMs)
    } else read(run)
  }

  function read(run: Followed): void {
    queue.add(run)
    if (!isWorking) void work()
  }

  /** Reads all runs that have something to read, in turns. */
  async function work(): Promise<void> {
    isWorking = true
    // Not within whatever woke us.
    await setImmediate()
    let turnEndsAt = performance.now() + LONGEST_TURN_MS
    for (const run of queue) {
      queue.delete(run)
      if (followed.get(run.reader.runId) === run) readTurn(run)
      if (store.backlog > MOST_BACKLOG) await store.room().catch(onError)
      if (performance.now() < turnEndsAt) continue
      await setImmediate()
      turnEndsAt = performance.now() + LONGEST_TURN_MS
    }
    isWorking = false
  }

  function readTurn(run: Followed): void {
    try {
      const {messages, isMore} = run.reader.advance()
      if (messages.length > 0) run.newsAt = Date.now()
      pass(run.reader, messages.map(encodeMessage), run.knownSeq, false)
      run.knownSeq = Math.max(run.knownSeq, run.reader.seq)
      if (isMore) queue.add(run)
      else afterReading(run)
    } catch (error) {
      onError(error)
      if ((error as NodeJS.ErrnoException).code !== undefined) readAnew(run)
    }
    run.readAt = performance.now()
  }

  /** A file could not be read, as when too many are open: nobody knows where that was, so it is read from the beginning, later. */
  function readAnew(run: Followed): void {
    const {runId, record} = run.reader
    run.reader.rest()
    run.reader = openReader(join(runsDir, runId), record)
    run.timer ??= setTimer(() => {
      run.timer = undefined
      read(run)
    }, SCAN_MS)
  }

  /** Gives messages to the index and then to those who watch, so that what they get can be read again. */
  function pass(
    reader: RunReader,
    encoded: EncodedMessage[],
    knownSeq: number,
    isOld: boolean,
  ): void {
    const {runId, workOrderId} = reader
    const fresh = after(encoded, knownSeq)
    if (fresh.length === 0) return
    store.append(runId, fresh)
    const messages = after(fresh, toldSeqOf(reader))
    if (messages.length > 0) bus.publish({runId, workOrderId, messages, isOld})
  }

  function toldSeqOf({runId, record}: RunReader): number {
    const before = told.get(runId)
    return before?.marker === record.marker ? before.seq : 0
  }

  function afterReading(run: Followed): void {
    const {reader} = run
    if (reader.isOver) {
      leave(run)
      settle(reader)
      tellState(reader)
      told.delete(reader.runId)
      return
    }
    watchTimes(run)
    const {requestCount} = reader
    if (requestCount !== run.requestCount) {
      // Those that began together are not told of together for ever.
      run.toldAt = Date.now() - Math.random() * stateIntervalMs
      tellState(reader)
    }
    run.requestCount = requestCount
  }

  function leave(run: Followed): void {
    clearTimeout(run.timer)
    run.watcher?.close()
    run.reader.rest()
    queue.delete(run)
    followed.delete(run.reader.runId)
  }

  /** All of a run has been read. */
  function settle({runId, record}: RunReader): void {
    done.set(runId, record.marker)
  }

  function describeRun(reader: RunReader, summary: RunSummary, isComplete: boolean): RunEntry {
    const {record, runId, workOrderId} = reader
    const masked = maskSecretsIn(summary)
    const {agent, title, startedAt, endedAt, verdict, costUsd, toolCount} = masked
    return {
      runId,
      workOrderId,
      agent,
      title,
      startedAt,
      endedAt,
      verdict,
      isOver: summary.state === 'over',
      costUsd,
      toolCount,
      summary: JSON.stringify(masked),
      stamp: `${record.marker} ${stampOf(runId) ?? ''}`,
      isComplete,
    }
  }

  /** Says what holds of a run, to those who watch and to those who come later. */
  function tellState(reader: RunReader, isOld = false): void {
    const {runId, workOrderId, seq} = reader
    const now = Date.now()
    const summary = reader.summarize(now)
    const entry = describeRun(reader, summary, reader.isOver)
    store.putRun(entry)
    const messages = describeState(summary, entry.summary, seq, now)
    bus.publish({runId, workOrderId, messages, isOld})
  }

  function watchTimes(run: Followed): void {
    // Of what comes from elsewhere we are told.
    if (run.watcher !== undefined || run.reader.record.host !== undefined) return
    const {timing} = recordingAt(join(runsDir, run.reader.runId))
    try {
      run.watcher = watch(timing, {persistent: false}, () => readSoon(run))
      run.watcher.on('error', () => run.watcher?.close())
    } catch {
      // Then it is looked at now and then.
    }
  }

  function look(): void {
    const now = Date.now()
    for (const run of followed.values()) {
      // Of what comes from elsewhere we are told.
      if (run.reader.record.host === undefined) {
        run.reader.lookAgain()
        readSoon(run)
      } else if (performance.now() - run.readAt > LOOK_MS) {
        // Whoever sends it may never come again.
        run.reader.rest()
      }
      // Before the first message there is nothing to tell.
      const isIdle = now - run.newsAt > IDLE_MS
      const intervalMs = isIdle ? stateIntervalMs * IDLE_FACTOR : stateIntervalMs
      if (run.reader.seq === 0 || now - run.toldAt < intervalMs) continue
      run.toldAt = now
      tellState(run.reader)
    }
  }

  /** Finds recordings that are new, gone, or left alone. */
  function scan(): void {
    if (!isListed) return
    watchFolder()
    const names = new Set(listFolders())
    for (const runId of names) {
      discover(runId, false)
    }
    for (const runId of [...followed.keys(), ...done.keys()]) {
      if (!names.has(runId)) forget(runId)
    }
    for (const run of followed.values()) {
      run.reader.lookAgain()
      readSoon(run)
      adoptOrphan(run)
    }
  }

  function forget(runId: string): void {
    const run = followed.get(runId)
    if (run !== undefined) leave(run)
    done.delete(runId)
    told.delete(runId)
    store.removeRun(runId)
  }

  function adoptOrphan(run: Followed): void {
    if (run.isAdopted || options.adopt === undefined) return
    const where = whereabouts(run.reader.record)
    if (where !== 'orphaned' && where !== 'unseen') return
    run.isAdopted = true
    options.adopt(run.reader.runId).catch(onError)
  }

  function watchFolder(): void {
    if (folderWatcher !== undefined) return
    try {
      folderWatcher = watch(runsDir, {persistent: false}, (_event, name) => {
        if (name !== null) void discoverSoon(name)
      })
      folderWatcher.on('error', () => {
        folderWatcher?.close()
        folderWatcher = undefined
      })
    } catch {
      // There may be no folder yet.
    }
  }

  /** A folder is there before its record is. */
  async function discoverSoon(runId: string): Promise<void> {
    for (const pause of [5, 50]) {
      await setTimeout(pause, undefined, {ref: false})
      if (isClosed || !isListed || !isRunName(runId)) continue
      forgetReplaced(runId)
      discover(runId, false)
    }
  }

  /** A run may be removed and another made in its place, faster than anybody looks. */
  function forgetReplaced(runId: string): void {
    const marker = followed.get(runId)?.reader.record.marker ?? done.get(runId)
    if (marker === undefined) return
    const record = readRunRecord(join(runsDir, runId))
    if (record !== null && record.marker !== marker) forget(runId)
  }
}

/** The messages after a number. */
function after(messages: EncodedMessage[], seq: number): EncodedMessage[] {
  const [first] = messages
  // Nearly always all of them are.
  return first === undefined || first.seq > seq
    ? messages
    : messages.filter((message) => message.seq > seq)
}
