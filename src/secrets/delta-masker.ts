import type {AgentEvent} from '../core/events/events.ts'
import type {JsonString} from './json-strings.ts'
import {createStreamMasker, type MaskedDelta, type StreamMasker} from './stream-masker.ts'

/** Masks the deltas of several interleaved texts: messages, tool output, strings at the same path of many lines. */
export interface DeltaMasker {
  /** Adds the delta in an event, if it has one. */
  pushEvent(event: AgentEvent): MaskedDelta | undefined
  /** Marks the end of a line, after all its events. */
  endLine(events: readonly AgentEvent[]): void
  /** Adds the strings of a line that may be deltas; returned by index. */
  pushStrings(
    raw: string,
    strings: readonly JsonString[],
    events: readonly AgentEvent[],
  ): Map<number, StringDelta>
  flush(isCut: boolean): void
}

/** A string of a line that may be a delta. */
interface StringDelta {
  delta: MaskedDelta
  /** The string without its part of a secret. */
  read(): string
}

/** One text received as deltas. */
interface PendingText {
  masker: StreamMasker
  messageId: string | undefined
}

const MAX_TEXTS = 256
/** Matches lines with a delta, by a field name or a type. */
const DELTA_LINE =
  /"\w{0,40}(?:delta|chunk|partial)\w{0,20}"\s*:|ype"\s*:\s*"[\w./-]{0,60}(?:delta|chunk|partial|update)/i
/** Field names of ids, which identify the text that a delta belongs to. */
const ID_NAME = /(?:^|_)id$|Id$|[iI]ndex$/
const OWN_ID = /^(?:id|uuid|parentId|event_?id|request_?id)$/i
const NO_TEXT = /^(?:type|subtype|role|status|model|name|kind|timestamp|uuid|version|stop_reason)$/

/** Creates a masker for texts received as deltas. Memory is bounded. */
export function createDeltaMasker(): DeltaMasker {
  const texts = new Map<string, PendingText>()
  /** The texts with a delta in the previous line and in the current one. */
  let previousLineKeys = new Set<string>()
  let lineKeys = new Set<string>()

  return {
    pushEvent(event) {
      switch (event.type) {
        case 'text-delta':
        case 'thinking-delta': {
          const {type, parentToolId = '', messageId, text} = event
          const other = type === 'text-delta' ? 'thinking-delta' : 'text-delta'
          texts.get(`${other} ${parentToolId}`)?.masker.flush()
          return push(`${type} ${parentToolId}`, text, messageId)
        }
        case 'tool-update':
          return event.text === undefined ? undefined : push(`tool ${event.toolId}`, event.text)
        case 'tool-end':
          texts.get(`tool ${event.toolId}`)?.masker.flush()
          texts.delete(`tool ${event.toolId}`)
          return undefined
        default:
          return undefined
      }
    },
    endLine(events) {
      if (events.some(endsTexts)) settle(false)
      // A line without an event usually ends a block.
      else if (events.length === 0)
        for (const key of previousLineKeys) texts.get(key)?.masker.flush()
      previousLineKeys = lineKeys
      lineKeys = new Set()
    },
    pushStrings(raw, strings, events) {
      const deltas = new Map<number, StringDelta>()
      if (!DELTA_LINE.test(raw) && !events.some(isDelta)) {
        settle(false)
        return deltas
      }
      const ids = strings.filter(isId).map(({value}) => value)
      for (const [index, string] of strings.entries()) {
        const name = string.path.at(-1) ?? ''
        if (string.isName || ID_NAME.test(name) || NO_TEXT.test(name)) continue
        const key = JSON.stringify([string.path, ids])
        const decoded = name === 'chunk' ? decodeBase64(string.value) : undefined
        const delta = push(key, decoded ?? string.value)
        const read = () => {
          if (decoded === undefined) return delta.text
          return delta.text === decoded ? string.value : encodeBase64(delta.text)
        }
        deltas.set(index, {delta, read})
      }
      return deltas
    },
    flush: settle,
  }

  function push(key: string, text: string, messageId?: string): MaskedDelta {
    lineKeys.add(key)
    const known = texts.get(key)
    if (known !== undefined && known.messageId === messageId) return known.masker.push(text)
    known?.masker.flush()
    texts.delete(key)
    const masker = createStreamMasker()
    texts.set(key, {masker, messageId})
    for (const [oldest, joined] of texts) {
      if (texts.size <= MAX_TEXTS) break
      joined.masker.flush()
      texts.delete(oldest)
    }
    return masker.push(text)
  }

  function settle(isCut: boolean): void {
    for (const {masker} of texts.values()) masker.flush(isCut)
  }
}

function isDelta({type}: AgentEvent): boolean {
  return type === 'text-delta' || type === 'thinking-delta' || type === 'tool-update'
}

/** Whether an event completes the texts before it. */
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
      return !isDelta(event)
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
