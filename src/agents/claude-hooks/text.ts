import type {Draft} from '../../core/events/adapter.ts'
import type {TextEvent} from '../../core/events/events.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

/** Follows what is shown of messages, so that all that is said is said once. */
export interface Speech {
  /** The lines of a message that are shown now. */
  hear(payload: JsonObject, parentToolId: string | undefined): Draft[]
  /**
   * A text of the transcript: an event only where hooks do not show messages.
   *
   * @param isCut - Whether the answer was interrupted, which is never shown.
   */
  readRow(draft: Draft & {type: TextEvent['type']}, isCut: boolean): Draft[]
  startTurn(): void
  /** What the last message of a turn says that was not shown, or will be shown late. */
  endTurn(lastMessage: string): Draft[]
}

/** Makes one for a session. */
export function createSpeech(): Speech {
  let messageId: string | undefined
  let shown = ''
  /** The last message of a turn that is over. */
  let told: string | undefined
  let hasDisplay = false

  return {
    readRow(draft, isCut) {
      if ((hasDisplay && !isCut) || (told !== undefined && squeeze(told) === squeeze(draft.text)))
        return []
      shown = draft.text
      messageId = draft.messageId
      return [draft]
    },
    hear(payload, parentToolId) {
      hasDisplay = true
      const text = textAt(payload, 'delta') ?? ''
      if (text === '') return []
      const id = textAt(payload, 'message_id')
      const isWhole = payload['final'] === true && payload['index'] === 0
      if (parentToolId === undefined) {
        // Each payload comes through a process of its own, and the one of the end may be faster.
        if (told !== undefined && squeeze(told).includes(squeeze(text))) return []
        told = undefined
        shown = id === messageId ? shown + text : text
        messageId = id
      }
      const type = isWhole ? 'text' : 'text-delta'
      return [{type, text, messageId: id, parentToolId}]
    },
    startTurn() {
      messageId = undefined
      shown = ''
      told = undefined
    },
    endTurn(lastMessage) {
      const rest = restOf(lastMessage, shown)
      const id = messageId
      messageId = undefined
      shown = ''
      told = lastMessage
      if (rest.trim() === '') return []
      const isWhole = rest === lastMessage
      return [
        {type: isWhole ? 'text' : 'text-delta', text: rest, messageId: isWhole ? undefined : id},
      ]
    },
  }
}

/** What is left of a message after what was shown of it; all of it when that was another. */
function restOf(message: string, shown: string): string {
  const start = shown.trim()
  if (start === '') return message
  const whole = message.trimStart()
  if (whole.startsWith(start)) return whole.slice(start.length)
  return squeeze(shown).includes(squeeze(message)) ? '' : message
}

/** Without white space, which is shown in other places than it was written. */
function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
