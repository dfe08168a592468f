import {existsSync} from 'node:fs'
import {reasonOf} from '../../recording/describe-errno.ts'
import type {Problem} from '../discover.ts'
import {createSessionId} from '../sessions.ts'
import {pathOf} from '../transcripts.ts'
import {openChunkStore} from './chunk-store.ts'
import {lockArchive} from './lock-archive.ts'
import {
  appendToManifest,
  archiveFolder,
  chunkFolder,
  readManifest,
  type ArchivedFile,
} from './manifest.ts'
import {removeOrphans} from './remove-orphans.ts'
import {restoreSession, type RestoredFile} from './restore.ts'
import {readContent} from './write-copy.ts'

/** The copies of sessions in a data folder. */
export interface Archive {
  /** The archived sessions, the newest first. */
  list(): ArchivedSession[]
  stats(): ArchiveStats
  /** The content of a file, in parts. Throws if it is damaged. */
  read(file: ArchivedFile): Generator<Buffer>
  /** Restores the files of a session to where they were, or in a folder. Files that exist are never changed. */
  restore(session: SessionName, to?: string): RestoredFile[]
  /** Checks the content of every file; returns those that are damaged. */
  verify(onProgress?: (progress: {done: number; of: number}) => void): Problem[]
  /** Removes a session from the archive. */
  remove(session: SessionName): Promise<void>
}

/** Identifies a session by its agent and the id that the agent uses. */
type SessionName = Pick<ArchivedSession, 'agent' | 'sessionId'>

/** A session in the archive. */
export interface ArchivedSession {
  /** The id that Vitrine uses. */
  id: string
  agent: string
  /** The id that the agent uses. */
  sessionId: string
  files: ArchivedFile[]
  bytes: number
  /** When it was last written by the agent. */
  writtenAt: number
  /** When it was last archived. */
  archivedAt: number
  /** Whether an original no longer exists. Sessions in databases are not checked. */
  isGone: boolean
}

/** The size of an archive. */
export interface ArchiveStats {
  sessions: number
  files: number
  /** The size of the originals. */
  bytes: number
  /** The size on disk. */
  storedBytes: number
}

/** Opens the archive in a data folder; without one it is empty. */
export function openArchive(dataDir: string): Archive {
  const folder = archiveFolder(dataDir)
  return {
    list: () => listSessions(readManifest(folder).values()),
    stats: () => countStats([...readManifest(folder).values()]),
    read: (file) => readContent(file, folder),
    restore: ({agent, sessionId}, to) => restoreSession({folder, agent, sessionId, to}),
    verify: (onProgress) => verify(folder, onProgress),
    remove: (session) => remove(folder, session),
  }
}

function listSessions(files: Iterable<ArchivedFile>): ArchivedSession[] {
  const sessions = new Map<string, ArchivedFile[]>()
  for (const file of files) {
    if (file.sessionId === undefined) continue
    const key = `${file.agent} ${file.sessionId}`
    const list = sessions.get(key)
    if (list === undefined) sessions.set(key, [file])
    else list.push(file)
  }
  return [...sessions.values()]
    .map(describe)
    .toSorted((one, other) => other.writtenAt - one.writtenAt)
}

function describe(files: ArchivedFile[]): ArchivedSession {
  const [{agent = '', sessionId = ''} = {}] = files
  const transcripts = files.filter(({file}) => file !== undefined)
  return {
    id: createSessionId(agent, sessionId),
    agent,
    sessionId,
    files,
    bytes: sum(files.map(({size}) => size)),
    writtenAt: Math.max(
      ...(transcripts.length > 0 ? transcripts : files).map(({mtimeMs}) => mtimeMs),
    ),
    archivedAt: Math.max(...files.map(({archivedAt}) => archivedAt)),
    isGone: files.some((file) => file.storedSession === undefined && !existsSync(pathOf(file))),
  }
}

function countStats(files: readonly ArchivedFile[]): ArchiveStats {
  const chunks = new Map(
    files.flatMap((file) => file.chunks.map(([hash, , stored]) => [hash, stored])),
  )
  const sessions = files.flatMap(({agent, sessionId}) =>
    sessionId === undefined ? [] : [`${agent} ${sessionId}`],
  )
  return {
    sessions: new Set(sessions).size,
    files: files.length,
    bytes: sum(files.map(({size}) => size)),
    storedBytes: sum([...chunks.values()]),
  }
}

function verify(
  folder: string,
  onProgress: Parameters<Archive['verify']>[0] = () => {},
): Problem[] {
  const files = [...readManifest(folder).values()]
  return files.flatMap((file, index) => {
    onProgress({done: index, of: files.length})
    try {
      const content = readContent(file, folder)
      while (content.next().done !== true);
      return []
    } catch (error) {
      return [{path: file.key, reason: reasonOf(error)}]
    }
  })
}

async function remove(folder: string, {agent, sessionId}: SessionName): Promise<void> {
  const lock = await lockArchive(folder)
  try {
    const files = [...readManifest(folder).values()]
    const removed = files.filter((file) => file.agent === agent && file.sessionId === sessionId)
    appendToManifest(
      folder,
      [],
      removed.map(({key}) => key),
    )
    removeOrphans(folder, openChunkStore(chunkFolder(folder), []))
  } finally {
    lock.release()
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
