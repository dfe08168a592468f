import {closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import type {TranscriptFile} from '../../core/events/transcript.ts'
import {isRecord, numberAt, parseText, textAt} from '../../core/wire/json.ts'
import {errnoOf} from '../../recording/describe-errno.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'
import {writeAtomic} from '../../recording/write-atomic.ts'
import {ArchiveError, toArchiveError} from './archive-error.ts'
import type {StoredChunk} from './chunk-store.ts'

/** A file in the archive, or the records of a session in a database. */
export interface ArchivedFile {
  /** Identifies it: the path, and the session for one of a database. */
  key: string
  agent: string
  /** The folder that the path is relative to. */
  root: string
  path: string
  /** The session that the file belongs to; none if it belongs to several. */
  sessionId?: string | undefined
  /** The kind of the transcript; `undefined` for other files of a session. */
  file?: TranscriptFile | undefined
  /** The session, for one of a database. */
  storedSession?: string | undefined
  /** Differs whenever the original has changed. */
  stamp: string
  size: number
  mtimeMs: number
  mode: number
  /** Of the complete content. */
  sha256: string
  chunks: StoredChunk[]
  archivedAt: number
}

/** The folder of the archive in a data folder. */
export function archiveFolder(dataDir: string): string {
  return join(dataDir, 'archive')
}

/** The folder of the chunks in an archive. */
export function chunkFolder(folder: string): string {
  return join(folder, 'chunks')
}

const VERSION = 1
/** A manifest with more outdated lines than this, and than valid ones, is written again. */
const MAX_OUTDATED_LINES = 1000

/** Manifests as they were read last: lists read them each time. */
const cache = new Map<string, {stamp: string; manifest: Manifest}>()

interface Manifest {
  files: ReadonlyMap<string, ArchivedFile>
  lineCount: number
  /** Whether the last line is complete. */
  isTerminated: boolean
}

/**
 * The files in an archive by key; empty without one. Lines that were being written when a process was killed are
 * ignored.
 *
 * @throws ArchiveError if it cannot be read.
 */
export function readManifest(folder: string): ReadonlyMap<string, ArchivedFile> {
  return read(folder).files
}

/** Adds files to the manifest and removes others. The chunks of the files must be stored. */
export function appendToManifest(
  folder: string,
  added: readonly ArchivedFile[],
  removed: readonly string[] = [],
): void {
  const {files, lineCount, isTerminated} = read(folder)
  const lines = [...added, ...removed.map((key) => ({removed: key}))].map(toLine)
  try {
    makeFolder(folder)
    if (lineCount === 0 || lineCount > 2 * files.size + MAX_OUTDATED_LINES) {
      const current = new Map(files)
      for (const file of added) current.set(file.key, file)
      for (const key of removed) current.delete(key)
      const all = [{version: VERSION}, ...current.values()].map(toLine)
      return writeAtomic(manifestPath(folder), all.join(''), {flush: true})
    }
    append(manifestPath(folder), (isTerminated ? '' : '\n') + lines.join(''))
  } catch (error) {
    throw toArchiveError(error)
  }
}

function manifestPath(folder: string): string {
  return join(folder, 'manifest.jsonl')
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function append(path: string, text: string): void {
  const file = openSync(path, 'a', PRIVATE_FILE_MODE)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function read(folder: string): Manifest {
  const path = manifestPath(folder)
  try {
    const {ino, size, mtimeMs} = statSync(path)
    const stamp = `${ino} ${size} ${mtimeMs}`
    const known = cache.get(folder)
    if (known?.stamp === stamp) return known.manifest
    const manifest = parse(readFileSync(path, 'utf8'))
    cache.clear()
    cache.set(folder, {stamp, manifest})
    return manifest
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT')
      throw error instanceof ArchiveError ? error : toArchiveError(error)
    return {files: new Map(), lineCount: 0, isTerminated: true}
  }
}

function parse(text: string): Manifest {
  const files = new Map<string, ArchivedFile>()
  const lines = text.split('\n')
  for (const line of lines) {
    const value = parseText(line)
    const removed = textAt(value, 'removed')
    if (isArchivedFile(value)) files.set(value.key, value)
    else if (removed !== undefined) files.delete(removed)
    else if ((numberAt(value, 'version') ?? VERSION) > VERSION) {
      throw new ArchiveError(
        'the archive was written by a newer version of Vitrine. Update Vitrine',
      )
    }
  }
  return {files, lineCount: lines.length - 1, isTerminated: text.endsWith('\n')}
}

function isArchivedFile(value: unknown): value is ArchivedFile {
  if (!isRecord(value)) return false
  const {chunks, file} = value
  return (
    ['key', 'agent', 'root', 'path', 'stamp', 'sha256'].every(
      (name) => textAt(value, name) !== undefined,
    ) &&
    ['size', 'mtimeMs', 'mode', 'archivedAt'].every(
      (name) => numberAt(value, name) !== undefined,
    ) &&
    Array.isArray(chunks) &&
    (file === undefined || isRecord(file))
  )
}
