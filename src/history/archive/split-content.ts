/** Reads the next bytes into a buffer; returns their number, 0 at the end. */
export type ReadBytes = (into: Buffer) => number

const MIN_CHUNK_BYTES = 64 * 1024
const MAX_CHUNK_BYTES = 512 * 1024
/** With this, a chunk has about 128 KiB. */
const CUT_BITS = 16

/**
 * Splits content into chunks at places that depend on its bytes and not on their positions: a file that has grown, or
 * that contains a copy of another one, has the same chunks as before.
 */
export function* splitContent(read: ReadBytes): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(2 * MAX_CHUNK_BYTES)
  let start = 0
  let end = 0
  let isComplete = false
  for (;;) {
    if (!isComplete && end - start < MAX_CHUNK_BYTES) {
      buffer.copyWithin(0, start, end)
      end -= start
      start = 0
      while (!isComplete && end < buffer.length) {
        const size = read(buffer.subarray(end))
        isComplete = size === 0
        end += size
      }
    }
    if (start === end) return
    const cut = findCut(buffer, start, end)
    yield Buffer.from(buffer.subarray(start, cut))
    start = cut
  }
}

/** Where the chunk that starts at `start` ends: where the last bytes have a certain hash. */
function findCut(buffer: Buffer, start: number, end: number): number {
  const last = Math.min(end, start + MAX_CHUNK_BYTES)
  let hash = 0
  for (let at = start + MIN_CHUNK_BYTES; at < last; at++) {
    // Shifting makes older bytes disappear.
    hash = ((hash << 1) + (GEAR[buffer[at] ?? 0] ?? 0)) | 0
    if (hash >>> (32 - CUT_BITS) === 0) return at + 1
  }
  return last
}

/** A random number for each byte. Others would cut differently, so that nothing archived before is shared. */
const GEAR = createGear()

function createGear(): Int32Array {
  let state = 0x9e3779b9
  return Int32Array.from({length: 256}, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state
  })
}
