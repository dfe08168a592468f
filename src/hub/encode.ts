import {encodeJson, maskSecretsIn, type RunMessage} from '../core/index.ts'
import type {StoredMessage} from './store.ts'

/** A message as all others get it, those who watch and the index: without secrets, encoded once. */
export interface EncodedMessage extends StoredMessage {
  readonly type: RunMessage['type']
}

/** Makes a message of what happened ready for all others. */
export function encodeMessage(message: RunMessage): EncodedMessage {
  const masked = maskSecretsIn(message)
  const {seq, type, timestamp} = masked
  return {seq, type, at: Date.parse(timestamp), json: encodeJson(masked)}
}
