import {closeSync, constants, fstatSync, openSync, readFileSync, readSync} from 'node:fs'
import {createRequire} from 'node:module'
import * as zlib from 'node:zlib'
import type * as Fzstd from 'fzstd'

/** A larger document is not read: it would need several times its size in memory. */
const MAX_DOCUMENT_BYTES: number = 256 * 1024 * 1024

/** Opens a file for reading without waiting for a pipe. */
export function openForReading(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
}

/** The content of a text file; `undefined` if it cannot be read or is too large. */
export function readTextFile(path: string): string | undefined {
  try {
    return readCompleteFile(path).toString('utf8')
  } catch {
    return undefined
  }
}

/** @throws Error if the file is missing, too large or not a regular file. */
export function readCompleteFile(path: string): Buffer {
  const file = openForReading(path)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('not a regular file')
    if (stats.size > MAX_DOCUMENT_BYTES) throw new Error('too large to read')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Reads bytes at a position; fewer at the end of the file. */
export function readAt(file: number, into: Buffer, position: number): number {
  return readSync(file, into, 0, into.length, position)
}

/** Decompresses zstd with Node, or with a package where Node has no zstd. */
export function decompressZstd(bytes: Uint8Array): Buffer {
  const {zstdDecompressSync} = zlib as {zstdDecompressSync?: (bytes: Uint8Array) => Buffer}
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(bytes)
  const {decompress} = createRequire(import.meta.url)('fzstd') as typeof Fzstd
  return Buffer.from(decompress(bytes))
}
