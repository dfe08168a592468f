import type {LiveMessage} from './bus.ts'

/**
 * Creates a message that is encoded for sockets on first use, once for all clients.
 *
 * @param json - Its JSON, or a function that returns it.
 */
export function createLive<T extends string>(
  type: T,
  seq: number,
  json: string | (() => string),
): LiveMessage<T> {
  return new Live(type, seq, json)
}

class Live<T extends string> implements LiveMessage<T> {
  readonly type: T
  readonly seq: number
  readonly #json: string | (() => string)
  #frame: Buffer | undefined

  constructor(type: T, seq: number, json: string | (() => string)) {
    this.type = type
    this.seq = seq
    this.#json = json
  }

  get data(): Buffer {
    const {frame} = this
    return frame.subarray(headerSize(frame.readUInt8(1)))
  }

  get frame(): Buffer {
    const json = this.#json
    return (this.#frame ??= toTextFrame(typeof json === 'string' ? json : json()))
  }
}

const FINAL_TEXT = 0x81
/** Markers for lengths of two and of eight bytes. */
const LENGTH_IN_2 = 126
const LENGTH_IN_8 = 127

/** Encodes a text as one unmasked WebSocket frame of a server (RFC 6455, section 5.2). */
function toTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const mark = length < LENGTH_IN_2 ? length : length < 2 ** 16 ? LENGTH_IN_2 : LENGTH_IN_8
  const size = headerSize(mark)
  const frame = Buffer.allocUnsafe(size + length)
  frame.writeUInt8(FINAL_TEXT, 0)
  frame.writeUInt8(mark, 1)
  if (mark === LENGTH_IN_2) frame.writeUInt16BE(length, 2)
  if (mark === LENGTH_IN_8) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, size)
  return frame
}

function headerSize(mark: number): number {
  return mark < LENGTH_IN_2 ? 2 : mark === LENGTH_IN_2 ? 4 : 10
}
