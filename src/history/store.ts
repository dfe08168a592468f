import {closeSync, fstatSync, readSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {errnoOf} from '../recording/describe-errno.ts'
import {makeFolder} from '../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import {writeAtomic} from '../recording/write-atomic.ts'
import {openForReading} from './read-file.ts'
import {decodeChanges, encodeScans, type DecodedChanges, type StoredScan} from './store-records.ts'

/** The facts of transcripts as they were read last, on disk. All of it can be read again from the transcripts. */
export interface HistoryStore {
  /** All stored scans by transcript. */
  read(): Map<string, StoredScan>
  /**
   * Adds scans or replaces them, and removes others, at once.
   *
   * @param encoded - Scans that are already encoded.
   */
  write(scans: readonly StoredScan[], removed: readonly string[], encoded?: EncodedScans): void
}

/** Scans as the store keeps them. */
interface EncodedScans {
  keys: ReadonlySet<string>
  changes: readonly Uint8Array[]
}

/** The version of the records and of the scanners that fill them; a file of another version is replaced. */
const VERSION = 2
const HEADER: Uint8Array = Buffer.from(`vitrine history ${VERSION}`.padEnd(24))

/** The file is written again when it has more outdated requests and scans than this and the others together. */
const MAX_OUTDATED = 20_000

/**
 * Opens the store in a file: a list of changes, to which changes are appended. Reading it takes a fifth of the time that
 * a database takes. Several processes can use it: what one of them loses is read again from the transcripts.
 */
export function openHistoryStore(path: string): HistoryStore {
  let file: HistoryFile | undefined
  return {
    read() {
      file = readHistoryFile(path)
      return file.scans
    },
    write(scans, removed, encoded) {
      const {scans: stored, count, isIntact} = file ?? readHistoryFile(path)
      file = undefined
      const current = new Map(stored)
      for (const scan of scans) current.set(scan.key, scan)
      for (const key of removed) current.delete(key)
      const outdated = count + countAll(scans) - countAll(current.values())
      const isAppended = isIntact && outdated <= countAll(current.values()) + MAX_OUTDATED
      const written = isAppended ? scans : [...current.values()]
      const rest = written.filter(({key}) => encoded?.keys.has(key) !== true)
      const changes = [...(encoded?.changes ?? [])]
      if (rest.length > 0 || removed.length > 0) changes.push(encodeScans(rest, removed))
      if (isAppended) {
        writeFileSync(path, Buffer.concat(changes), {flag: 'a', mode: PRIVATE_FILE_MODE})
      } else {
        makeFolder(dirname(path))
        writeAtomic(path, Buffer.concat([HEADER, ...changes]))
      }
    },
  }
}

function countAll(scans: Iterable<StoredScan>): number {
  let count = 0
  for (const {requestCount} of scans) count += requestCount + 1
  return count
}

/** The content of the file of a store. */
export interface HistoryFile extends DecodedChanges {
  /** The size of the file. */
  bytes: number
}

/** Reads the file of a store. Changes that are damaged or of another version are left out. */
export function readHistoryFile(path: string): HistoryFile {
  const bytes = readBytes(path)
  const isKnown = HEADER.every((byte, index) => bytes[index] === byte)
  if (!isKnown) return {scans: new Map(), count: 0, isIntact: false, bytes: bytes.length}
  return {...decodeChanges(bytes, HEADER.length), bytes: bytes.length}
}

/** Reads a file into memory of its own, because numbers must be aligned; empty if there is none. */
function readBytes(path: string): Uint8Array {
  const file = openIfExists(path)
  if (file === undefined) return new Uint8Array(0)
  try {
    const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

function openIfExists(path: string): number | undefined {
  try {
    return openForReading(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
