import type {Draft} from './adapter.ts'
import type {TextEvent} from './events.ts'

/** The text of an answer, or of its thinking. */
export type TextKind = 'text' | 'thinking'

/** Removes text that was already emitted as deltas, for agents that print deltas and then the full text. */
export interface TextDeduplicator {
  /** Starts a new block of text. `key` identifies its source, as several may print at the same time. */
  startBlock(key: string, kind: TextKind): void
  /** The next delta of the last block. */
  addDelta(key: string, kind: TextKind, text: string, context?: TextContext): Draft[]
  /** The full text of a block: emits the part that no delta contained. */
  addFull(key: string, kind: TextKind, text: string, context?: TextContext): Draft[]
  /** Drops the deltas of a source. */
  clear(key: string): void
}

/** Fields of the events that a text becomes. */
export interface TextContext {
  messageId?: string | undefined
  parentToolId?: string | undefined
  at?: number | undefined
}

/**
 * Creates a deduplicator. A full text that continues its deltas gives the rest; a different one is emitted in full, since
 * losing text is worse than repeating some.
 */
export function createTextDeduplicator(): TextDeduplicator {
  const sources = new Map<string, Record<TextKind, string[][]>>()
  return {
    startBlock(key, kind) {
      sourceOf(key)[kind].push([])
    },
    addDelta(key, kind, text, context) {
      if (text === '') return []
      const blocks = sourceOf(key)[kind]
      const block = blocks.at(-1)
      if (block === undefined) blocks.push([text])
      else block.push(text)
      return [createDraft(`${kind}-delta`, text, context)]
    },
    addFull(key, kind, text, context) {
      const blocks = sources.get(key)?.[kind]
      if (blocks === undefined) return text === '' ? [] : [createDraft(kind, text, context)]
      const emitted = blocks.map((block) => block.join(''))
      const index = emitted.findIndex((start) => start !== '' && text.startsWith(start))
      blocks.splice(0, index + 1)
      const rest = text.slice(emitted[index]?.length ?? 0)
      if (rest === '') return []
      return [createDraft(index === -1 ? kind : `${kind}-delta`, rest, context)]
    },
    clear: (key) => void sources.delete(key),
  }

  function sourceOf(key: string): Record<TextKind, string[][]> {
    const source = sources.get(key)
    if (source !== undefined) return source
    const created = {text: [], thinking: []}
    sources.set(key, created)
    return created
  }
}

/** Every line may create one; listing the fields takes a fraction of the time of spreading them. */
function createDraft(type: TextEvent['type'], text: string, context = NO_CONTEXT): Draft {
  const {messageId, parentToolId, at} = context
  return {type, text, messageId, parentToolId, at}
}

const NO_CONTEXT: TextContext = {}
