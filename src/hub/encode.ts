import {encodeJson, isStateMessage, maskSecretsIn, type RunMessage} from '../core/index.ts'
import type {LiveMessage} from './bus.ts'
import {createLazy} from './state-messages.ts'
import type {StoredMessage} from './store.ts'

/** A message as all others get it: without secrets, encoded once. */
export interface EncodedMessage extends LiveMessage {
  /** As the index keeps it; absent for what only holds now. */
  stored?: StoredMessage | undefined
}

/** Makes a message ready for those who watch and for the index. */
export function encodeMessage(message: RunMessage): EncodedMessage {
  const masked = maskSecretsIn(message)
  const {seq, type, timestamp} = masked
  const json = encodeJson(masked)
  const stored = isStateMessage(type) ? undefined : {seq, type, at: Date.parse(timestamp), json}
  return Object.assign(
    createLazy(type, seq, () => json),
    {stored},
  )
}
