import type {TextContext, TextDeduplicator, TextKind} from '../../core/events/deduplicate-text.ts'

interface EmittedText {
  messageId: string | undefined
  text: string
  thinking: string
}

/**
 * Creates a deduplicator for the texts of each source since its last request: Copilot prints a text as deltas, with the
 * message, and thinking also on a line of its own.
 */
export function createTextDeduplicator(): Omit<TextDeduplicator, 'startBlock'> {
  const sources = new Map<string, EmittedText>()
  return {
    addDelta(source, kind, text, context = {}) {
      if (text === '') return []
      emittedBy(source, kind, context)[kind] += text
      return [{type: `${kind}-delta`, text, ...context}]
    },
    addFull(source, kind, text, context = {}) {
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
