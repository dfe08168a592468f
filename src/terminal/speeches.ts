import type {AgentEvent, TextEvent} from '../core/events/events.ts'

/** What was said or thought in pieces, by the agent or under one of its calls. */
export interface Speech {
  /** The first piece. */
  event: TextEvent
  isThought: boolean
  text: string
  parent: string | undefined
}

/** Puts together what is said in pieces. */
export interface Speeches {
  /** Takes an event: a piece, or something that shows that what was said is whole. */
  hear(event: AgentEvent): void
  /** Nothing more will be said. */
  end(): void
}

/** Makes what tells speeches when they are whole; of each at least so many characters, where there are so many. */
export function createSpeeches(mostSeen: number, tell: (speech: Speech) => void): Speeches {
  const open = new Map<string, Speech>()

  return {
    hear(event) {
      if (event.type === 'text-delta' || event.type === 'thinking-delta') return hearPiece(event)
      if (!ENDINGS.has(event.type)) return
      endOf('parentToolId' in event ? (event.parentToolId ?? '') : '')
      if (event.type === 'tool-end') endOf(event.toolId)
      if (event.type === 'turn-end') end()
    },
    end,
  }

  function hearPiece(event: TextEvent): void {
    const {messageId, text} = event
    const speaker = event.parentToolId ?? ''
    const isThought = event.type === 'thinking-delta'
    const speech = open.get(speaker)
    const isSame = speech?.isThought === isThought && speech.event.messageId === messageId
    if (speech !== undefined && isSame) {
      if (speech.text.length < mostSeen) speech.text += text
      return
    }
    endOf(speaker)
    open.set(speaker, {event, isThought, text, parent: speaker || undefined})
  }

  function end(): void {
    for (const speaker of open.keys()) endOf(speaker)
  }

  function endOf(speaker: string): void {
    const speech = open.get(speaker)
    if (speech === undefined) return
    open.delete(speaker)
    tell(speech)
  }
}

/** Events that come after what was said, and show that it is whole. */
const ENDINGS = new Set<AgentEvent['type']>([
  'session-start',
  'text',
  'thinking',
  'tool-start',
  'tool-end',
  'plan',
  'permission-request',
  'status',
  'turn-end',
])
