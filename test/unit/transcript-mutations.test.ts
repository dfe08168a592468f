import {readdirSync} from 'node:fs'
import fc from 'fast-check'
import {afterAll, describe, expect, test} from 'vitest'
import {findBrokenInvariant} from '../../scripts/fuzz/invariants.js'
import {transcriptFormats} from '../../src/agents/transcripts.ts'
import type {AgentEvent, Tokens} from '../../src/core/events/events.ts'
import {
  createFacts,
  type TranscriptFacts,
  type TranscriptFormat,
} from '../../src/core/events/transcript.ts'
import {addTokens, NO_TOKENS} from '../../src/core/run/ledger.ts'
import {discoverTranscripts} from '../../src/history/discover.ts'
import {decompressZstd, readCompleteFile} from '../../src/history/read-file.ts'
import {createSessionParser} from '../../src/history/session-events.ts'
import {createScan} from '../../src/history/scan.ts'
import {groupSessions, sumRequests, toScannedTranscript} from '../../src/history/sessions.ts'
import {openTranscriptSource, type OpenSource} from '../../src/history/source.ts'
import {pathOf, type Transcript} from '../../src/history/transcripts.ts'
import type {UsageRequest} from '../../src/history/usage/report.ts'
import {
  damageSource,
  LINE_DAMAGE,
  toLine,
  VALUE_DAMAGE,
  type Damage,
  type Line,
  type Place,
} from '../support/damage.ts'
import {createHome, removeHome, TRANSCRIPTS} from '../support/transcripts.ts'

/** The number of mutations of all agents together; set the variable for a long run. */
const RUNS = Number(process.env['TRANSCRIPT_MUTATIONS'] ?? 4000)
const MAX_BYTES = 40_000

/** A transcript in memory. */
interface Sample {
  transcript: Transcript
  source: OpenSource
  lines: readonly Line[]
  facts: TranscriptFacts
  /** The tokens of the `usage` events. */
  usage: Tokens
}

/** A blank line, or a list without records. */
const EMPTY = /^\s*(?:\[\s*\])?\s*$/

const homes: string[] = []
const samples = readdirSync(TRANSCRIPTS).flatMap((folder) => readSamples(folder))

afterAll(() => {
  for (const {source} of samples) source.close()
  for (const home of homes) removeHome(home)
})

describe.each(transcriptFormats)('the format of $agent', (format) => {
  const own = samples.filter(({transcript}) => transcript.format === format)
  const small = own.filter(({lines}) => sizeOf(lines) <= MAX_BYTES)
  const ofLines = small.filter(({transcript}) => transcript.file.storage === 'lines')
  const others = own.filter(({transcript}) => transcript.file.storage !== 'lines')
  const numRuns = Math.ceil(RUNS / transcriptFormats.length / 2)

  test.runIf(ofLines.length > 0)(
    'counts no more than before when lines are cut, doubled, swapped or missing',
    () => {
      const before = sumRequests(group(own))
      const found = findProblems(ofLines, LINE_DAMAGE, numRuns, (sample, lines) => {
        const facts = scan(format, sample.source, lines)
        const translated = translate(format, sample.source, lines)
        const problems = [...checkFacts(facts), ...translated.problems]
        problems.push(
          ...compare('sessions', sumRequests(group(withFacts(own, sample, facts))), before),
        )
        // A file whose lost lines name its origin has the requests of the origin, which count once in the total.
        if (sample.facts.forkedFrom !== undefined) return problems
        problems.push(
          ...compare('facts', sumRequests(facts.requests), sumRequests(sample.facts.requests)),
          ...compare('events', sumUsage(translated.events), sample.usage),
        )
        if (countCalls(facts) > countCalls(sample.facts)) problems.push('more tool calls')
        return problems
      })
      expect(found).toBeUndefined()
    },
  )

  test('keeps every line when values have wrong types', () => {
    const found = findProblems(small, VALUE_DAMAGE, numRuns, (sample, lines) => {
      const facts = scan(format, sample.source, lines)
      const changed = withFacts(own, sample, facts)
      const keys = new Set(changed.flatMap((one) => one.facts.requests.map(({key}) => key)))
      return [
        ...checkFacts(facts),
        ...translate(format, sample.source, lines).problems,
        // A file that names its session nowhere else belongs to none.
        ...(group(changed).length > countRequests([...keys]) ? ['a request of two sessions'] : []),
      ]
    })
    expect(found).toBeUndefined()
  })

  test.runIf(others.length > 0)('reads a damaged document or database', () => {
    const unchanged = {'of the source': (lines: readonly Line[]) => [...lines]}
    const found = findProblems(others, unchanged, numRuns, ({source}, _, place) => {
      const damaged = damageSource(source, place)
      const lines = [...(format.readRecords?.(damaged) ?? [])].map(toRecordLine)
      return [
        ...checkFacts(scan(format, damaged, lines)),
        ...translate(format, damaged, lines).problems,
      ]
    })
    expect(found).toBeUndefined()
  })

  test.runIf(ofLines.length > 0)('finds the same facts when a file is read in two parts', () => {
    for (const {source, lines, facts} of ofLines) {
      for (const at of lines.keys()) {
        const stored = store(scan(format, source, lines.slice(0, at)))
        const continued = scan(format, source, lines.slice(at), stored)
        expect({...store(continued), memory: {}}).toEqual({...store(facts), memory: {}})
      }
    }
  })
})

/** Tries random mutations, the same in every run of the test. Describes the problems of the simplest that has any. */
function findProblems(
  from: readonly Sample[],
  damages: Readonly<Record<string, Damage>>,
  numRuns: number,
  judge: (sample: Sample, lines: readonly Line[], place: Place) => string[],
): string | undefined {
  const property = fc.property(
    fc.nat(from.length - 1),
    fc.constantFrom(...Object.keys(damages)),
    fc.record({at: fc.nat(10_000), inLine: fc.nat(100_000), choice: fc.nat(1000)}),
    (index, name, {at, inLine, choice}) => {
      const sample = from[index]
      const damage = damages[name]
      if (sample === undefined || damage === undefined) throw new Error('no sample')
      const {lines, transcript} = sample
      const place = {at: at % Math.max(1, lines.length), inLine, choice}
      const problems = judge(sample, damage(lines, place), place)
      if (problems.length === 0) return
      const where = `${transcript.path}, line ${place.at + 1} ${name}`
      throw new Error(`${where}: ${problems.join('; ')}`)
    },
  )
  const {failed, errorInstance, counterexample} = fc.check(property, {numRuns, seed: 11})
  if (!failed) return undefined
  const text = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance)
  return `${JSON.stringify(counterexample)}: ${text}`
}

function scan(
  format: TranscriptFormat,
  source: OpenSource,
  lines: readonly Line[],
  facts = createFacts(),
): TranscriptFacts {
  const scanner = format.createScanner(facts, source)
  for (const {value} of lines) if (value !== undefined) scanner.read(value)
  return facts
}

/** Facts as they are stored between two scans. */
function store(facts: TranscriptFacts): TranscriptFacts {
  return JSON.parse(JSON.stringify(facts))
}

function checkFacts(facts: TranscriptFacts): string[] {
  const {requests, startedAt = 0, endedAt = 0} = facts
  const keys = new Set(requests.map(({key}) => key))
  const problems = requests.flatMap(({tokens, costUsd = 0, toolCount, at}) => [
    ...checkTokens(tokens),
    ...(isCount(toolCount) && isCount(costUsd) ? [] : ['an impossible count']),
    ...(Number.isFinite(at) ? [] : ['a request without a time']),
  ])
  if (keys.size < requests.length) problems.push('a request twice')
  if (!Number.isFinite(startedAt + endedAt)) problems.push('an impossible time')
  return problems
}

/** The events of lines, and what is wrong with them. */
function translate(
  format: TranscriptFormat,
  source: OpenSource,
  lines: readonly Line[],
): {events: AgentEvent[]; problems: string[]} {
  const {parse, parser} = createSessionParser(format, source)
  const problems: string[] = []
  let at = 0
  const events = lines.flatMap(({raw, value}) => {
    at = Math.max(at, (value === undefined ? undefined : format.timeOf(value)) ?? at)
    const added = parse({raw, value, at, source})
    const isKnown = value === undefined ? EMPTY.test(raw) : format.shapes.has(format.kindOf(value))
    const isReported = added.some(({type}) => type === 'unknown' || type === 'malformed')
    if (!isKnown && !isReported) problems.push(`no event of ${raw.slice(0, 80)}`)
    return added
  })
  events.push(...parser.end())
  for (const event of events) {
    // The parser reports an exception of a translator in this way.
    const isThrown = event.type === 'unknown' && event.reason === 'could not be read'
    if (isThrown) problems.push(`an exception for ${event.raw.slice(0, 80)}`)
    if (event.type === 'usage') problems.push(...checkTokens(event.tokens))
  }
  const broken = findBrokenInvariant(events, format.agent)
  return {events, problems: broken === undefined ? problems : [...problems, broken]}
}

/** The requests of all sessions. */
function group(all: readonly Sample[]): UsageRequest[] {
  const scanned = all.map(({transcript, facts}) =>
    toScannedTranscript(transcript, {...createScan(), facts}),
  )
  return groupSessions(scanned).flatMap(({requests}) => [...requests])
}

/** The number of requests with these keys: one without its second part is that of a complete key. */
function countRequests(keys: readonly string[]): number {
  const isCopy = (key: string) =>
    key.endsWith(' ') && keys.some((other) => other !== key && other.startsWith(key))
  return keys.filter((key) => !isCopy(key)).length
}

/** The samples with the facts of one of them replaced. */
function withFacts(all: readonly Sample[], changed: Sample, facts: TranscriptFacts): Sample[] {
  return all.map((sample) => (sample === changed ? {...sample, facts} : sample))
}

function checkTokens(tokens: Tokens): string[] {
  return Object.entries(tokens).flatMap(([kind, count]: [string, number | undefined]) =>
    count === undefined || isCount(count) ? [] : [`${count} tokens of ${kind}`],
  )
}

function isCount(count: number): boolean {
  return count >= 0 && count < Infinity
}

function compare(name: string, tokens: Tokens, before: Tokens): string[] {
  const kinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
  return kinds.flatMap((kind) =>
    tokens[kind] > before[kind]
      ? [`${name}: ${tokens[kind]} tokens of ${kind} instead of ${before[kind]}`]
      : [],
  )
}

function sumUsage(events: readonly AgentEvent[]): Tokens {
  const usage = events.flatMap((event) => (event.type === 'usage' ? [event.tokens] : []))
  return usage.reduce((sum, tokens) => addTokens(sum, tokens), NO_TOKENS)
}

function sizeOf(lines: readonly Line[]): number {
  return lines.reduce((sum, {raw}) => sum + raw.length, 0)
}

function countCalls({requests}: TranscriptFacts): number {
  return requests.reduce((sum, {toolCount}) => sum + toolCount, 0)
}

/** Reads the sessions in a folder of the fixtures. */
function readSamples(folder: string): Sample[] {
  const format = transcriptFormats.find(({agent}) => agent === folder.split('-')[0])
  if (format === undefined) return []
  const home = createHome(folder)
  homes.push(home)
  return discoverTranscripts([format], {home, env: {}}).transcripts.map((transcript) => {
    const source = openTranscriptSource(transcript)
    const lines = readTranscript(transcript, source)
    const facts = scan(format, source, lines)
    return {
      transcript,
      source,
      lines,
      facts,
      usage: sumUsage(translate(format, source, lines).events),
    }
  })
}

function readTranscript(transcript: Transcript, source: OpenSource): Line[] {
  const {format, file} = transcript
  if (file.storage !== 'lines') return [...(format.readRecords?.(source) ?? [])].map(toRecordLine)
  const bytes = readCompleteFile(pathOf(transcript))
  const text = file.compression === undefined ? bytes : decompressZstd(bytes)
  return text.toString('utf8').trimEnd().split('\n').map(toLine)
}

function toRecordLine(value: NonNullable<Line['value']>): Line {
  return {raw: JSON.stringify(value), value}
}
