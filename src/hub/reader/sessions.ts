import {existsSync, readdirSync, rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers'
import {setImmediate} from 'node:timers/promises'
import type {Machine} from '../../core/events/transcript.ts'
import {findAtRisk} from '../../history/archive/at-risk.ts'
import {createHistoryCache, readHistory, type History} from '../../history/history.ts'
import {createPriceFinder, type PriceFinder} from '../../history/prices/find-price.ts'
import {openSessionRecording, type SessionRecording} from '../../history/session-recording.ts'
import {stateOfSession} from '../../history/session-state.ts'
import type {Session} from '../../history/sessions.ts'
import {countEntry} from '../../history/summarize-entry.ts'
import {pathOf} from '../../history/transcripts.ts'
import {readConfig} from '../../recording/config.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import type {RunIndex} from '../index/run-index.ts'
import type {LiveRuns} from './live-runs.ts'
import type {MessageSink} from './message-sink.ts'
import type {RunPublisher} from './run-publisher.ts'
import {createFolderWatcher} from './watch-folders.ts'
import {areSame, hasRewritten, measureFiles, type FileState} from './session-files.ts'
import {completeSummary, summarizeSession, type KnownEntry} from './session-summary.ts'

/** Options of {@link openSessions}. */
export interface SessionsOptions {
  dataDir: string
  /** Where to look for the sessions of agents; without it, there are none. */
  machine?: Machine | undefined
  index: RunIndex
  publisher: RunPublisher
  live: LiveRuns
  sink: MessageSink
  onError(error: unknown): void
}

/** Folders are listed again this often: not every file system reports changes. */
const SCAN_MS = 30_000
/** After a change, folders are listed this soon, and not more often than in the interval. */
const SCAN_DELAY_MS = 100
const MIN_SCAN_INTERVAL_MS = 2000
/** The files of live sessions are checked for new records this often. */
const POLL_MS = 100
/** How often the settings of agents and the archive are read. */
const DELETIONS_MS = 60_000
/** Older copies of sessions that are not live are removed. */
const MAX_COPIES = 50

/** The sessions in the files of agents, as entries beside the recorded runs. */
export type Sessions = ReturnType<typeof openSessions>

/** Opens the sessions of a machine. */
export function openSessions(options: SessionsOptions) {
  const {dataDir, machine, index, publisher, live, onError} = options
  const known = new Map<string, KnownEntry>()
  /** The JSON of each listed summary, to publish only changes. */
  const listed = new Map<string, string>()
  /** Copies of the sessions that are live. */
  const copies = new Map<string, {copy: SessionRecording; files: FileState[]; isMore: boolean}>()
  /** Ended sessions that were opened, the last one at the end. */
  const opened = new Set<string>()
  const preparing = new Map<string, Promise<void>>()
  const cache = createHistoryCache()
  let history: History | undefined
  let prices: PriceFinder = createPriceFinder()
  /** When agents will delete sessions, by the id that the agent uses. */
  let deletions = new Map<string, number>()
  let deletionsReadAt = 0
  let isClosed = false
  let isFirst = true
  let scanning: Promise<void> | undefined
  const watcher = createFolderWatcher(onChange)
  let soon: NodeJS.Timeout | undefined
  let scannedAt = 0
  const first = scan()
  const scanTimer = setInterval(() => void scan(), SCAN_MS).unref()
  const pollTimer = setInterval(poll, POLL_MS).unref()

  return {
    /** Resolves when the sessions are listed for the first time. */
    listed: first,
    get history() {
      return history
    },
    get prices() {
      return prices
    },
    /** Reads what is new soon, such as when a recording appears that may belong to a session. */
    refresh: onChange,
    has: (id: string) => known.get(id)?.entry.run === undefined && known.has(id),
    isPreparing: (id: string) => preparing.has(id),
    /** Resolves when no session is being prepared. */
    async idle(): Promise<void> {
      await Promise.allSettled(preparing.values())
    },
    /** Resolves when the items and messages of a session are in the index. */
    async prepare(id: string): Promise<void> {
      const session = known.get(id)?.entry.session
      if (session === undefined || live.has(id) || isPrepared(id)) return
      const running = preparing.get(id) ?? prepare(id, session)
      preparing.set(id, running)
      await running.finally(() => preparing.delete(id))
    },
    /** Adds the facts that only the files of the agent contain. */
    complete(summary: RunSummary): RunSummary {
      const found = known.get(summary.runId)
      return found === undefined ? summary : completeSummary(summary, found, Date.now())
    },
    /** Lists everything again, after additions to the index were lost. */
    reset(): void {
      for (const id of copies.keys()) unfollow(id)
      listed.clear()
      onChange()
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(scanTimer)
      clearTimeout(soon)
      watcher.close()
      clearInterval(pollTimer)
      await scanning
      for (const {copy} of copies.values()) copy.close()
    },
  }

  function onChange(): void {
    const delayMs = Math.max(SCAN_DELAY_MS, scannedAt + MIN_SCAN_INTERVAL_MS - Date.now())
    soon ??= setTimeout(() => {
      soon = undefined
      void scan()
    }, delayMs).unref()
  }

  /** The folders with transcripts, and those in which new ones can appear. */
  function watchFolders(): void {
    const folders = new Set(history?.folders.map(({path}) => path))
    for (const {transcripts} of history?.sessions ?? []) {
      for (const {transcript} of transcripts) {
        const folder = dirname(pathOf(transcript))
        folders.add(folder)
        if (folder.startsWith(`${transcript.root}/`)) folders.add(dirname(folder))
      }
    }
    watcher.watch(folders)
  }

  /** Reads new data in the folders of all agents. */
  function scan(): Promise<void> {
    scannedAt = Date.now()
    scanning ??= readAll()
      .catch(onError)
      .finally(() => (scanning = undefined))
    return scanning
  }

  async function readAll(): Promise<void> {
    const config = readConfig(dataDir).config
    const where = machine === undefined ? {formats: []} : {machine}
    const read = await readHistory({dataDir, ...where, cache, threads: 1})
    if (isClosed) return
    history = read
    prices = createPriceFinder(config.prices)
    updateDeletions(read.sessions)
    const before = new Set(known.keys())
    known.clear()
    let count = 0
    for (const entry of read.entries) {
      if (entry.session === undefined && entry.kind === 'run') continue
      const deletedAt = deletions.get(entry.session?.sessionId ?? '')
      known.set(entry.id, {entry, figures: countEntry(entry, prices), deletedAt})
      before.delete(entry.id)
      if (entry.run !== undefined) complete(entry.id)
      else if (entry.session !== undefined) update(entry.id, entry.session)
      if (++count % 100 === 0) await setImmediate()
    }
    for (const id of before) remove(id)
    watchFolders()
    if (isFirst) {
      removeUnknown()
      index.commit()
    }
    isFirst = false
  }

  /** The settings of agents and the archive are read less often than sessions. */
  function updateDeletions(sessions: readonly Session[]): void {
    if (Date.now() - deletionsReadAt < DELETIONS_MS) return
    deletionsReadAt = Date.now()
    const times = new Map(findAtRisk({dataDir, sessions})?.files.map((file) => [file.path, file]))
    deletions = new Map()
    for (const {sessionId, transcripts} of sessions) {
      for (const {transcript} of transcripts) {
        const deletedAt = times.get(pathOf(transcript))?.deletedAt
        const before = deletions.get(sessionId) ?? Infinity
        if (deletedAt !== undefined) deletions.set(sessionId, Math.min(before, deletedAt))
      }
    }
  }

  /** Sessions may have been deleted while no hub was running. */
  function removeUnknown(): void {
    for (const {runId, kind} of index.listStamps()) {
      if (kind === 'run' || known.has(runId) || existsSync(join(dataDir, 'runs', runId))) continue
      publisher.remove(runId)
    }
  }

  function update(id: string, session: Session): void {
    const state = stateOfSession(session, Date.now())
    try {
      if (state === 'ended') unfollow(id)
      else follow(id, session)
    } catch (error) {
      onError(error)
    }
    if (!live.has(id)) list(id)
  }

  /** An agent can write the rest of a transcript after the end of its run. */
  function complete(id: string): void {
    const json = JSON.stringify(known.get(id)?.figures)
    if (listed.get(id) !== json && publisher.refreshSummary(id, isFirst)) listed.set(id, json)
  }

  /** Puts a session that is not followed into the list. */
  function list(id: string): void {
    const found = known.get(id)
    if (found === undefined) return
    const summary = summarizeSession(found, Date.now())
    const json = JSON.stringify(summary)
    if (listed.get(id) === json) return
    listed.set(id, json)
    if (isPrepared(id)) return
    publisher.putSummary(summary, '', isFirst)
  }

  /** Whether the index has all of a session. */
  function isPrepared(id: string): boolean {
    const found = known.get(id)
    const row = index.getRun(id)
    const isRead = row?.isComplete === true && found !== undefined && row.stamp === stampOf(found)
    return isRead && existsSync(copyOf(id))
  }

  function stampOf({entry: {session}}: KnownEntry): string {
    return (session?.transcripts ?? []).map(({transcript}) => transcript.stamp).join(', ')
  }

  function follow(id: string, session: Session): void {
    const followed = copies.get(id)
    if (followed !== undefined) {
      followed.copy.refresh(session)
      return
    }
    const running = preparing.get(id)
    if (running !== undefined) return void running.then(onChange, onChange)
    // The order of the messages in the index must stay.
    let copy = openSessionRecording(copyOf(id), session, hasMessages(id))
    if (copy.isChanged) {
      copy.close()
      forgetMessages(id)
      copy = openSessionRecording(copyOf(id), session)
    }
    copies.set(id, {copy, files: [], isMore: true})
    if (!live.has(id)) live.follow(copy.record)
  }

  /** The files of a session have other content now. */
  function followAgain(id: string, session: Session): void {
    unfollow(id)
    forgetMessages(id)
    follow(id, session)
  }

  function hasMessages(id: string): boolean {
    return (index.headOf(id)?.lastItem ?? 0) > 0
  }

  function forgetMessages(id: string): void {
    publisher.forget(id)
    publisher.remove(id, {workOrderId: id, marker: ''})
  }

  function unfollow(id: string): void {
    copies.get(id)?.copy.close()
    if (!copies.delete(id)) return
    live.unfollow(id)
    listed.delete(id)
  }

  function remove(id: string): void {
    unfollow(id)
    listed.delete(id)
    if (existsSync(join(dataDir, 'runs', id))) return
    publisher.remove(id, {workOrderId: id, marker: ''})
    rmSync(copyOf(id), {recursive: true, force: true})
  }

  /** Copies new records of live sessions. */
  function poll(): void {
    for (const [id, followed] of copies) {
      try {
        const session = known.get(id)?.entry.session
        if (session === undefined) continue
        const files = measureFiles(session)
        if (!followed.isMore && areSame(files, followed.files)) continue
        const isRewritten = hasRewritten(files, followed.files)
        followed.files = files
        followed.isMore = false
        if (!isRewritten) followed.isMore = followed.copy.update()
        if (isRewritten || followed.copy.isChanged) followAgain(id, session)
        else live.wake(id, false)
      } catch (error) {
        onError(error)
      }
    }
  }

  /** Reads an ended session into the index, unless it is there already. */
  async function prepare(id: string, session: Session): Promise<void> {
    const found = known.get(id)
    const stamp = found === undefined ? '' : stampOf(found)
    if (!hasMessages(id) || !(await readSession(id, session, stamp, true))) {
      index.removeRun(id)
      // It stays in the list meanwhile.
      if (found !== undefined) publisher.putSummary(summarizeSession(found, Date.now()), '', true)
      await readSession(id, session, stamp, false)
    }
    opened.delete(id)
    opened.add(id)
    removeOldCopies()
  }

  /** Reads a session into the index; false if its files do not continue what is there. */
  async function readSession(
    id: string,
    session: Session,
    stamp: string,
    continues: boolean,
  ): Promise<boolean> {
    const copy = openSessionRecording(copyOf(id), session, continues)
    if (copy.isChanged) {
      copy.close()
      return false
    }
    const reader = publisher.open(copy.record)
    try {
      for (let isMore = true; isMore;) {
        isMore = copy.update()
        if (copy.isChanged) return false
        if (!isMore) copy.finish()
        for (let isUnread = true; isUnread;) {
          const found = reader.advance()
          isUnread = found.isMore
          publisher.publish(reader, found, true)
        }
        await setImmediate()
        if (isClosed) return true
      }
      publisher.publish(reader, {items: reader.settle(), messages: [], isMore: false}, true)
      publisher.putSummary(reader.summarize(Date.now()), stamp, true)
      listed.delete(id)
      return true
    } finally {
      copy.close()
      reader.closeFiles()
    }
  }

  /** Keeps the copies that were opened last; those of an earlier hub are older. */
  function removeOldCopies(): void {
    const idle = readdirSync(join(dataDir, 'transcripts')).filter((id) => !copies.has(id))
    const oldestFirst = [
      ...idle.filter((id) => !opened.has(id)),
      ...[...opened].filter((id) => idle.includes(id)),
    ]
    for (const id of oldestFirst.slice(0, Math.max(0, idle.length - MAX_COPIES))) {
      opened.delete(id)
      rmSync(copyOf(id), {recursive: true, force: true})
    }
  }

  function copyOf(id: string): string {
    return join(dataDir, 'transcripts', id)
  }
}
