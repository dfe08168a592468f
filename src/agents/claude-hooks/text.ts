import type {Draft} from '../../core/events/adapter.ts'
import type {TextEvent} from '../../core/events/events.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

/** Emits each text once, from the payloads that display messages, from the transcript and from the end of a turn. */
export interface HookTexts {
  /** A payload with the lines of a message that are displayed now. */
  readDisplay(payload: JsonObject, parentToolId: string | undefined): Draft[]
  /**
   * A text of the transcript: an event only if hooks do not display messages.
   *
   * @param isAborted - Whether the response was interrupted, which is never displayed.
   */
  readRow(draft: Draft & {type: TextEvent['type']}, isAborted: boolean): Draft[]
  startTurn(): void
  /** The part of the last message of a turn that was not displayed yet. */
  endTurn(lastMessage: string): Draft[]
}

/** Creates the state of one session. */
export function createHookTexts(): HookTexts {
  let messageId: string | undefined
  let shown = ''
  /** The last message of the ended turn. */
  let finalText: string | undefined
  let hasDisplay = false

  return {
    readRow(draft, isAborted) {
      const isFinal = finalText !== undefined && squeeze(finalText) === squeeze(draft.text)
      if ((hasDisplay && !isAborted) || isFinal) return []
      shown = draft.text
      messageId = draft.messageId
      return [draft]
    },
    readDisplay(payload, parentToolId) {
      hasDisplay = true
      const text = textAt(payload, 'delta') ?? ''
      if (text === '') return []
      const id = textAt(payload, 'message_id')
      const isFull = payload['final'] === true && payload['index'] === 0
      if (parentToolId === undefined) {
        // Each payload comes through a process of its own, and that of the end may be faster.
        if (finalText !== undefined && squeeze(finalText).includes(squeeze(text))) return []
        finalText = undefined
        shown = id === messageId ? shown + text : text
        messageId = id
      }
      const type = isFull ? 'text' : 'text-delta'
      return [{type, text, messageId: id, parentToolId}]
    },
    startTurn() {
      messageId = undefined
      shown = ''
      finalText = undefined
    },
    endTurn(lastMessage) {
      const rest = restOf(lastMessage, shown)
      const id = messageId
      messageId = undefined
      shown = ''
      finalText = lastMessage
      if (rest.trim() === '') return []
      const isFull = rest === lastMessage
      return [
        {type: isFull ? 'text' : 'text-delta', text: rest, messageId: isFull ? undefined : id},
      ]
    },
  }
}

/** The rest of a message after its displayed part; the complete message when another one was displayed. */
function restOf(message: string, shown: string): string {
  const start = shown.trim()
  if (start === '') return message
  const trimmed = message.trimStart()
  if (trimmed.startsWith(start)) return trimmed.slice(start.length)
  return squeeze(shown).includes(squeeze(message)) ? '' : message
}

/** Removes white space, which is displayed in other places than it was written. */
function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
