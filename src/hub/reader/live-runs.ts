import type {FSWatcher} from 'node:fs'
import {setTimeout as setTimer} from 'node:timers'
import {setImmediate} from 'node:timers/promises'
import {needsRefresh} from '../../recording/needs-refresh.ts'
import {tryWatch} from '../../recording/read/try-watch.ts'
import {findRecordingDir} from '../../recording/list-runs.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {supervisionOf} from '../../recording/supervision.ts'
import type {MessageSink} from './message-sink.ts'
import {isCompletelyImported, type RunPublisher} from './run-publisher.ts'
import type {RunReader} from '../../replay/run-reader.ts'

/** Options of {@link createLiveRuns}. */
export interface LiveRunsOptions {
  dataDir: string
  sink: MessageSink
  publisher: RunPublisher
  /** Supervises a run whose supervisor is gone. */
  adopt?: ((runId: string) => Promise<void>) | undefined
  /** Records the part of an interactive session that no hook reports. */
  refresh?: ((runId: string) => Promise<void>) | undefined
  /**
   * The interval between two state messages.
   *
   * @defaultValue 1000
   */
  stateIntervalMs?: number | undefined
  /** Called when a run has been read to its end. */
  onOver(reader: RunReader): void
  /** Receives errors that no caller handles. */
  onError?: ((error: unknown) => void) | undefined
}

interface FollowedRun {
  reader: RunReader
  watcher?: FSWatcher | undefined
  isAdopted: boolean
  requestCount: number
  /** When the run was read last, by the monotonic clock. */
  readAt: number
  statePublishedAt: number
  /** When the last message arrived. */
  changedAt: number
  /** Set while the next read is delayed. */
  timer?: NodeJS.Timeout | undefined
}

/** File system watchers miss changes, so files are polled as well. */
const POLL_INTERVAL_MS = 250
/** Throttles reads of a run that prints continuously. */
const READ_INTERVAL_MS = 25
/** Yields to other tasks of the thread after this time. */
const MAX_TURN_MS = 10
/** Delay before a failed read is retried. */
const RETRY_MS = 1000
/** The state of an idle run is published less often. */
const IDLE_MS = 60_000
const IDLE_FACTOR = 10

/** The recordings of live runs, as they are followed. */
export type LiveRuns = ReturnType<typeof createLiveRuns>

/** Follows the recordings of all live runs. */
export function createLiveRuns(options: LiveRunsOptions) {
  const {dataDir, sink, publisher, stateIntervalMs = 1000, onOver, onError = () => {}} = options
  const followed = new Map<string, FollowedRun>()
  /** Runs to read, in order. */
  const queue = new Set<FollowedRun>()
  let isWorking = false
  let isAdopting = false
  const timer = setInterval(poll, Math.min(POLL_INTERVAL_MS, stateIntervalMs)).unref()

  return {
    get count() {
      return followed.size
    },
    has: (runId: string) => followed.has(runId),
    /** Follows a run from its start; the index may have a part of it. */
    follow(record: RunRecord): void {
      const run: FollowedRun = {
        reader: publisher.open(record),
        isAdopted: false,
        // Differs from any count, so that the first state is published.
        requestCount: -1,
        readAt: 0,
        statePublishedAt: 0,
        changedAt: Date.now(),
      }
      followed.set(record.runId, run)
      publisher.addInitial(run.reader)
      readSoon(run)
    },
    /** Reads a run that may have new output, and a new record; returns false if it is not followed. */
    wake(runId: string, hasRecord: boolean): boolean {
      const run = followed.get(runId)
      if (run === undefined) return false
      if (hasRecord) run.reader.refreshRecord()
      readSoon(run)
      return true
    },
    /** Reads all runs again, and adopts orphaned ones. */
    check(): void {
      for (const run of followed.values()) {
        run.reader.refreshRecord()
        readSoon(run)
        refresh(run)
      }
      if (options.adopt !== undefined && !isAdopting) void adoptOrphans()
    },
    unfollow(runId: string): void {
      const run = followed.get(runId)
      if (run !== undefined) unfollow(run)
    },
    unfollowAll,
    close(): void {
      clearInterval(timer)
      unfollowAll()
    },
  }

  /** Reads a run, throttled to one read per interval. */
  function readSoon(run: FollowedRun): void {
    if (queue.has(run) || run.timer !== undefined) return
    const delayMs = run.readAt + READ_INTERVAL_MS - performance.now()
    if (delayMs > 1) readAfter(run, delayMs)
    else enqueue(run)
  }

  function readAfter(run: FollowedRun, ms: number): void {
    run.timer ??= setTimer(() => {
      run.timer = undefined
      enqueue(run)
    }, ms)
  }

  function enqueue(run: FollowedRun): void {
    queue.add(run)
    if (!isWorking) void readQueued()
  }

  /** Reads the queued runs in turns. */
  async function readQueued(): Promise<void> {
    isWorking = true
    // Leaves the call stack of the caller first.
    let turnEndsAt = await startTurn()
    for (const run of queue) {
      queue.delete(run)
      if (followed.get(run.reader.runId) === run) readTurn(run)
      if (sink.isFull) await sink.whenDrained().catch(onError)
      if (performance.now() >= turnEndsAt) turnEndsAt = await startTurn()
    }
    isWorking = false
  }

  function readTurn(run: FollowedRun): void {
    try {
      const read = run.reader.advance()
      if (read.messages.length > 0) run.changedAt = Date.now()
      publisher.publish(run.reader, read, false)
      if (read.isMore) queue.add(run)
      else afterReading(run)
    } catch (error) {
      onError(error)
      if ((error as NodeJS.ErrnoException).code !== undefined) readFromStart(run)
    }
    run.readAt = performance.now()
  }

  /** Retries a failed read later, from the start: the position of the reader is unknown. */
  function readFromStart(run: FollowedRun): void {
    const {record} = run.reader
    run.reader.closeFiles()
    run.reader = publisher.open(record)
    readAfter(run, RETRY_MS)
  }

  function afterReading(run: FollowedRun): void {
    const {reader} = run
    if (reader.isOver || isCompletelyImported(reader)) {
      unfollow(run)
      onOver(reader)
      return
    }
    watchTiming(run)
    const {requestCount} = reader
    if (requestCount !== run.requestCount) {
      // Random jitter spreads the states of runs that started together.
      run.statePublishedAt = Date.now() - Math.random() * stateIntervalMs
      publisher.publishState(reader)
    }
    run.requestCount = requestCount
  }

  function unfollow(run: FollowedRun): void {
    clearTimeout(run.timer)
    run.watcher?.close()
    run.reader.closeFiles()
    queue.delete(run)
    followed.delete(run.reader.runId)
  }

  function unfollowAll(): void {
    for (const run of followed.values()) unfollow(run)
  }

  function watchTiming(run: FollowedRun): void {
    // Remote runners wake the run when they send something.
    if (run.reader.record.host !== undefined) return
    const {timing} = recordingAt(findRecordingDir(dataDir, run.reader.runId))
    run.watcher ??= tryWatch(timing, () => readSoon(run))
  }

  function poll(): void {
    const now = Date.now()
    for (const run of followed.values()) {
      try {
        pollRun(run, now)
      } catch (error) {
        onError(error)
      }
    }
  }

  function pollRun(run: FollowedRun, now: number): void {
    // Remote runs wake up when data arrives.
    if (run.reader.record.host === undefined) {
      run.reader.refreshRecord()
      readSoon(run)
    } else if (performance.now() - run.readAt > POLL_INTERVAL_MS) {
      // The remote runner may never send again.
      run.reader.closeFiles()
    }
    // There is no state before the first message.
    const isIdle = now - run.changedAt > IDLE_MS
    const intervalMs = isIdle ? stateIntervalMs * IDLE_FACTOR : stateIntervalMs
    if (run.reader.seq === 0 || now - run.statePublishedAt < intervalMs) return
    run.statePublishedAt = now
    publisher.publishState(run.reader)
  }

  /** Adopts orphaned runs in turns: checking a process takes time, and there may be many. */
  async function adoptOrphans(): Promise<void> {
    isAdopting = true
    let turnEndsAt = await startTurn()
    for (const run of followed.values()) {
      adoptOrphan(run)
      if (performance.now() >= turnEndsAt) turnEndsAt = await startTurn()
    }
    isAdopting = false
  }

  function refresh({reader: {record, runId}}: FollowedRun): void {
    if (options.refresh !== undefined && needsRefresh(record)) options.refresh(runId).catch(onError)
  }

  function adoptOrphan(run: FollowedRun): void {
    if (run.isAdopted || options.adopt === undefined) return
    const supervision = supervisionOf(run.reader.record)
    if (supervision !== 'orphaned' && supervision !== 'unknown') return
    run.isAdopted = true
    options.adopt(run.reader.runId).catch(onError)
  }
}

/** Lets other tasks of the thread run; returns when the next ones should. */
async function startTurn(): Promise<number> {
  await setImmediate()
  return performance.now() + MAX_TURN_MS
}
