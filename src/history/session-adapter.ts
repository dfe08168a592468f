import {join} from 'node:path'
import {findAgent} from '../agents/find-agent.ts'
import {transcriptFormats} from '../agents/transcripts.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {withField} from '../core/events/shapes.ts'
import type {TranscriptFile, TranscriptFormat} from '../core/events/transcript.ts'
import {readTextFile} from './read-file.ts'
import {openTranscriptSource, type OpenSource} from './source.ts'

/** The field of a record that names its transcript by number; records of the first transcript have none. */
const TRANSCRIPT_FIELD = 'vitrine:transcript'

/** A transcript in the list of a copied session. */
export interface ListedTranscript {
  root: string
  path: string
  file: TranscriptFile
  sessionId?: string | undefined
}

const NUMBER = new RegExp(`^\\s*\\{"${TRANSCRIPT_FIELD}":(\\d+)[,}]`)

/** Adds the number of a transcript to the line of a record. */
export function numberLine(line: string, number: number): string {
  return line.replace(/\{(\s*\})?/, (_, end?: string) => {
    return `{"${TRANSCRIPT_FIELD}":${number}${end === undefined ? ',' : '}'}`
  })
}

/** The number of the transcript of a copied line. */
export function readNumber(line: string): number {
  return Number(NUMBER.exec(line)?.[1] ?? 0)
}

/** The path of the list of transcripts in the folder of a copied session. */
export function transcriptListOf(dir: string): string {
  return join(dir, 'transcripts.json')
}

/** The adapter for the copy of a session; `null` if the agent is unknown. */
export function findSessionAdapter(agent: string | null, dir: string): Adapter | null {
  const format = transcriptFormats.find((known) => known.agent === agent)
  const base = findAgent(agent ?? '')
  return format === undefined || base === null ? null : createSessionAdapter(format, base, dir)
}

function createSessionAdapter(format: TranscriptFormat, base: Adapter, dir: string): Adapter {
  return {
    ...base,
    // The title is not known when the copy begins, and messages must be the same on every read.
    isSession: true,
    announcesCalls: true,
    kindOf: format.kindOf,
    shapes: withField(format.shapes, TRANSCRIPT_FIELD),
    createTranslator(context) {
      const sources: OpenSource[] = []
      let current = 0
      const source = () => {
        if (sources[current] === undefined) openNew(sources)
        return sources[current] ?? openTranscriptSource(NOTHING)
      }
      const translator = format.createTranslator({...context, source})
      return {
        ...translator,
        translate(record) {
          const number = record[TRANSCRIPT_FIELD]
          current = typeof number === 'number' ? number : 0
          return translator.translate(record)
        },
      }
    },
  }

  /** Transcripts of new sub-agents are added to the list. */
  function openNew(sources: OpenSource[]): void {
    // A session of another machine comes without the list.
    const text = readTextFile(transcriptListOf(dir)) ?? '[]'
    for (const transcript of (JSON.parse(text) as ListedTranscript[]).slice(sources.length)) {
      sources.push(openTranscriptSource(transcript))
    }
  }
}

const NOTHING: ListedTranscript = {root: '', path: '', file: {storage: 'lines'}}
