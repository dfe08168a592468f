import type {LiveMessage} from './bus.ts'

/** A message that is made ready for sockets when one wants it, and then once for all of them. */
export abstract class Live<T extends string> implements LiveMessage<T> {
  readonly seq: number
  readonly type: T
  abstract readonly json: string
  #frame: Buffer | undefined

  constructor({seq, type}: {seq: number; type: T}) {
    this.seq = seq
    this.type = type
  }

  get data(): Buffer {
    const {frame} = this
    return frame.subarray(headerSize(frame.readUInt8(1)))
  }

  get frame(): Buffer {
    return (this.#frame ??= toTextFrame(this.json))
  }
}

/** Makes a message that is encoded when somebody wants it. */
export function createLive<T extends string>(
  type: T,
  seq: number,
  encode: () => string,
): LiveMessage<T> {
  return new Lazy(type, seq, encode)
}

class Lazy<T extends string> extends Live<T> {
  readonly #encode: () => string

  constructor(type: T, seq: number, encode: () => string) {
    super({type, seq})
    this.#encode = encode
  }

  get json(): string {
    return this.#encode()
  }
}

const FINAL_TEXT = 0x81
/** In place of a length that does not fit into seven bits, before two and before eight bytes of it. */
const LENGTH_IN_2 = 126
const LENGTH_IN_8 = 127

/** A text as a server sends it over a WebSocket: whole, in one frame, not masked (RFC 6455, section 5.2). */
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
