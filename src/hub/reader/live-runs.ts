import type {FSWatcher} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as setTimer} from 'node:timers'
import {setImmediate} from 'node:timers/promises'
import {needsRefresh} from '../../recording/needs-refresh.ts'
import {tryWatch} from '../../recording/read/try-watch.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {supervisionOf} from '../../recording/supervision.ts'
import type {MessageSink} from './message-sink.ts'
import type {RunPublisher} from './run-publisher.ts'
import type {RunReader} from '../../replay/message-reader.ts'

/** The runs that are not over, each read as it grows. */
export interface LiveRuns {
  readonly count: number
  /** Whether a run is among them. */
  has(runId: string): boolean
  /** Follows a run of which the index knows the messages up to a number. */
  follow(record: RunRecord, knownSeq: number): void
  /** There is more of a run to be read, and perhaps another record; false when it is none of these. */
  wake(runId: string, hasRecord: boolean): boolean
  /** Looks at all of them again, also at those who look after them. */
  check(): void
  /** Leaves one, or all, remembering how far those who watch were told. */
  leave(runId: string): void
  leaveAll(): void
  close(): void
}

/** What is needed to follow runs. */
export interface LiveRunsOptions {
  runsDir: string
  sink: MessageSink
  publisher: RunPublisher
  /** Looks after a run that nobody else does any more. */
  adopt?: ((runId: string) => Promise<void>) | undefined
  /** Records what no hook reports of an interactive session. */
  refresh?: ((runId: string) => Promise<void>) | undefined
  stateIntervalMs: number
  /** All of a run has been read. */
  onOver(reader: RunReader): void
  onError(error: unknown): void
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
/** Who writes all the time is read now and then, not for each word. */
const REST_MS = 25
/** Others want the thread too. */
const LONGEST_TURN_MS = 10
/** What could not be read is tried again. */
const RETRY_MS = 1000
/** Of a run in which nothing happens what holds is told less often. */
const IDLE_MS = 60_000
const IDLE_FACTOR = 10

/** Makes what follows runs. */
export function createLiveRuns(options: LiveRunsOptions): LiveRuns {
  const {runsDir, sink, publisher, stateIntervalMs, onOver, onError} = options
  const followed = new Map<string, Followed>()
  /** Runs that have something to read, in the order in which they are read. */
  const queue = new Set<Followed>()
  let isWorking = false
  let isAdopting = false
  const timer = setInterval(look, Math.min(LOOK_MS, stateIntervalMs)).unref()

  return {
    get count() {
      return followed.size
    },
    has: (runId) => followed.has(runId),
    follow(record, knownSeq) {
      const run: Followed = {
        reader: publisher.open(record),
        knownSeq,
        isAdopted: false,
        // None told yet, not even that there is none.
        requestCount: -1,
        readAt: 0,
        toldAt: 0,
        newsAt: Date.now(),
      }
      followed.set(record.runId, run)
      publisher.publishInitial(run.reader)
      readSoon(run)
    },
    wake(runId, hasRecord) {
      const run = followed.get(runId)
      if (run === undefined) return false
      if (hasRecord) run.reader.refreshRecord()
      readSoon(run)
      return true
    },
    check() {
      for (const run of followed.values()) {
        run.reader.refreshRecord()
        readSoon(run)
        refresh(run)
      }
      if (options.adopt !== undefined && !isAdopting) void adoptOrphans()
    },
    leave(runId) {
      const run = followed.get(runId)
      if (run !== undefined) leave(run)
    },
    leaveAll() {
      for (const run of followed.values()) {
        publisher.keepPublishedSeq(run.reader, run.knownSeq)
        leave(run)
      }
    },
    close() {
      clearInterval(timer)
      for (const run of followed.values()) leave(run)
    },
  }

  /** Reads what is new of a run, unless that was just done: then a little later. */
  function readSoon(run: Followed): void {
    if (queue.has(run) || run.timer !== undefined) return
    const restMs = run.readAt + REST_MS - performance.now()
    if (restMs > 1) readIn(run, restMs)
    else read(run)
  }

  function readIn(run: Followed, ms: number): void {
    run.timer ??= setTimer(() => {
      run.timer = undefined
      read(run)
    }, ms)
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
      if (sink.isFull) await sink.whenDrained().catch(onError)
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
      publisher.publishMessages(run.reader, messages, {knownSeq: run.knownSeq, isOld: false})
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
    const {record} = run.reader
    run.reader.closeFiles()
    run.reader = publisher.open(record)
    readIn(run, RETRY_MS)
  }

  function afterReading(run: Followed): void {
    const {reader} = run
    if (reader.isOver) {
      leave(run)
      onOver(reader)
      return
    }
    watchTimes(run)
    const {requestCount} = reader
    if (requestCount !== run.requestCount) {
      // Those that began together are not told of together for ever.
      run.toldAt = Date.now() - Math.random() * stateIntervalMs
      publisher.publishState(reader)
    }
    run.requestCount = requestCount
  }

  function leave(run: Followed): void {
    clearTimeout(run.timer)
    run.watcher?.close()
    run.reader.closeFiles()
    queue.delete(run)
    followed.delete(run.reader.runId)
  }

  function watchTimes(run: Followed): void {
    // Runners on other machines wake us when they send something.
    if (run.reader.record.host !== undefined) return
    const {timing} = recordingAt(join(runsDir, run.reader.runId))
    run.watcher ??= tryWatch(timing, () => readSoon(run))
  }

  function look(): void {
    const now = Date.now()
    for (const run of followed.values()) {
      // Of what comes from elsewhere we are told.
      if (run.reader.record.host === undefined) {
        run.reader.refreshRecord()
        readSoon(run)
      } else if (performance.now() - run.readAt > LOOK_MS) {
        // Whoever sends it may never come again.
        run.reader.closeFiles()
      }
      // Before the first message there is nothing to tell.
      const isIdle = now - run.newsAt > IDLE_MS
      const intervalMs = isIdle ? stateIntervalMs * IDLE_FACTOR : stateIntervalMs
      if (run.reader.seq === 0 || now - run.toldAt < intervalMs) continue
      run.toldAt = now
      publisher.publishState(run.reader)
    }
  }

  /** To find out whether a process lives takes a while, and there may be many. */
  async function adoptOrphans(): Promise<void> {
    isAdopting = true
    let turnEndsAt = performance.now() + LONGEST_TURN_MS
    for (const run of followed.values()) {
      adoptOrphan(run)
      if (performance.now() < turnEndsAt) continue
      await setImmediate()
      turnEndsAt = performance.now() + LONGEST_TURN_MS
    }
    isAdopting = false
  }

  function refresh({reader: {record, runId}}: Followed): void {
    if (options.refresh !== undefined && needsRefresh(record)) options.refresh(runId).catch(onError)
  }

  function adoptOrphan(run: Followed): void {
    if (run.isAdopted || options.adopt === undefined) return
    const supervision = supervisionOf(run.reader.record)
    if (supervision !== 'orphaned' && supervision !== 'unknown') return
    run.isAdopted = true
    options.adopt(run.reader.runId).catch(onError)
  }
}
