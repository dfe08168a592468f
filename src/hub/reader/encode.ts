import type {RunMessage} from '../../core/protocol/server-message.ts'
import {encodeJson} from '../../core/wire/json.ts'
import {maskSecretsIn} from '../../secrets/mask-secrets.ts'
import type {StoredMessage} from '../index/store.ts'

/** A message as the index and subscribers receive it: masked and encoded once. */
export interface EncodedMessage extends StoredMessage {
  readonly type: RunMessage['type']
}

/** Masks and encodes messages. Thinking, which has no number of its own, is attached to the message after it. */
export function encodeMessages(messages: readonly RunMessage[]): EncodedMessage[] {
  const encoded: EncodedMessage[] = []
  let thinking: string[] = []
  for (const message of messages) {
    const masked = maskSecretsIn(message)
    const {seq, type, timestamp} = masked
    const json = encodeJson(masked)
    if (type === 'agent_thinking') {
      thinking.push(json)
      continue
    }
    encoded.push({seq, type, at: Date.parse(timestamp), json, thinking})
    thinking = []
  }
  return encoded
}
