import {encodeJson, maskSecretsIn, type RunMessage} from '../core/index.ts'
import type {LiveMessage} from './bus.ts'
import type {StoredMessage} from './store.ts'

/** A message as all others get it, those who watch and the index: without secrets, encoded once. */
export interface EncodedMessage extends LiveMessage, StoredMessage {
  readonly type: RunMessage['type']
}

/** Makes a message of what happened ready for all others. */
export function encodeMessage(message: RunMessage): EncodedMessage {
  return new Encoded(maskSecretsIn(message))
}

/** There are very many of these, and few are asked for everything: what is not is not made. */
class Encoded implements EncodedMessage {
  readonly seq: number
  readonly type: RunMessage['type']
  readonly json: string
  readonly #timestamp: string
  #data: Buffer | undefined

  constructor(message: RunMessage) {
    this.seq = message.seq
    this.type = message.type
    this.json = encodeJson(message)
    this.#timestamp = message.timestamp
  }

  get at(): number {
    return Date.parse(this.#timestamp)
  }

  get data(): Buffer {
    return (this.#data ??= Buffer.from(this.json))
  }
}
