import type {AgentEvent} from '../core/events/events.ts'
import {findJsonStrings, replaceJsonStrings} from './json-strings.ts'
import {flagIn, maskField, maskSecrets} from './mask-secrets.ts'
import {createDeltaMasker} from './delta-masker.ts'
import {createStreamMasker, type MaskedDelta} from './stream-masker.ts'

/** A line and its events, with secrets that span several deltas masked. */
export interface MaskedLine {
  /** The first 128 KiB of the line, masked; empty unless requested. */
  raw: string
  /** The events. A secret that is complete within one event is not masked yet. */
  events: AgentEvent[]
}

/**
 * Masks secrets that span several lines of one stream. A line is held until its deltas can no longer be part of a
 * secret; lines keep their order. The time of release is a function of the lines alone.
 */
export interface LineMasker {
  /** Adds the next line; calls `release` when it is masked. */
  push(raw: string, events: AgentEvent[], release: (line: MaskedLine) => void): void
  /** Runs once all lines so far are released. */
  after(run: () => void): void
  /** Releases all lines. `isCut`: the stream continues elsewhere, so a tail that could start a secret is masked. */
  flush(isCut?: boolean): void
}

interface PendingLine {
  deltas: readonly MaskedDelta[]
  run(): void
}

/** How many lines are held at most. */
const MAX_PENDING_LINES = 64
const MAX_RAW_LENGTH = 128 * 1024

/** Creates a masker for the lines of one stream. `hasRaw`: whether the text of lines is needed too. */
export function createLineMasker({hasRaw}: {hasRaw: boolean}): LineMasker {
  const texts = createDeltaMasker()
  const strings = createDeltaMasker()
  /** Lines that are not JSON, such as those of a private key. */
  const plain = createStreamMasker()
  const rawLines = createStreamMasker()
  let pending: PendingLine[] = []

  return {
    push(raw, events, release) {
      const eventDeltas = events.map((event) => readDelta(event, raw))
      texts.endLine(events)
      const isRawShown = hasRaw || events.some(({type}) => type === 'unknown')
      const line = isRawShown ? maskRaw(raw, events) : {deltas: [], read: () => ''}
      const deltas = [...eventDeltas.filter((delta) => delta !== undefined), ...line.deltas]
      const run = () => {
        const text = line.read()
        const shown = events.map((event, at) => withDelta(event, eventDeltas[at], raw, text))
        release({raw: text, events: shown})
      }
      if (pending.length === 0 && deltas.every(({isFinal}) => isFinal)) return run()
      pending.push({deltas, run})
      if (pending.length > MAX_PENDING_LINES) settle(false)
      else releaseFinal()
    },
    after(run) {
      if (pending.length === 0) run()
      else pending.push({deltas: [], run})
    },
    flush: (isCut = false) => settle(isCut),
  }

  function readDelta(event: AgentEvent, raw: string): MaskedDelta | undefined {
    switch (event.type) {
      case 'text':
        // A line of an unknown agent.
        return event.agent === '' ? plain.push(event.text) : undefined
      case 'malformed':
        return event.raw === raw ? plain.push(raw) : undefined
      default:
        return texts.pushEvent(event)
    }
  }

  function maskRaw(
    line: string,
    events: readonly AgentEvent[],
  ): {deltas: readonly MaskedDelta[]; read(): string} {
    const raw = line.slice(0, MAX_RAW_LENGTH)
    if (!/^\s*[{[]/.test(raw)) {
      const delta = rawLines.push(raw)
      return {deltas: [delta], read: () => maskSecrets(delta.text)}
    }
    const found = findJsonStrings(raw)
    const deltas = strings.pushStrings(raw, found, events)
    const read = () => {
      const masked = replaceJsonStrings(raw, found, ({value, path, isName, before}, at) => {
        const text = deltas.get(at)?.read() ?? value
        if (isName || text !== value) return maskSecrets(text)
        return maskField(flagIn(before) || (path.at(-1) ?? ''), text)
      })
      return maskSecrets(masked)
    }
    return {deltas: [...deltas.values()].map(({delta}) => delta), read}
  }

  function settle(isCut: boolean): void {
    for (const masker of [texts, strings, plain, rawLines]) masker.flush(isCut)
    releaseFinal()
  }

  function releaseFinal(): void {
    const first = pending.findIndex(({deltas}) => deltas.some(({isFinal}) => !isFinal))
    const ready = first === -1 ? pending : pending.slice(0, first)
    pending = first === -1 ? [] : pending.slice(first)
    for (const {run} of ready) run()
  }
}

function withDelta(
  event: AgentEvent,
  delta: MaskedDelta | undefined,
  raw: string,
  shown: string,
): AgentEvent {
  if (event.type === 'unknown') return event.raw === raw ? {...event, raw: shown} : event
  if (delta === undefined) return event
  if (event.type === 'malformed') return {...event, raw: delta.text}
  return 'text' in event && event.text !== delta.text ? {...event, text: delta.text} : event
}
