import type {RunRecord} from '../../recording/run-record.ts'
import type {PieceKind} from '../../recording/timing.ts'
import type {CommandOutcome, RunCommand} from '../live/bus.ts'

/** A file of a recording that is sent. */
export type SentFile = PieceKind | 'timing'

/** The files that are sent, in the order of their numbers in frames. */
export const SENT_FILES: readonly SentFile[] = ['timing', 'out', 'err', 'in', 'answer', 'file']

/** How much of each file is there, in bytes. */
export type Offsets = Record<SentFile, number>

/** What a runner says to a hub, besides the bytes. */
export type RunnerMessage =
  /** There is a run; `key` names it from now on. */
  | {type: 'offer'; key: number; record: RunRecord}
  /** Its record is another now. Sent after the bytes that it tells of. */
  | {type: 'record'; key: number; version: number; record: RunRecord}
  /** What became of a command. */
  | {type: 'outcome'; id: number; outcome: CommandOutcome}

/** What a hub says to a runner. */
export type HubMessage =
  /**
   * What the hub has on disk. Bytes from there on are wanted; what it has is taken again without harm. `isLocal` says
   * that the hub reads the same folder: no bytes are wanted at all.
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
  /** The run cannot be taken. */
  | {type: 'refused'; key: number; message: string}
  /** Another runner with the marker of the run has offered it, and is its supervisor from now on. */
  | {type: 'replaced'; key: number}
  /** Somebody wants something of the run. */
  | {type: 'command'; key: number; id: number; command: RunCommand}

/** Bytes of a file at an offset. */
export interface Frame {
  key: number
  file: SentFile
  offset: number
  bytes: Uint8Array
}

const HEADER_SIZE = 17

/** Frames as they are sent: key (4 bytes), file (1), offset (8), length (4), all big-endian, then the bytes; one after the other. */
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

/** Reads frames. What is none, or is cut, is left out, with all that follows. */
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
