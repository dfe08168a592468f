import {errnoOf, reasonOf} from '../../recording/describe-errno.ts'
import type {Problem} from '../discover.ts'
import {ArchiveError} from './archive-error.ts'
import {openChunkStore, readChunk, type ChunkStore} from './chunk-store.ts'
import {listSources, type ArchivableSession, type Source} from './list-sources.ts'
import {lockArchive} from './lock-archive.ts'
import {removeOldCopies} from './readable.ts'
import {removeOrphans} from './remove-orphans.ts'
import {
  appendToManifest,
  archiveFolder,
  chunkFolder,
  readManifest,
  type ArchivedFile,
} from './manifest.ts'
import {storeFile, storeRecords} from './store-file.ts'

/** Options of {@link archiveSessions}. */
export interface ArchiveSessionsOptions {
  dataDir: string
  sessions: readonly ArchivableSession[]
  /** Called with the number of changed sessions that are archived. */
  onProgress?: ((progress: {done: number; of: number}) => void) | undefined
  signal?: AbortSignal | undefined
}

/** The result of archiving. */
export interface ArchiveResult {
  /** Number of sessions that were not in the archive before. */
  newSessions: number
  /** Number of sessions that were in it and have changed. */
  changedSessions: number
  newFiles: number
  changedFiles: number
  /** Files that could not be read. Copies from before are kept. */
  problems: Problem[]
}

/**
 * Copies the files of sessions that have changed since the last time. The originals are only read. When the process is
 * killed, everything up to then is archived.
 *
 * @throws ArchiveError if the archive cannot be written or another process writes it.
 */
export async function archiveSessions(options: ArchiveSessionsOptions): Promise<ArchiveResult> {
  const {dataDir, sessions, onProgress, signal} = options
  const folder = archiveFolder(dataDir)
  const lock = await lockArchive(folder)
  try {
    const known = readManifest(folder)
    const store = openChunkStore(
      chunkFolder(folder),
      [...known.values()].flatMap(({chunks}) => chunks),
    )
    const isCurrent = ({key, stamp}: Source) => {
      const before = known.get(key)
      return before?.stamp === stamp && before.chunks.every(([hash]) => store.has(hash))
    }
    const changed = listChangedSessions(sessions, isCurrent)
    const writer = createWriter(folder, known, store)
    let done = 0
    const queue = changed.values()
    const work = async () => {
      for (const sources of queue) {
        for (const source of sources) {
          if (signal?.aborted === true) return
          await writer.archive(source, signal)
        }
        onProgress?.({done: ++done, of: changed.length})
      }
    }
    // Compressing and writing use threads of Node.
    const workers = await Promise.allSettled(Array.from({length: MAX_WORKERS}, work))
    writer.flush()
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
    removeOrphans(folder, store)
    removeOldCopies(folder)
    return writer.result()
  } finally {
    lock.release()
  }
}

const MAX_WORKERS = 4
/** The files of each session that must be archived, for those that have any. */
function listChangedSessions(
  sessions: readonly ArchivableSession[],
  isCurrent: (source: Source) => boolean,
): Source[][] {
  const seen = new Set<string>()
  return sessions
    .map((session) =>
      listSources(session).filter((source) => {
        if (seen.has(source.key)) return false
        seen.add(source.key)
        return !isCurrent(source)
      }),
    )
    .filter((sources) => sources.length > 0)
}

const FLUSH_INTERVAL_MS = 1000

/** Archives files one by one and records them in groups. */
function createWriter(folder: string, known: ReadonlyMap<string, ArchivedFile>, store: ChunkStore) {
  const knownSessions = new Set([...known.values()].map(sessionKeyOf))
  const pending: ArchivedFile[] = []
  const problems: Problem[] = []
  const written = new Set<string>()
  let newFiles = 0
  let changedFiles = 0
  let flushedAt = performance.now()
  return {
    flush,
    result(): ArchiveResult {
      const newSessions = [...written].filter((session) => !knownSessions.has(session)).length
      const changedSessions = written.size - newSessions
      return {newSessions, changedSessions, newFiles, changedFiles, problems}
    },
    async archive(source: Source, signal: AbortSignal | undefined): Promise<void> {
      try {
        const file = await storeSource(source, store, signal)
        const before = known.get(source.key)
        if (before !== undefined && isDamaged(file, folder)) return
        pending.push(file)
        if (before?.sha256 !== file.sha256) {
          if (before === undefined) newFiles++
          else changedFiles++
          if (file.sessionId !== undefined) written.add(sessionKeyOf(file))
        }
        if (performance.now() - flushedAt > FLUSH_INTERVAL_MS) flush()
      } catch (error) {
        if (error instanceof ArchiveError) throw error
        if (signal?.aborted === true || errnoOf(error) === 'ENOENT') return
        problems.push({path: source.key, reason: reasonOf(error)})
      }
    },
  }

  function flush(): void {
    if (pending.length > 0) appendToManifest(folder, pending.splice(0))
    flushedAt = performance.now()
  }
}

function sessionKeyOf({agent, sessionId}: Pick<ArchivedFile, 'agent' | 'sessionId'>): string {
  return `${agent} ${sessionId}`
}

async function storeSource(
  source: Source,
  store: ChunkStore,
  signal: AbortSignal | undefined,
): Promise<ArchivedFile> {
  const {key, agent, root, path, sessionId, transcript} = source
  const isStored = transcript?.file.storage === 'database'
  const content = isStored
    ? await storeRecords(transcript, store, signal)
    : await storeFile(key, store, signal)
  return {
    key,
    agent,
    root,
    path,
    sessionId,
    file: transcript?.file,
    storedSession: transcript?.sessionId,
    ...content,
    archivedAt: Date.now(),
  }
}

/** Whether a file must not replace its copy: it is empty, or a document that is just being written. */
function isDamaged({size, file, chunks}: ArchivedFile, folder: string): boolean {
  const last = chunks.at(-1)
  if (size === 0 || last === undefined) return true
  if (file?.storage !== 'document') return false
  return !/[\]}]\s*$/.test(readChunk(chunkFolder(folder), last).subarray(-100).toString('latin1'))
}
