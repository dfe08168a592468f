import type {Draft} from './adapter.ts'
import type {TextEvent} from './events.ts'

/** What is said: aloud, or in thought. */
export type TextKind = 'text' | 'thinking'

/** Folds what comes twice, in pieces and then whole, into one. */
export interface TextDeduplicator {
  /** A new block of speech begins. `key` tells speakers apart that speak at the same time. */
  startBlock(key: string, speech: TextKind): void
  /** The next piece of the block that began last. */
  addDelta(key: string, speech: TextKind, text: string, about?: TextContext): Draft[]
  /** A block of speech as a whole: what its pieces have not said yet. */
  addFull(key: string, speech: TextKind, text: string, about?: TextContext): Draft[]
  /** Forgets the pieces of a speaker. */
  clear(key: string): void
}

/** What a block of speech belongs to. */
export interface TextContext {
  messageId?: string | undefined
  parentToolId?: string | undefined
  at?: number | undefined
}

/**
 * Makes a folder. A whole text that goes on where its pieces ended gives the rest; one that is
 * something else altogether is given whole, since losing text is worse than repeating some.
 */
export function createTextDeduplicator(): TextDeduplicator {
  const speakers = new Map<string, Record<TextKind, string[][]>>()
  return {
    startBlock(key, speech) {
      speakerOf(key)[speech].push([])
    },
    addDelta(key, speech, text, about) {
      if (text === '') return []
      const blocks = speakerOf(key)[speech]
      const block = blocks.at(-1)
      if (block === undefined) blocks.push([text])
      else block.push(text)
      return [say(`${speech}-delta`, text, about)]
    },
    addFull(key, speech, text, about) {
      const blocks = speakers.get(key)?.[speech]
      if (blocks === undefined) return text === '' ? [] : [say(speech, text, about)]
      const said = blocks.map((block) => block.join(''))
      const index = said.findIndex((start) => start !== '' && text.startsWith(start))
      blocks.splice(0, index + 1)
      const rest = text.slice(said[index]?.length ?? 0)
      if (rest === '') return []
      return [say(index === -1 ? speech : `${speech}-delta`, rest, about)]
    },
    clear: (key) => void speakers.delete(key),
  }

  function speakerOf(key: string): Record<TextKind, string[][]> {
    const speaker = speakers.get(key)
    if (speaker !== undefined) return speaker
    const fresh = {text: [], thinking: []}
    speakers.set(key, fresh)
    return fresh
  }
}

/** Every line may make one of these; naming the fields takes a fraction of spreading them. */
function say(type: TextEvent['type'], text: string, about: TextContext = NOTHING): Draft {
  const {messageId, parentToolId, at} = about
  return {type, text, messageId, parentToolId, at}
}

const NOTHING: TextContext = {}
