import {recordingAt} from '../../recording/recording.ts'
import {CHUNK_FILES, type ChunkKind} from '../../recording/timing.ts'

/** A file of a recording that is uploaded. */
export type SentFile = ChunkKind | 'timing'

/** The uploaded files, in the order of their numbers in frames. */
export const SENT_FILES: readonly SentFile[] = ['timing', 'out', 'err', 'in', 'answer', 'file']

export function pathOf(dir: string, name: SentFile): string {
  return recordingAt(dir)[name === 'timing' ? 'timing' : CHUNK_FILES[name]]
}

/** The size of each file in bytes. */
export type Offsets = Record<SentFile, number>

/** Bytes of a file at an offset. */
export interface Frame {
  key: number
  file: SentFile
  offset: number
  bytes: Uint8Array
}

const HEADER_SIZE = 17

/** Encodes frames: key (4 bytes), file (1), offset (8), length (4), all big-endian, then the bytes. */
export function encodeFrames(frames: readonly Frame[]): Buffer {
  const size = frames.reduce((sum, {bytes}) => sum + HEADER_SIZE + bytes.length, 0)
  const message = Buffer.allocUnsafe(size)
  let at = 0
  for (const {key, file, offset, bytes} of frames) {
    message.writeUInt32BE(key, at)
    message.writeUInt8(SENT_FILES.indexOf(file), at + 4)
    message.writeUInt32BE(Math.floor(offset / 2 ** 32), at + 5)
    message.writeUInt32BE(offset % 2 ** 32, at + 9)
    message.writeUInt32BE(bytes.length, at + 13)
    message.set(bytes, at + HEADER_SIZE)
    at += HEADER_SIZE + bytes.length
  }
  return message
}

/** Decodes frames. Stops at the first malformed or truncated one. */
export function decodeFrames(message: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + HEADER_SIZE <= message.length;) {
    const file = SENT_FILES[message.readUInt8(at + 4)]
    const offset = message.readUInt32BE(at + 5) * 2 ** 32 + message.readUInt32BE(at + 9)
    const end = at + HEADER_SIZE + message.readUInt32BE(at + 13)
    if (file === undefined || !Number.isSafeInteger(offset) || end > message.length) break
    const bytes = message.subarray(at + HEADER_SIZE, end)
    frames.push({key: message.readUInt32BE(at), file, offset, bytes})
    at = end
  }
  return frames
}
