import type {AgentEvent, TextEvent} from './events.ts'

/** Text or thinking that was emitted as deltas, joined. */
export interface JoinedText {
  /** The first delta. */
  event: TextEvent
  isThinking: boolean
  text: string
}

/**
 * Joins the deltas of each author. An author writes one text at a time: text or thinking, of one message. The caller
 * decides which other events complete it.
 */
export interface DeltaJoiner {
  /** Adds a delta. Returns the text before it when the delta starts another one. */
  add(event: TextEvent): JoinedText | undefined
  /** Completes the text of an author: the id of the call of a sub-agent, or `''` for the agent itself. */
  end(author: string): JoinedText | undefined
  /** Completes the texts of all authors. */
  endAll(): JoinedText[]
}

/**
 * Creates a joiner for the events of one run.
 *
 * @param maxLength - Length after which further deltas of a text are dropped.
 */
export function createDeltaJoiner(maxLength: number = Number.POSITIVE_INFINITY): DeltaJoiner {
  const pending = new Map<string, PendingText>()

  return {
    add(event) {
      const author = authorOf(event)
      const isThinking = event.type === 'thinking-delta'
      const open = pending.get(author)
      if (open?.isThinking === isThinking && open.event.messageId === event.messageId) {
        if (open.length < maxLength) open.deltas.push(event.text)
        open.length += event.text.length
        return undefined
      }
      const before = end(author)
      pending.set(author, {event, isThinking, deltas: [event.text], length: event.text.length})
      return before
    },
    end,
    endAll() {
      const texts = Array.from(pending.values(), toJoined)
      pending.clear()
      return texts
    },
  }

  function end(author: string): JoinedText | undefined {
    const open = pending.get(author)
    if (open === undefined) return undefined
    pending.delete(author)
    return toJoined(open)
  }
}

/** The author of an event: the id of the call of a sub-agent, or `''` for the agent itself. */
export function authorOf(event: AgentEvent): string {
  return 'parentToolId' in event ? (event.parentToolId ?? '') : ''
}

interface PendingText {
  event: TextEvent
  isThinking: boolean
  deltas: string[]
  length: number
}

function toJoined({event, isThinking, deltas}: PendingText): JoinedText {
  return {event, isThinking, text: deltas.join('')}
}
