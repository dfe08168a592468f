import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import type {Adapter} from '../core/events/adapter.ts'
import type {Machine, TranscriptFormat} from '../core/events/transcript.ts'
import {findAgent} from '../agents/find-agent.ts'
import {transcriptFormats} from '../agents/transcripts.ts'
import {reasonOf} from '../recording/describe-errno.ts'
import {defaultDataDir} from '../recording/recording.ts'
import {readRuns, type RecordedRun} from '../recording/list-runs.ts'
import {archivedTranscripts} from './archive/archived-transcripts.ts'
import {discoverTranscripts, thisMachine, type Problem, type SessionFolder} from './discover.ts'
import {joinEntries, type Entry, type ScannedRun} from './entries.ts'
import {findSessionAdapter} from './session-adapter.ts'
import {scanAll} from './scan-all.ts'
import type {ScanJob} from './scan-job.ts'
import {startScanThread, type ScanThread} from './scan-thread.ts'
import {keyOfRun, scanRecording, sessionIdsOf, stampOfRun} from './scan-recording.ts'
import {groupSessions, type ScannedTranscript, type Session} from './sessions.ts'
import {openHistoryStore, type HistoryStore} from './store.ts'
import {decodeChanges, toScan, toStoredScan, type StoredScan} from './store-records.ts'
import {keyOf, pathOf, type Transcript} from './transcripts.ts'

/** The runs and sessions of a machine. */
export interface History {
  /** Runs and sessions, the newest first. */
  entries: Entry[]
  /** Every session, also those of runs. */
  sessions: Session[]
  /** Where sessions were looked for. */
  folders: SessionFolder[]
  /** Files and folders that could not be read. */
  problems: Problem[]
}

/** Options of {@link readHistory}. */
export interface HistoryOptions {
  dataDir?: string | undefined
  machine?: Machine | undefined
  formats?: readonly TranscriptFormat[] | undefined
  /** With two, the first scan takes half the time. @defaultValue 2 */
  threads?: 1 | 2 | undefined
  /** Keeps the facts of transcripts. @defaultValue `history.bin` in the data folder */
  store?: HistoryStore | undefined
  /** Facts that a process keeps between two calls. Other processes may not change the store meanwhile. */
  cache?: HistoryCache | undefined
  /** Called while transcripts are read for the first time. */
  onProgress?: ((progress: {done: number; of: number}) => void) | undefined
}

/** The facts of transcripts and runs that are known already, for a process that reads them often. */
export interface HistoryCache {
  stored?: Map<string, StoredScan> | undefined
  /** Ended runs by the name of their folder. */
  runs: Map<string, ScannedRun>
}

/** Creates an empty cache. */
export function createHistoryCache(): HistoryCache {
  return {runs: new Map()}
}

/**
 * Reads the runs and sessions of this machine. Only transcripts that have changed since the last time are read; the
 * facts of the others are in `history.bin` of the data folder.
 */
export async function readHistory(options: HistoryOptions = {}): Promise<History> {
  const {dataDir = defaultDataDir(), machine = thisMachine(), onProgress} = options
  const {formats = transcriptFormats, threads = 2, cache} = options
  const store = options.store ?? openHistoryStore(historyFile(dataDir))
  const thread = threads === 2 && isFirst(dataDir, formats, machine) ? startScanThread() : undefined
  try {
    const {transcripts: present, folders} = discoverTranscripts(formats, machine)
    const transcripts = [...present, ...archivedTranscripts(dataDir, formats, present)]
    const problems = folders.flatMap((folder) => folder.problems)
    const attemptStore = <T>(use: () => T): T | undefined => {
      try {
        return use()
      } catch (error) {
        problems.push({path: historyFile(dataDir), reason: reasonOf(error)})
        return undefined
      }
    }
    const stored =
      cache?.stored ?? attemptStore(() => store.read()) ?? new Map<string, StoredScan>()
    if (cache !== undefined) cache.stored = stored
    const scans = await scanChanged(transcripts, stored, {thread, threads, onProgress})
    const runs = await scanRuns(dataDir, stored, cache)
    const current = new Set([...transcripts.map(keyOf), ...runs.keys])
    const removed = [...stored.keys()].filter((key) => !current.has(key))
    const changed = [...scans.changed, ...runs.changed]
    if (changed.length > 0 || removed.length > 0) {
      attemptStore(() => store.write(changed, removed, scans.encoded))
    }
    if (cache !== undefined) {
      for (const scan of changed) stored.set(scan.key, scan)
      for (const key of removed) stored.delete(key)
    }
    const sessions = groupSessions(scans.scanned)
    problems.push(...scans.problems)
    return {entries: joinEntries(runs.runs, sessions), sessions, folders, problems}
  } finally {
    thread?.close()
  }
}

/** The file with the facts of transcripts. */
export function historyFile(dataDir: string): string {
  return join(dataDir, 'history.bin')
}

/** Whether everything must be read: then a thread is started first, because that takes as long as finding the files. */
function isFirst(dataDir: string, formats: readonly TranscriptFormat[], machine: Machine): boolean {
  if (existsSync(historyFile(dataDir))) return false
  return formats.some((format) => format.roots(machine).some((root) => existsSync(root)))
}

interface ScanningOptions extends Pick<HistoryOptions, 'threads' | 'onProgress'> {
  thread: ScanThread | undefined
}

async function scanChanged(
  transcripts: readonly Transcript[],
  stored: ReadonlyMap<string, StoredScan>,
  {thread, threads, onProgress}: ScanningOptions,
) {
  const jobs: ScanJob[] = []
  for (const transcript of transcripts) {
    const before = stored.get(keyOf(transcript))
    if (before?.stamp === transcript.stamp) continue
    jobs.push({transcript, before: canContinue(transcript, before) ? before : undefined})
  }
  const changes =
    jobs.length === 0
      ? []
      : await scanAll(jobs, {
          thread,
          threads,
          onProgress: (done) => onProgress?.({done, of: jobs.length}),
        })
  const fresh = new Map(changes.flatMap((change) => [...decodeChanges(change).scans]))
  const scanned: ScannedTranscript[] = []
  const problems: Problem[] = []
  for (const transcript of transcripts) {
    const key = keyOf(transcript)
    const found = fresh.get(key) ?? stored.get(key)
    if (found === undefined) continue
    scanned.push({transcript, facts: found.facts, requests: found.requests})
    if (found.problem !== undefined)
      problems.push({path: pathOf(transcript), reason: found.problem})
  }
  const encoded = {keys: new Set(fresh.keys()), changes}
  return {changed: [...fresh.values()], encoded, scanned, problems}
}

/** Whether a file has only grown since it was read. */
function canContinue({stats, file}: Transcript, before: StoredScan | undefined): boolean {
  if (before === undefined || before.problem !== undefined || file.storage !== 'lines') return false
  const [dev, ino] = before.stamp.split(' ')
  const isSame = dev === String(stats.dev) && ino === String(stats.ino)
  return isSame && before.offset <= stats.size
}

async function scanRuns(
  dataDir: string,
  stored: ReadonlyMap<string, StoredScan>,
  cache: HistoryCache | undefined,
) {
  const changed: StoredScan[] = []
  const runs: ScannedRun[] = []
  const keys: string[] = []
  for (const run of readRuns(dataDir, (name) => cache?.runs.get(name)?.run)) {
    const key = keyOfRun(run)
    keys.push(key)
    const known = cache?.runs.get(run.record.runId)
    if (known?.run === run) {
      runs.push(known)
      continue
    }
    const stamp = stampOfRun(run)
    let scan = stored.get(key)
    if (scan?.stamp !== stamp || (run.record.result === undefined && hasNoSession(scan))) {
      scan = toStoredScan(key, stamp, scanRecording(run, adapterOf(run)))
      changed.push(scan)
      // A hub has other work between two recordings.
      await setImmediate()
    }
    const scanned = {run, facts: toScan(scan).facts}
    runs.push(scanned)
    if (run.record.result !== undefined) cache?.runs.set(run.record.runId, scanned)
  }
  return {runs, changed, keys}
}

function adapterOf({dir, record: {agent, isTranscript}}: RecordedRun): Adapter | null {
  return isTranscript === true ? findSessionAdapter(agent, dir) : findAgent(agent ?? '')
}

/** The output of a live run may not have named its session yet. */
function hasNoSession({facts}: StoredScan): boolean {
  return sessionIdsOf(facts).length === 0
}
