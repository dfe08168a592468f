import {afterAll, expect, test} from 'vitest'
import {transcriptFormats} from '../../src/agents/transcripts.ts'
import {createFacts, type TranscriptFormat} from '../../src/core/events/transcript.ts'
import {isRecord, type JsonObject} from '../../src/core/wire/json.ts'
import {createSessionParser} from '../../src/history/session-events.ts'
import {openSessionReader, type SessionRecord} from '../../src/history/session-reader.ts'
import {createHome, removeHome, scanHome} from '../support/transcripts.ts'

/** Sessions with the most kinds of records, per agent. */
const SESSIONS = 3
const MAX_RECORDS = 120
const MAX_DEPTH = 5

const homes: string[] = []
afterAll(() => {
  for (const home of homes) removeHome(home)
})

test.each(transcriptFormats.map((format) => [format.agent, format] as const))(
  'the format of %s reads records without any of their fields',
  (agent, format) => {
    const home = createHome(agent)
    homes.push(home)
    const sessions = scanHome(format, home)
      .map(({transcripts}) => readRecords(transcripts.map(({transcript}) => transcript)))
      .toSorted((one, other) => countKinds(format, other) - countKinds(format, one))
    for (const records of sessions.slice(0, SESSIONS)) {
      const seen = new Set<string>()
      for (const [index, {value}] of records.entries()) {
        if (value === undefined) continue
        for (const path of listPaths(value)) {
          const name = `${format.kindOf(value)} ${path.join('.')}`
          if (seen.has(name)) continue
          seen.add(name)
          const damaged = records.with(index, {
            ...records[index],
            value: without(value, path),
          } as SessionRecord)
          expect([name, readAll(format, damaged)]).toEqual([name, []])
        }
      }
    }
  },
)

function readRecords(transcripts: Parameters<typeof openSessionReader>[0]): SessionRecord[] {
  const reader = openSessionReader(transcripts)
  const records: SessionRecord[] = []
  for (let next = reader.next(); next !== undefined; next = reader.next()) records.push(next)
  reader.close()
  return records.slice(0, MAX_RECORDS)
}

function countKinds(format: TranscriptFormat, records: readonly SessionRecord[]): number {
  return new Set(records.map(({value}) => format.kindOf(value ?? {}))).size
}

/** Lists the paths of all fields; of a list only the first value has any. */
function listPaths(value: JsonObject, depth = 0): string[][] {
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = Array.isArray(field) ? field[0] : field
    const rest = Array.isArray(field) ? [name, '0'] : [name]
    const deeper =
      isRecord(inner) && depth < MAX_DEPTH
        ? listPaths(inner, depth + 1).map((path) => [...rest, ...path])
        : []
    return [[name], ...deeper]
  })
}

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? without(item, rest) : item))
  if (!isRecord(value)) return value
  if (rest.length > 0) return {...value, [name]: without(value[name], rest)}
  const {[name]: _, ...kept} = value
  return kept
}

/** Reads records as the list and the page of a session do; returns the problems. */
function readAll(format: TranscriptFormat, records: readonly SessionRecord[]): string[] {
  const problems: string[] = []
  const scanners = new Map<string, ReturnType<TranscriptFormat['createScanner']>>()
  const [first] = records
  if (first === undefined) return problems
  const parser = createSessionParser(format, first.source)
  for (const record of records) {
    const facts = createFacts()
    const scanner = scanners.get(record.key) ?? format.createScanner(facts, record.source)
    scanners.set(record.key, scanner)
    if (record.value !== undefined) scanner.read(record.value)
    for (const event of parser.parse(record)) {
      if (event.type === 'unknown' && event.reason === 'could not be read')
        problems.push(event.reason)
      if (event.type === 'usage' && Object.values(event.tokens).some((count) => (count ?? 0) < 0))
        problems.push(`tokens ${JSON.stringify(event.tokens)}`)
    }
  }
  parser.parser.end()
  return problems
}
