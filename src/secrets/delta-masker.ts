import type {AgentEvent} from '../core/events/events.ts'
import type {JsonString} from './json-strings.ts'
import {createStreamMasker, type MaskedPiece, type StreamMasker} from './stream-masker.ts'

/** Masks the pieces of many texts at once: of messages, of tool output, of strings at one place of many lines. */
export interface PieceMasker {
  /** Takes the piece of a text that an event holds, if it holds one. */
  pushEvent(event: AgentEvent): MaskedPiece | undefined
  /** Says that all events of a line were taken. */
  endLine(events: readonly AgentEvent[]): void
  /** Takes the strings of a line that may be pieces, by their index. */
  pushStrings(
    raw: string,
    strings: readonly JsonString[],
    events: readonly AgentEvent[],
  ): Map<number, StringPiece>
  settle(isCut: boolean): void
}

/** A string that may be a piece. */
interface StringPiece {
  piece: MaskedPiece
  /** What the string says without its part of a secret. */
  read(): string
}

/** One text that arrives in pieces. */
interface Joined {
  masker: StreamMasker
  messageId: string | undefined
}

const MAX_TEXTS = 256
/** Lines that bring a piece of a text say so in the name of a field or in a type. */
const PIECE_LINE =
  /"\w{0,40}(?:delta|chunk|partial)\w{0,20}"\s*:|ype"\s*:\s*"[\w./-]{0,60}(?:delta|chunk|partial|update)/i
/** Strings that are no text of the agent, and name the text that a piece belongs to. */
const ID_NAME = /(?:^|_)id$|Id$|[iI]ndex$/
const OWN_ID = /^(?:id|uuid|parentId|event_?id|request_?id)$/i
const NO_TEXT = /^(?:type|subtype|role|status|model|name|kind|timestamp|uuid|version|stop_reason)$/

/** Makes a masker for texts in pieces. Memory is bounded. */
export function createPieceMasker(): PieceMasker {
  const texts = new Map<string, Joined>()
  /** The texts that the last line brought a piece of, and those of this one. */
  let lastFed = new Set<string>()
  let fed = new Set<string>()

  return {
    pushEvent(event) {
      switch (event.type) {
        case 'text-delta':
        case 'thinking-delta': {
          const {type, parentToolId = '', messageId, text} = event
          const other = type === 'text-delta' ? 'thinking-delta' : 'text-delta'
          texts.get(`${other} ${parentToolId}`)?.masker.settle()
          return push(`${type} ${parentToolId}`, text, messageId)
        }
        case 'tool-update':
          return event.text === undefined ? undefined : push(`tool ${event.toolId}`, event.text)
        case 'tool-end':
          texts.get(`tool ${event.toolId}`)?.masker.settle()
          texts.delete(`tool ${event.toolId}`)
          return undefined
        default:
          return undefined
      }
    },
    endLine(events) {
      if (events.some(endsTexts)) settle(false)
      // A line without an event says that a block is over, most often.
      else if (events.length === 0) for (const key of lastFed) texts.get(key)?.masker.settle()
      lastFed = fed
      fed = new Set()
    },
    pushStrings(raw, strings, events) {
      const pieces = new Map<number, StringPiece>()
      if (!PIECE_LINE.test(raw) && !events.some(isPiece)) {
        settle(false)
        return pieces
      }
      const ids = strings.filter(isId).map(({value}) => value)
      for (const [index, string] of strings.entries()) {
        const name = string.path.at(-1) ?? ''
        if (string.isName || ID_NAME.test(name) || NO_TEXT.test(name)) continue
        const key = JSON.stringify([string.path, ids])
        const decoded = name === 'chunk' ? decodeBase64(string.value) : undefined
        const piece = push(key, decoded ?? string.value)
        const read = () => {
          if (decoded === undefined) return piece.text
          return piece.text === decoded ? string.value : encodeBase64(piece.text)
        }
        pieces.set(index, {piece, read})
      }
      return pieces
    },
    settle,
  }

  function push(key: string, text: string, messageId?: string): MaskedPiece {
    fed.add(key)
    const known = texts.get(key)
    if (known !== undefined && known.messageId === messageId) return known.masker.push(text)
    known?.masker.settle()
    texts.delete(key)
    const masker = createStreamMasker()
    texts.set(key, {masker, messageId})
    for (const [oldest, joined] of texts) {
      if (texts.size <= MAX_TEXTS) break
      joined.masker.settle()
      texts.delete(oldest)
    }
    return masker.push(text)
  }

  function settle(isCut: boolean): void {
    for (const {masker} of texts.values()) masker.settle(isCut)
  }
}

function isPiece({type}: AgentEvent): boolean {
  return type === 'text-delta' || type === 'thinking-delta' || type === 'tool-update'
}

/** Whether what was said before an event is complete. */
function endsTexts(event: AgentEvent): boolean {
  switch (event.type) {
    case 'usage':
    case 'status':
    case 'unknown':
    case 'malformed':
    case 'file-change':
    case 'plan':
      return false
    default:
      return !isPiece(event)
  }
}

function isId({isName, path}: JsonString): boolean {
  const name = path.at(-1) ?? ''
  return !isName && ID_NAME.test(name) && !(path.length === 1 && OWN_ID.test(name))
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

function decodeBase64(text: string): string | undefined {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}

function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
