import type {LiveMessage} from './bus.ts'

/** Creates a message whose JSON is encoded on first use, once for all clients. */
export function createLive<T extends string>(type: T, seq: number, json: string): LiveMessage<T> {
  let data: Buffer | undefined
  return {
    type,
    seq,
    get data() {
      return (data ??= Buffer.from(json))
    },
  }
}
