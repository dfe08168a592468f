import type {PieceKind, RunRecord} from '../recording/index.ts'
import type {CommandOutcome, RunCommand} from './bus.ts'

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
  /** Somebody wants something of the run. */
  | {type: 'command'; key: number; id: number; command: RunCommand}

/** Bytes of a file at an offset. */
export interface Frame {
  key: number
  file: SentFile
  offset: number
  bytes: Uint8Array
}

const HEADER_SIZE = 13

/** A frame as it is sent: key (4 bytes), file (1), offset (8), all big-endian, then the bytes. */
export function encodeFrame({key, file, offset, bytes}: Frame): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_SIZE + bytes.length)
  frame.writeUInt32BE(key, 0)
  frame.writeUInt8(SENT_FILES.indexOf(file), 4)
  frame.writeBigUInt64BE(BigInt(offset), 5)
  frame.set(bytes, HEADER_SIZE)
  return frame
}

/** Reads a frame; `undefined` when it is none. */
export function decodeFrame(data: Buffer): Frame | undefined {
  if (data.length < HEADER_SIZE) return undefined
  const file = SENT_FILES[data.readUInt8(4)]
  const offset = Number(data.readBigUInt64BE(5))
  if (file === undefined || !Number.isSafeInteger(offset)) return undefined
  return {key: data.readUInt32BE(0), file, offset, bytes: data.subarray(HEADER_SIZE)}
}
