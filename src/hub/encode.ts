import {encodeJson, maskSecretsIn, type RunMessage} from '../core/index.ts'
import type {LiveMessage} from './bus.ts'
import {Live} from './live-message.ts'
import type {StoredMessage} from './store.ts'

/** A message as all others get it, those who watch and the index: without secrets, encoded once. */
export type EncodedMessage = LiveMessage & StoredMessage

/** Makes a message of what happened ready for all others. */
export function encodeMessage(message: RunMessage): EncodedMessage {
  return new Encoded(maskSecretsIn(message))
}

class Encoded extends Live<RunMessage['type']> implements EncodedMessage {
  readonly json: string
  readonly #timestamp: string

  constructor(message: RunMessage) {
    super(message)
    this.json = encodeJson(message)
    this.#timestamp = message.timestamp
  }

  get at(): number {
    return Date.parse(this.#timestamp)
  }
}
