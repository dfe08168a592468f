import {createHash, randomBytes} from 'node:crypto'
import {readdirSync, readFileSync, rmSync} from 'node:fs'
import {open, rename, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import {brotliCompress, brotliDecompressSync, constants} from 'node:zlib'
import {attempt} from '../../recording/attempt.ts'
import {reasonOf} from '../../recording/describe-errno.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'
import {ArchiveError, toArchiveError} from './archive-error.ts'

/** A part of the content of files: its SHA-256, its size, and its compressed size. */
export type StoredChunk = readonly [hash: string, size: number, storedSize: number]

/** The chunks of an archive, each in a file that is named after its content. */
export interface ChunkStore {
  /** Stores a chunk unless it is known. */
  put(bytes: Buffer): Promise<StoredChunk>
  /** Whether a chunk is stored. */
  has(hash: string): boolean
  /** Removes chunks that are not needed, and files that were being written when a process was killed. */
  removeExcept(needed: ReadonlySet<string>): void
}

const SUFFIX = '.br'
const compress = promisify(brotliCompress)
/** JSON gets about a tenth of its size. Higher qualities take several times as long for little. */
const QUALITY = 2

/** Opens the chunks in a folder for writing. Those that are `recorded` and exist are not stored again. */
export function openChunkStore(folder: string, recorded: Iterable<StoredChunk>): ChunkStore {
  const names = new Set(listNames(folder))
  const known = new Map<string, StoredChunk>()
  for (const chunk of recorded) if (names.has(nameOf(chunk[0]))) known.set(chunk[0], chunk)

  return {
    async put(bytes) {
      const hash = hashOf(bytes)
      const before = known.get(hash)
      if (before !== undefined) return before
      const compressed = await compress(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
      await write(chunkPath(folder, hash), compressed)
      const chunk: StoredChunk = [hash, bytes.length, compressed.length]
      known.set(hash, chunk)
      return chunk
    },
    has: (hash) => known.has(hash),
    removeExcept(needed) {
      for (const name of listNames(folder)) {
        const hash = name.slice(0, -SUFFIX.length)
        if (name === nameOf(hash) && needed.has(hash)) continue
        known.delete(hash)
        attempt(() => rmSync(join(folder, name.slice(0, 2), name), {force: true}))
      }
    },
  }
}

/**
 * Reads a chunk.
 *
 * @throws ArchiveError if it is missing or damaged.
 */
export function readChunk(folder: string, [hash, size]: StoredChunk): Buffer {
  const path = chunkPath(folder, hash)
  try {
    const bytes = brotliDecompressSync(readFileSync(path), {maxOutputLength: size + 1})
    if (hashOf(bytes) === hash) return bytes
  } catch (error) {
    throw new ArchiveError(`${path} cannot be read: ${reasonOf(error)}`, {cause: error})
  }
  throw new ArchiveError(`${path} is damaged`)
}

/** The SHA-256 of bytes, in hexadecimal digits. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function chunkPath(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), nameOf(hash))
}

function nameOf(hash: string): string {
  return `${hash}${SUFFIX}`
}

/** The names of all files. */
function* listNames(folder: string): Generator<string> {
  for (const part of attempt(() => readdirSync(folder)) ?? []) {
    yield* attempt(() => readdirSync(join(folder, part))) ?? []
  }
}

/** The content is on the disk before the file appears: a power failure leaves no empty chunk. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    makeFolder(dirname(path))
    const file = await open(draft, 'wx', PRIVATE_FILE_MODE)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, {force: true}).catch(() => {})
    throw toArchiveError(error)
  }
}
