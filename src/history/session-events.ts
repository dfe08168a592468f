import type {Drift} from '../core/events/drift.ts'
import {createEventParser, type EventParser} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import type {TranscriptFormat, TranscriptSource} from '../core/events/transcript.ts'
import {openSessionReader, type SessionRecord} from './session-reader.ts'
import type {Session} from './sessions.ts'

/** Parses the records of a session into events. */
export interface SessionParser {
  parse(record: Omit<SessionRecord, 'key'>): AgentEvent[]
  readonly parser: EventParser
}

/** Creates the parser of a session. The times of its events are those of the records. */
export function createSessionParser(
  format: TranscriptFormat,
  first: TranscriptSource,
): SessionParser {
  let source = first
  let clock = 0
  const parser = createEventParser(
    {
      id: format.agent,
      kindOf: format.kindOf,
      shapes: format.shapes,
      createTranslator: (context) => format.createTranslator({...context, source: () => source}),
      announcesCalls: true,
    },
    {now: () => clock},
  )
  return {
    parser,
    parse(record) {
      source = record.source
      clock = record.at
      const {value, raw, flaw} = record
      return value === undefined ? parser.parse(raw, flaw) : parser.parseObject(value, raw)
    },
  }
}

/** Reads the events of a session as far as it is written. */
export function openSessionEvents(session: Pick<Session, 'transcripts'>) {
  const transcripts = session.transcripts.map(({transcript}) => transcript)
  const reader = openSessionReader(transcripts)
  let parser: SessionParser | undefined
  return {
    *read(): Generator<AgentEvent> {
      const format = transcripts[0]?.format
      if (format === undefined) return
      const parse = (record: SessionRecord) =>
        (parser ??= createSessionParser(format, record.source)).parse(record)
      try {
        for (let record = reader.next(); record !== undefined; record = reader.next()) {
          yield* parse(record)
        }
        for (const record of reader.end()) yield* parse(record)
        yield* parser?.parser.end() ?? []
      } finally {
        reader.close()
      }
    },
    drift: (): Drift[] => parser?.parser.drift() ?? [],
  }
}
