import {sizeOf} from '../recording/completeness.ts'
import {readBytes} from '../recording/read/byte-source.ts'

/** Reads the last bytes of a file as text. */
export function readTail(path: string, maxBytes: number): string {
  return readBytes(path, Math.max(0, sizeOf(path) - maxBytes), maxBytes).toString('utf8')
}
