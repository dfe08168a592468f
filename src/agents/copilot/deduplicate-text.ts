import type {Draft} from '../../core/events/adapter.ts'
import type {TextContext, TextKind} from '../../core/events/deduplicate-text.ts'

/** Removes repeated text: Copilot prints it as deltas, with the message, and thinking also on a line of its own. */
export interface CopilotTextDeduplicator {
  /** The next delta of a message or of thinking. */
  addDelta(source: string, kind: TextKind, text: string, context: TextContext): Draft[]
  /** A full text: emits the part that no delta contained. */
  addFull(source: string, kind: TextKind, text: string, context: TextContext): Draft[]
  /** Drops the text of a source, which starts from scratch. */
  clear(source: string): void
}

interface EmittedText {
  messageId: string | undefined
  text: string
  thinking: string
}

/** Creates a deduplicator for the texts of each source since its last request. */
export function createTextDeduplicator(): CopilotTextDeduplicator {
  const sources = new Map<string, EmittedText>()
  return {
    addDelta(source, kind, text, context) {
      if (text === '') return []
      emittedBy(source, kind, context)[kind] += text
      return [{type: `${kind}-delta`, text, ...context}]
    },
    addFull(source, kind, text, context) {
      const emitted = emittedBy(source, kind, context)
      const before = emitted[kind]
      const rest = findRest(before, text)
      if (kind === 'thinking') emitted.thinking += rest
      // A message can come in several parts, each in full, after the deltas of all of them.
      else emitted.text = before.startsWith(text) ? before.slice(text.length) : ''
      if (rest === '') return []
      return [{type: rest.length < text.length ? `${kind}-delta` : kind, text: rest, ...context}]
    },
    clear: (source) => void sources.delete(source),
  }

  function emittedBy(source: string, kind: TextKind, {messageId}: TextContext): EmittedText {
    const emitted = sources.get(source) ?? {messageId, text: '', thinking: ''}
    sources.set(source, emitted)
    if (kind === 'text' && emitted.messageId !== messageId) {
      emitted.messageId = messageId
      emitted.text = ''
    }
    return emitted
  }
}

/** Full thinking is trimmed, its deltas are not. */
function findRest(emitted: string, text: string): string {
  if (emitted !== '' && text.startsWith(emitted)) return text.slice(emitted.length)
  return emitted.includes(text.trim()) ? '' : text
}
