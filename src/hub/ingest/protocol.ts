import type {RunRecord} from '../../recording/run-record.ts'
import type {ChunkKind} from '../../recording/timing.ts'
import type {CommandOutcome, RunCommand} from '../live/bus.ts'

/** A file of a recording that is uploaded. */
export type SentFile = ChunkKind | 'timing'

/** The uploaded files, in the order of their numbers in frames. */
export const SENT_FILES: readonly SentFile[] = ['timing', 'out', 'err', 'in', 'answer', 'file']

/** The size of each file in bytes. */
export type Offsets = Record<SentFile, number>

/** Messages from a runner to a hub, besides the bytes. */
export type RunnerMessage =
  /** Offers a run; `key` identifies it from now on. */
  | {type: 'offer'; key: number; record: RunRecord}
  /** Its record changed. Sent after the bytes that it describes. */
  | {type: 'record'; key: number; version: number; record: RunRecord}
  /** The outcome of a command. */
  | {type: 'outcome'; id: number; outcome: CommandOutcome}

/** Messages from a hub to a runner. */
export type HubMessage =
  /**
   * The offsets on disk: the runner continues there, and repeats are harmless. `isLocal`: the hub reads the same
   * folder, so no bytes are needed.
   */
  | {
      type: 'have'
      key: number
      runId: string
      isLocal: boolean
      offsets: Offsets
      /** The last version of the record; 0 for that of the offer. */
      version: number
    }
  /** The run was rejected. */
  | {type: 'refused'; key: number; message: string}
  /** Another runner with the marker of the run has offered it, and is its supervisor from now on. */
  | {type: 'replaced'; key: number}
  /** A command for the run. */
  | {type: 'command'; key: number; id: number; command: RunCommand}

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
