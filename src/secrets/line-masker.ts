import type {AgentEvent} from '../core/events/events.ts'
import {findJsonStrings, replaceJsonStrings} from './json-strings.ts'
import {maskField, maskSecrets} from './mask-secrets.ts'
import {createPieceMasker} from './delta-masker.ts'
import {createStreamMasker, type MaskedPiece} from './stream-masker.ts'

/** A line of an agent and its events, without secrets that arrive in pieces. */
export interface MaskedLine {
  /** The line without secrets, from its first 128 KiB; empty if not asked for. */
  raw: string
  /** The events. A secret that is whole in one of them is still there. */
  events: AgentEvent[]
}

/**
 * Masks secrets that span several lines of one stream. A line waits until its pieces of text cannot be part of a secret
 * any more, and lines keep their order. When a line is released depends on the lines alone.
 */
export interface LineMasker {
  /** Takes the next line. */
  push(raw: string, events: AgentEvent[], release: (line: MaskedLine) => void): void
  /** Runs once all lines so far are released. */
  after(run: () => void): void
  /** Releases all lines. `isCut`: the stream goes on out of sight, so what could begin a secret is masked. */
  settle(isCut?: boolean): void
}

interface Waiting {
  pieces: readonly MaskedPiece[]
  run(): void
}

/** Lines wait for each other up to this number of lines. */
const MAX_WAITING = 64
const MAX_RAW_LENGTH = 128 * 1024

/** Makes a masker for the lines of one stream. `hasRaw`: whether the text of lines is wanted, too. */
export function createLineMasker({hasRaw}: {hasRaw: boolean}): LineMasker {
  const texts = createPieceMasker()
  const strings = createPieceMasker()
  /** Lines that are no JSON: a private key has many of them. */
  const plain = createStreamMasker()
  const rawLines = createStreamMasker()
  let waiting: Waiting[] = []

  return {
    push(raw, events, release) {
      const eventPieces = events.map((event) => readPiece(event, raw))
      texts.endLine(events)
      const isRawShown = hasRaw || events.some(({type}) => type === 'unknown')
      const line = isRawShown ? maskRaw(raw, events) : {pieces: [], read: () => ''}
      const pieces = [...eventPieces.filter((piece) => piece !== undefined), ...line.pieces]
      const run = () => {
        const text = line.read()
        const shown = events.map((event, at) => withPiece(event, eventPieces[at], raw, text))
        release({raw: text, events: shown})
      }
      if (waiting.length === 0 && pieces.every(({isDecided}) => isDecided)) return run()
      waiting.push({pieces, run})
      if (waiting.length > MAX_WAITING) settle(false)
      else releaseDecided()
    },
    after(run) {
      if (waiting.length === 0) run()
      else waiting.push({pieces: [], run})
    },
    settle: (isCut = false) => settle(isCut),
  }

  function readPiece(event: AgentEvent, raw: string): MaskedPiece | undefined {
    switch (event.type) {
      case 'text':
        // A line of a program that is no known agent.
        return event.agent === '' ? plain.push(event.text) : undefined
      case 'malformed':
        return event.raw === raw ? plain.push(raw) : undefined
      default:
        return texts.pushEvent(event)
    }
  }

  function maskRaw(
    whole: string,
    events: readonly AgentEvent[],
  ): {pieces: readonly MaskedPiece[]; read(): string} {
    const raw = whole.slice(0, MAX_RAW_LENGTH)
    if (!/^\s*[{[]/.test(raw)) {
      const piece = rawLines.push(raw)
      return {pieces: [piece], read: () => maskSecrets(piece.text)}
    }
    const found = findJsonStrings(raw)
    const pieces = strings.pushStrings(raw, found, events)
    const read = () => {
      const masked = replaceJsonStrings(raw, found, ({value, path, isName, before}, at) => {
        const text = pieces.get(at)?.read() ?? value
        if (isName || text !== value) return maskSecrets(text)
        return maskField(
          /^--?[A-Za-z][\w-]{1,40}$/.test(before) ? before : (path.at(-1) ?? ''),
          text,
        )
      })
      return maskSecrets(masked)
    }
    return {pieces: [...pieces.values()].map(({piece}) => piece), read}
  }

  function settle(isCut: boolean): void {
    for (const masker of [texts, strings, plain, rawLines]) masker.settle(isCut)
    releaseDecided()
  }

  function releaseDecided(): void {
    const first = waiting.findIndex(({pieces}) => pieces.some(({isDecided}) => !isDecided))
    const ready = first === -1 ? waiting : waiting.slice(0, first)
    waiting = first === -1 ? [] : waiting.slice(first)
    for (const {run} of ready) run()
  }
}

function withPiece(
  event: AgentEvent,
  piece: MaskedPiece | undefined,
  raw: string,
  shown: string,
): AgentEvent {
  if (event.type === 'unknown') return event.raw === raw ? {...event, raw: shown} : event
  if (piece === undefined) return event
  if (event.type === 'malformed') return {...event, raw: piece.text}
  return 'text' in event && event.text !== piece.text ? {...event, text: piece.text} : event
}
