import {readdirSync, statSync, watch, type FSWatcher} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as setTimer} from 'node:timers'
import {setImmediate, setTimeout} from 'node:timers/promises'
import {isQuiescent, isRecordingComplete} from '../../recording/completeness.ts'
import {isRunName} from '../../recording/recording.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import type {RunReader} from '../../replay/run-reader.ts'
import {workOrderOf} from '../../replay/summarize-record.ts'
import type {Machine} from '../../core/events/transcript.ts'
import {openSessions, type Sessions} from './sessions.ts'
import {createLiveRuns, type LiveRunsOptions} from './live-runs.ts'
import {
  createRunPublisher,
  INCOMPLETE,
  isImported,
  stampOf,
  type RunOwner,
  type RunPublisherOptions,
} from './run-publisher.ts'

/** Reads every recording of a data folder as it grows, and feeds the index and the live stream. */
export type Indexer = ReturnType<typeof openIndexer>

/** Options of {@link openIndexer}. */
export interface IndexerOptions
  extends Omit<RunPublisherOptions, 'complete'>, Omit<LiveRunsOptions, 'publisher' | 'onOver'> {
  /** Where to look for the sessions of agents; without it, there are none. */
  machine?: Machine | undefined
}

/** The system does not report every change, so the folder is scanned as well. */
const SCAN_MS = 1000
/** The time stamp of a folder may not reflect a more recent change. */
const STAMP_RESOLUTION_MS = 100
/** Folder time stamps can be unreliable, so names are compared this often. */
const FULL_SCAN_MS = 60_000
/** How long messages are made searchable at once while recordings are indexed. */
const FILL_TURN_MS = 10
/** Additions to the index are lost while the disk is full, which takes a while to end. */
const REFILL_DELAY_MS = 1000

/** Opens the indexer of a data folder. */
export function openIndexer(options: IndexerOptions) {
  const {dataDir, index, sink, onError = () => {}} = options
  const runsDir = join(dataDir, 'runs')
  const publisher = createRunPublisher({
    ...options,
    complete: (summary) => sessions?.complete(summary) ?? summary,
  })
  const live = createLiveRuns({...options, publisher, onOver: (reader) => settle(reader, false)})
  /** Runs in the index, with the data for their removal message. */
  const known = new Map<string, RunOwner>()
  /** Ended runs that are completely indexed. */
  const done = new Set<string>()
  /** Runs that had ended when they were found, and are not indexed yet, the oldest first. */
  const waiting = new Set<string>()
  /** Waiting runs that a client has requested, with the functions to call when they are indexed. */
  const requested = new Map<string, (() => void)[]>()
  /** Folders without a record or with missing files: they may be complete by the next scan. */
  const incomplete = new Set<string>()
  let folderStamp = ''
  let fullScanAt = 0
  let isListed = false
  let isClosed = false
  let folderWatcher: FSWatcher | undefined
  let filling = fill()
  let refilling: NodeJS.Timeout | undefined
  let committing: Promise<void> | undefined
  const timer = setInterval(scan, SCAN_MS).unref()
  const sessions: Sessions | undefined = openSessions({...options, publisher, live, onError})

  return {
    /** Resolves when the index has every run, though not yet every message. */
    get listed() {
      return filling.listed
    },
    /** Resolves when the index has everything that existed at the start. */
    get caughtUp() {
      return filling.caughtUp
    },
    /** The sessions in the files of agents. */
    sessions,
    /** How many runs are followed, and how many recordings wait to be indexed. */
    get liveCount() {
      return live.count
    },
    get waitingCount() {
      return waiting.size
    },
    /**
     * Reads the new data of a run.
     *
     * @param hasRecord - Whether its record changed too.
     */
    wake(runId: string, hasRecord = false): void {
      if (!live.wake(runId, hasRecord) && isListed) discover(runId, false)
    },
    /** Resolves when an ended run is completely indexed; those that wait are indexed next. */
    async prepare(runId: string): Promise<void> {
      if (sessions.has(runId)) return sessions.prepare(runId)
      if (!waiting.has(runId)) return
      await new Promise<void>((resolve) => {
        requested.set(runId, [...(requested.get(runId) ?? []), resolve])
      })
    },
    /** Whether an ended run waits to be indexed. */
    isWaiting: (runId: string) => waiting.has(runId) || sessions.isPreparing(runId),
    /** Compares the index with the recordings again, after additions to it were lost. */
    refill(): void {
      if (refilling !== undefined || isClosed) return
      sessions.reset()
      live.unfollowAll()
      done.clear()
      refilling = setTimer(() => {
        refilling = undefined
        const {listed, caughtUp} = filling
        const next = fill(caughtUp.catch(() => {}))
        // The index can still be read, even if it cannot be compared with the recordings yet.
        const isReadable = listed.catch(() => next.listed)
        // Its rejection is already reported by `caughtUp`.
        isReadable.catch(() => {})
        filling = {...next, listed: isReadable}
      }, REFILL_DELAY_MS)
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      clearTimeout(refilling)
      folderWatcher?.close()
      live.close()
      for (const runId of requested.keys()) settleRequests(runId)
      await filling.caughtUp.catch(() => {})
      await sessions.close()
      await committing
    },
  }

  /** Compares the index with the recordings, and reads the missing data. */
  function fill(before = Promise.resolve()) {
    const listed = before.then(list)
    // A rejection is reported to waiting callers; there may be none.
    const caughtUp = listed.then(catchUp)
    caughtUp.catch(onError)
    return {listed, caughtUp}
  }

  async function list(): Promise<void> {
    isListed = false
    const stamps = new Map(index.listStamps().map((row) => [row.runId, row]))
    const found: {runId: string; record: RunRecord | null}[] = []
    let count = 0
    const names = listFolders()
    for (const runId of names ?? []) {
      // Lets pending events run.
      if (++count % 100 === 0) await setImmediate()
      if (isClosed) return
      const row = stamps.get(runId)
      stamps.delete(runId)
      const stamp = row?.isComplete === true ? stampOf(join(runsDir, runId)) : ''
      if (row !== undefined && stamp !== '' && row.stamp.endsWith(stamp)) {
        const marker = row.stamp.slice(0, -stamp.length - 1)
        known.set(runId, {workOrderId: row.workOrderId, marker})
        done.add(runId)
        continue
      }
      const record = readRunRecord(join(runsDir, runId))
      // A recording that replaced another has different messages; so may one that was incomplete.
      const isOther =
        row !== undefined &&
        record !== null &&
        (!row.stamp.startsWith(record.marker) || row.stamp.endsWith(INCOMPLETE))
      if (isOther) publisher.remove(runId)
      found.push({runId, record})
    }
    // Search returns the message first that was added last.
    found.sort((one, other) => (one.record?.startedAt ?? 0) - (other.record?.startedAt ?? 0))
    for (const {runId, record} of found) discover(runId, true, record)
    if (names !== null) {
      for (const [runId, {kind}] of stamps) if (kind === 'run') publisher.remove(runId)
    }
    index.commit()
    isListed = true
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const [next] = [...requested.keys(), ...waiting]
      if (next === undefined || isClosed) break
      if (waiting.has(next)) await indexEnded(next).catch(onError)
      waiting.delete(next)
      if (!done.has(next)) incomplete.add(next)
      settleRequests(next)
    }
    index.commit()
  }

  function settleRequests(runId: string): void {
    for (const resolve of requested.get(runId) ?? []) resolve()
    requested.delete(runId)
  }

  /** Reads the recording of an ended run into the index. */
  async function indexEnded(runId: string): Promise<void> {
    const record = readRunRecord(join(runsDir, runId))
    // A recording that is not ready is tried again.
    if (record === null || !isReady(record)) return
    const reader = publisher.open(record)
    // Clients that watched the run receive its end.
    const isOld = !publisher.hasPublished(runId)
    try {
      for (let isMore = true; isMore;) {
        const read = reader.advance()
        ;({isMore} = read)
        publisher.publish(reader, read, isOld)
        if (sink.isFull) await sink.whenDrained()
        await setImmediate()
        if (isClosed) return
      }
    } finally {
      reader.closeFiles()
    }
    settle(reader, isOld)
    while (index.fillSearch(FILL_TURN_MS)) {
      await setImmediate()
      if (isClosed) return
    }
  }

  /** All of a run has been read. */
  function settle(reader: RunReader, isOld: boolean): void {
    const {runId, record} = reader
    know(record)
    done.add(runId)
    publisher.publishState(reader, isOld)
    publisher.forget(runId)
    // The end of a live run is final for clients, so it is written soon.
    if (!isOld) commitSoon()
  }

  /** Commits once for all runs that end in this turn of the event loop. */
  function commitSoon(): void {
    const commit = () => {
      committing = undefined
      index.commit()
    }
    committing ??= setImmediate().then(commit).catch(onError)
  }

  /** The names of all recordings; `null` when they cannot be listed now. */
  function listFolders(): string[] | null {
    try {
      // The folder also contains locks and drafts.
      return readdirSync(runsDir).filter(isRunName)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null
    }
  }

  function know(record: RunRecord): void {
    known.set(record.runId, {workOrderId: workOrderOf(record), marker: record.marker})
  }

  function discover(runId: string, isOld: boolean, found: RunRecord | null = null): void {
    if (isClosed || live.has(runId) || done.has(runId) || waiting.has(runId)) return
    const record = found ?? readRunRecord(join(runsDir, runId))
    incomplete.delete(runId)
    // A recording under construction has no record yet.
    if (record === null) incomplete.add(runId)
    else if (isOld && (record.result !== undefined || isImported(record))) {
      know(record)
      publisher.addEnded(record)
      waiting.add(runId)
    } else if (isReady(record)) {
      know(record)
      live.follow(record)
      if (!isOld) sessions?.refresh()
    } else incomplete.add(runId)
  }

  /** While an ended run is copied, its record may arrive before the other files. */
  function isReady(record: RunRecord): boolean {
    const dir = join(runsDir, record.runId)
    return record.result === undefined || isRecordingComplete(dir, record) || isQuiescent(dir)
  }

  /** Finds recordings that are new, removed or orphaned. */
  function scan(): void {
    if (!isListed) return
    try {
      watchFolder()
      if (hasFolderChanged()) compareNames()
      else for (const runId of Array.from(incomplete)) discover(runId, false)
      live.check()
    } catch (error) {
      onError(error)
    }
  }

  function compareNames(): void {
    const found = listFolders()
    if (found === null) {
      // Too many files may be open: the next scan tries again.
      folderStamp = ''
      return
    }
    const names = new Set(found)
    for (const runId of names) discover(runId, false)
    for (const runId of known.keys()) if (!names.has(runId)) forget(runId)
    for (const runId of incomplete) if (!names.has(runId)) incomplete.delete(runId)
  }

  /** Whether recordings may have been added or removed since the last scan; listing thousands is slow. */
  function hasFolderChanged(): boolean {
    const now = Date.now()
    const before = folderStamp
    try {
      const {mtimeMs, ino} = statSync(runsDir)
      const isRecent = Math.abs(now - mtimeMs) < STAMP_RESOLUTION_MS
      folderStamp = isRecent ? '' : `${mtimeMs} ${ino}`
    } catch {
      folderStamp = ''
    }
    if (folderStamp !== '' && folderStamp === before && now - fullScanAt < FULL_SCAN_MS)
      return false
    fullScanAt = now
    return true
  }

  function forget(runId: string): void {
    live.unfollow(runId)
    done.delete(runId)
    waiting.delete(runId)
    incomplete.delete(runId)
    publisher.forget(runId)
    publisher.remove(runId, known.get(runId))
    known.delete(runId)
  }

  function watchFolder(): void {
    if (folderWatcher !== undefined) return
    try {
      folderWatcher = watch(runsDir, {persistent: false}, (_event, name) => {
        if (name !== null) discoverSoon(name).catch(onError)
      })
      folderWatcher.on('error', () => {
        folderWatcher?.close()
        folderWatcher = undefined
      })
    } catch {
      // The folder may not exist yet.
    }
  }

  /** A folder exists before its record. */
  async function discoverSoon(runId: string): Promise<void> {
    for (const pause of [5, 50]) {
      await setTimeout(pause, undefined, {ref: false})
      if (isClosed || !isListed || !isRunName(runId)) continue
      forgetReplaced(runId)
      discover(runId, false)
    }
  }

  /** A run may be removed and replaced between two scans. */
  function forgetReplaced(runId: string): void {
    const before = known.get(runId)
    if (before === undefined) return
    const record = readRunRecord(join(runsDir, runId))
    if (record !== null && record.marker !== before.marker) forget(runId)
  }
}
