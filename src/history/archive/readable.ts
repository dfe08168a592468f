import {createHash} from 'node:crypto'
import {readdirSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {pid} from 'node:process'
import {threadId} from 'node:worker_threads'
import {attempt} from '../../recording/attempt.ts'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'
import {keyOf, pathOf, type Transcript} from '../transcripts.ts'
import {ArchiveError} from './archive-error.ts'
import {readManifest, type ArchivedFile} from './manifest.ts'
import {writeCopy} from './write-copy.ts'

/**
 * Reads a transcript once: a copy from the archive is removed afterwards, as there may be thousands.
 *
 * @throws Error if the archive has no intact copy.
 */
export function readOnce<T>(transcript: Transcript, read: (readable: Transcript) => T): T {
  if (transcript.archive === undefined) return read(transcript)
  // Other threads may read the same session.
  const cache = join(copiesFolder(transcript.archive), `${pid}-${threadId}`)
  try {
    return read(provideAll(transcript, transcript.archive, cache))
  } finally {
    attempt(() => rmSync(cache, {recursive: true, force: true}))
  }
}

/**
 * The transcript itself, or a copy of one whose original is gone: it is written from the archive into a cache, with the
 * small files around it. The records of a session in a database are lines in a file.
 *
 * @throws Error if the archive has no intact copy.
 */
export function toReadable(transcript: Transcript): Transcript {
  const {archive} = transcript
  return archive === undefined ? transcript : provideAll(transcript, archive, copiesFolder(archive))
}

function provideAll(transcript: Transcript, folder: string, cache: string): Transcript {
  const files = readManifest(folder)
  const file = files.get(keyOf(transcript))
  if (file === undefined) throw new ArchiveError(`${keyOf(transcript)} is no longer in the archive`)
  const root = join(cache, hashOfRoot(file.root))
  for (const companion of listCompanionsOf(file, files)) {
    // Without it the transcript can still be read.
    attempt(() => provide(companion, root, folder))
  }
  const path = provide(file, root, folder)
  const isStored = file.storedSession !== undefined
  return {
    ...transcript,
    archive: undefined,
    root,
    path,
    ...(isStored && {file: {storage: 'lines', sessionId: file.storedSession}}),
  }
}

/** Copies are removed after this long: they can be written again. */
const MAX_COPY_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** Removes copies that were written long ago. */
export function removeOldCopies(folder: string, now: number = Date.now()): void {
  visit(copiesFolder(folder))

  function visit(path: string): void {
    for (const entry of attempt(() => readdirSync(path, {withFileTypes: true})) ?? []) {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) visit(inner)
      // The time of the last write is that of the original.
      else if (now - (attempt(() => statSync(inner).ctimeMs) ?? now) > MAX_COPY_AGE_MS) {
        attempt(() => rmSync(inner))
      }
    }
  }
}

function copiesFolder(folder: string): string {
  return join(folder, 'restored')
}

/** Different roots have different files with the same path. */
function hashOfRoot(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12)
}

/** Larger files beside a transcript are not read with it. */
const MAX_COMPANION_BYTES = 1024 * 1024

/** The small files that are not transcripts: those of its session, and those in folders above. */
function listCompanionsOf(file: ArchivedFile, files: Files): ArchivedFile[] {
  const index = indexes.get(files) ?? createIndex(files)
  indexes.set(files, index)
  const shared = index.get(groupOf({...file, sessionId: undefined})) ?? []
  return [...(index.get(groupOf(file)) ?? []), ...shared.filter((other) => isAbove(other, file))]
}

type Files = ReadonlyMap<string, ArchivedFile>

/** A list of companions by session. */
const indexes = new WeakMap<Files, ReadonlyMap<string, ArchivedFile[]>>()

function createIndex(files: Files): ReadonlyMap<string, ArchivedFile[]> {
  const index = new Map<string, ArchivedFile[]>()
  for (const file of files.values()) {
    if (file.file !== undefined || file.size > MAX_COMPANION_BYTES) continue
    const group = groupOf(file)
    const list = index.get(group)
    if (list === undefined) index.set(group, [file])
    else list.push(file)
  }
  return index
}

function groupOf({agent, root, sessionId = ''}: ArchivedFile): string {
  return [agent, root, sessionId].join('\n')
}

/** Whether a file that several sessions share is in a folder above another file. */
export function isAbove(shared: ArchivedFile, {path}: Pick<ArchivedFile, 'path'>): boolean {
  const folder = shared.path.slice(0, shared.path.lastIndexOf('/') + 1)
  return shared.sessionId === undefined && path.startsWith(folder)
}

/** Writes a file into the cache unless it is there; returns its path relative to the root. */
function provide(file: ArchivedFile, root: string, folder: string): string {
  const {storedSession, size, mtimeMs} = file
  const path = storedSession === undefined ? file.path : `${file.path}#${storedSession}.jsonl`
  const target = pathOf({root, path})
  const stats = statSync(target, {throwIfNoEntry: false})
  const isCurrent = stats?.size === size && Math.abs(stats.mtimeMs - mtimeMs) < 1
  if (!isCurrent) {
    writeCopy({...file, mode: PRIVATE_FILE_MODE}, {folder, path: target, replaces: true})
  }
  return path
}
