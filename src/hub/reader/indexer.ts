import {readdirSync, statSync, watch, type FSWatcher} from 'node:fs'
import {join} from 'node:path'
import {setImmediate, setTimeout} from 'node:timers/promises'
import type {Adapter} from '../../core/events/adapter.ts'
import {isAtRest, isWhole} from '../../recording/completeness.ts'
import {isRunName} from '../../recording/recording.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {createLiveRuns} from './live-runs.ts'
import type {Outlet, RemovalNews} from './message-sink.ts'
import {createRunGiver, NOT_WHOLE, stampOf} from './run-publisher.ts'
import {workOrderOf, type RunReader} from '../../replay/message-reader.ts'

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
  outlet: Outlet
  findAgent(id: string): Adapter | null
  /** Looks after a run that nobody else does any more. */
  adopt?: ((runId: string) => Promise<void>) | undefined
  /** Records what no hook reports of an interactive session. */
  refresh?: ((runId: string) => Promise<void>) | undefined
  /**
   * How long to wait between two messages about what holds.
   *
   * @defaultValue 1000
   */
  stateIntervalMs?: number | undefined
  /** Gets what cannot be told to anybody else. */
  onError?: ((error: unknown) => void) | undefined
}

/** Not every change is told by the system, so a look now and then is due anyway. */
const SCAN_MS = 1000
/** The time stamp of a folder may not show a change as recent as this. */
const STAMP_RESOLUTION_MS = 100
/** Where time stamps of folders cannot be trusted, its names are compared this often. */
const FULL_SCAN_MS = 60_000

/** Opens the intake of a data folder. */
export function openIntake(options: IntakeOptions): Intake {
  const {dataDir, outlet, findAgent, stateIntervalMs = 1000, onError = () => {}} = options
  const runsDir = join(dataDir, 'runs')
  const giver = createRunGiver({runsDir, outlet, findAgent, onError})
  const live = createLiveRuns({
    runsDir,
    outlet,
    giver,
    adopt: options.adopt,
    refresh: options.refresh,
    stateIntervalMs,
    onOver: (reader) => settle(reader, false),
    onError,
  })
  /** Runs that the index has, and what there is to say when they are gone. */
  const known = new Map<string, RemovalNews>()
  /** Those that are over, and of which it has everything. */
  const done = new Set<string>()
  /** Runs that were over when they were found, and are not in the index. */
  const waiting = new Set<string>()
  /** Folders without a record, or without all files of it: they may be complete by the next scan. */
  const incomplete = new Set<string>()
  let folderStamp = ''
  let fullScanAt = 0
  let isListed = false
  let isClosed = false
  let folderWatcher: FSWatcher | undefined
  let filling = fill()
  const timer = setInterval(scan, SCAN_MS).unref()

  return {
    get listed() {
      return filling.listed
    },
    get caughtUp() {
      return filling.caughtUp
    },
    get liveCount() {
      return live.count
    },
    get waitingCount() {
      return waiting.size
    },
    wake(runId, hasRecord = false) {
      if (!live.wake(runId, hasRecord) && isListed) discover(runId, false)
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
      clearInterval(timer)
      folderWatcher?.close()
      live.close()
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
    live.leaveAll()
    done.clear()
    await outlet.clear()
  }

  async function list(): Promise<void> {
    const stamps = new Map((await outlet.listStamps()).map((row) => [row.runId, row]))
    let count = 0
    const names = listFolders()
    for (const runId of names ?? []) {
      // Whoever has news meanwhile is heard.
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
      // A recording that took the place of another has messages of its own, and so may one that has got what it lacked.
      const record = readRunRecord(join(runsDir, runId))
      const isOther =
        row !== undefined &&
        record !== null &&
        (!row.stamp.startsWith(record.marker) || row.stamp.endsWith(NOT_WHOLE))
      if (isOther) outlet.remove(runId)
      discover(runId, true, isOther ? 0 : (row?.lastSeq ?? 0), record)
    }
    if (names !== null) for (const runId of stamps.keys()) outlet.remove(runId)
    await outlet.settled()
    isListed = true
  }

  async function catchUp(): Promise<void> {
    for (const runId of waiting) {
      if (isClosed) return
      await index(runId).catch(onError)
      waiting.delete(runId)
      if (!done.has(runId)) incomplete.add(runId)
    }
    await outlet.settled()
  }

  /** Reads a recording that is over into the index. */
  async function index(runId: string): Promise<void> {
    const record = readRunRecord(join(runsDir, runId))
    // One that is not ready is tried again.
    if (record === null || !isReady(record)) return
    const reader = giver.open(record)
    // Those who watched it want to see its end.
    const isOld = !giver.remembers(runId)
    try {
      for (;;) {
        const {messages, isMore} = reader.advance()
        giver.pass(reader, messages, {knownSeq: 0, isOld})
        await outlet.room()
        await setImmediate()
        if (isClosed) return
        if (!isMore) break
      }
    } finally {
      reader.rest()
    }
    settle(reader, isOld)
  }

  /** All of a run has been read. */
  function settle(reader: RunReader, isOld: boolean): void {
    const {runId, record} = reader
    know(record)
    done.add(runId)
    giver.tell(reader, isOld)
    giver.forget(runId)
  }

  /** The names of all recordings; `null` when that cannot be told now. */
  function listFolders(): string[] | null {
    try {
      // Locks and drafts are there too.
      return readdirSync(runsDir).filter(isRunName)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null
    }
  }

  function know(record: RunRecord): void {
    known.set(record.runId, {workOrderId: workOrderOf(record), marker: record.marker})
  }

  function discover(
    runId: string,
    isOld: boolean,
    knownSeq = 0,
    found: RunRecord | null = null,
  ): void {
    if (isClosed || live.has(runId) || done.has(runId) || waiting.has(runId)) return
    const record = found ?? readRunRecord(join(runsDir, runId))
    incomplete.delete(runId)
    // One that is being made has no record yet.
    if (record === null) incomplete.add(runId)
    else if (isOld && record.result !== undefined) {
      know(record)
      giver.foresee(record)
      waiting.add(runId)
    } else if (isReady(record)) {
      know(record)
      live.follow(record, knownSeq)
    } else incomplete.add(runId)
  }

  /** One that is over and is being copied may have its record before all else. */
  function isReady(record: RunRecord): boolean {
    const dir = join(runsDir, record.runId)
    return record.result === undefined || isWhole(dir, record) || isAtRest(dir)
  }

  /** Finds recordings that are new, gone, or left alone. */
  function scan(): void {
    if (!isListed) return
    watchFolder()
    if (hasFolderChanged()) compareNames()
    else for (const runId of Array.from(incomplete)) discover(runId, false)
    live.check()
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

  /** Whether recordings may have come or gone since the last scan: to list thousands of them takes long. */
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
    live.leave(runId)
    done.delete(runId)
    waiting.delete(runId)
    incomplete.delete(runId)
    giver.forget(runId)
    outlet.remove(runId, known.get(runId))
    known.delete(runId)
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
    const before = known.get(runId)
    if (before === undefined) return
    const record = readRunRecord(join(runsDir, runId))
    if (record !== null && record.marker !== before.marker) forget(runId)
  }
}
