import type {RunMessage} from '../../core/protocol/server-message.ts'
import {encodeJson} from '../../core/wire/json.ts'
import {encodeCompleteEvents} from '../../replay/full-records.ts'
import type {ReadItem} from '../../replay/run-reader.ts'
import {maskSecretsIn} from '../../secrets/mask-secrets.ts'
import type {StoredItem, StoredMessage} from '../index/store.ts'

/** Masks and encodes messages. Thinking, which has no number of its own, is attached to the message after it. */
export function encodeMessages(messages: readonly RunMessage[]): StoredMessage[] {
  const encoded: StoredMessage[] = []
  let thinking: string[] = []
  for (const message of messages) {
    const masked = maskSecretsIn(message)
    const {seq, type} = masked
    const json = encodeJson(masked)
    if (type === 'agent_thinking') {
      thinking.push(json)
      continue
    }
    encoded.push({seq, type, json, thinking})
    thinking = []
  }
  return encoded
}

/** Encodes an item, which is masked already. */
export function encodeItem(read: ReadItem): StoredItem {
  const {item, line} = read
  return {n: item.n, line, json: JSON.stringify(item), complete: encodeCompleteEvents(read)}
}
