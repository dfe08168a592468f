import type {LiveMessage} from '../reader/message-sink.ts'

/** Creates a message from its JSON. */
export function createLive<T extends string>(type: T, seq: number, json: string): LiveMessage<T> {
  return {type, seq, data: Buffer.from(json)}
}
