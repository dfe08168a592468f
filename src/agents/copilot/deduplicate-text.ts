import type {Draft} from '../../core/events/adapter.ts'
import type {TextKind, TextContext} from '../../core/events/deduplicate-text.ts'

/** Folds what Copilot says up to three times: in pieces, with the message, and as a line of its own. */
export interface SpeechLog {
  /** The next piece of a message, or of a thought. */
  piece(speaker: string, speech: TextKind, text: string, about: TextContext): Draft[]
  /** A whole text: what its pieces have not said yet. */
  whole(speaker: string, speech: TextKind, text: string, about: TextContext): Draft[]
  /** A speaker begins anew. */
  restart(speaker: string): void
}

interface Said {
  messageId: string | undefined
  text: string
  thinking: string
}

/** Makes a log of what each speaker has said since it was last asked. */
export function createSpeechLog(): SpeechLog {
  const speakers = new Map<string, Said>()
  return {
    piece(speaker, speech, text, about) {
      if (text === '') return []
      saidBy(speaker, speech, about)[speech] += text
      return [{type: `${speech}-delta`, text, ...about}]
    },
    whole(speaker, speech, text, about) {
      const said = saidBy(speaker, speech, about)
      const before = said[speech]
      const rest = findUnsaid(before, text)
      if (speech === 'thinking') said.thinking += rest
      // A message can come in chunks, each whole, after the pieces of all of them.
      else said.text = before.startsWith(text) ? before.slice(text.length) : ''
      if (rest === '') return []
      return [{type: rest.length < text.length ? `${speech}-delta` : speech, text: rest, ...about}]
    },
    restart: (speaker) => void speakers.delete(speaker),
  }

  function saidBy(speaker: string, speech: TextKind, {messageId}: TextContext): Said {
    const said = speakers.get(speaker) ?? {messageId, text: '', thinking: ''}
    speakers.set(speaker, said)
    if (speech === 'text' && said.messageId !== messageId) {
      said.messageId = messageId
      said.text = ''
    }
    return said
  }
}

/** Whole thoughts have lost the spaces around them. */
function findUnsaid(said: string, text: string): string {
  if (said !== '' && text.startsWith(said)) return text.slice(said.length)
  return said.includes(text.trim()) ? '' : text
}
