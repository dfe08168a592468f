import type {Adapter, Draft, OpenTool} from './adapter.ts'
import {createDriftCounter, type Drift} from './drift.ts'
import type {AgentEvent} from './events.ts'
import {isRecord, toText, type JsonObject} from './json.ts'
import {createLineDecoder, type Decoder, type LineOptions} from './lines.ts'
import {parseRecord, type LineRecord} from './records.ts'
import {createNoveltyFinder, type Novelty} from './shapes.ts'
import {summarize} from './summarize.ts'

/** How to read an agent's stream. */
export interface EventParserOptions {
  /**
   * The time of a line whose own time the agent does not tell, in milliseconds since 1970.
   *
   * @defaultValue `Date.now`
   */
  now?: (() => number) | undefined
}

/** How to read an agent's stream from bytes. */
export interface EventDecoderOptions extends EventParserOptions, LineOptions {}

/** Turns the lines of one agent's stream into events. */
export interface EventParser {
  /** The agent whose stream it reads. */
  readonly agent: string
  /** Reads the next line, with or without its newline. Never throws. */
  parse(line: string): AgentEvent[]
  /** Says that the stream is over and gives what was still open. */
  end(): AgentEvent[]
  /** What was new to this version so far. */
  drift(): Drift[]
}

/** Turns the bytes of one agent's stream into events. */
export interface EventDecoder extends Decoder<AgentEvent> {
  /** The agent whose stream it reads. */
  readonly agent: string
  /** What was new to this version so far. */
  drift(): Drift[]
}

/** Makes a parser for the stream of an agent, line by line. */
export function createEventParser(adapter: Adapter, options: EventParserOptions = {}): EventParser {
  const {read, end, drift} = createReader(adapter, options)
  return {agent: adapter.id, parse: (line) => read(parseRecord(line)), end, drift}
}

/** Makes a decoder for the stream of an agent, from bytes or text in any chunks. */
export function createEventDecoder(
  adapter: Adapter,
  options: EventDecoderOptions = {},
): EventDecoder {
  const reader = createReader(adapter, options)
  const lines = createLineDecoder((raw, flaw) => reader.read(parseRecord(raw, flaw)), options)
  return {
    agent: adapter.id,
    push: (chunk) => join(lines.push(chunk)),
    end: () => [...join(lines.end()), ...reader.end()],
    drift: reader.drift,
  }
}

function join(batches: AgentEvent[][]): AgentEvent[] {
  return batches.length === 1 ? (batches[0] ?? []) : batches.flat()
}

/** A tool that is open, and when it was called: by the agent's clock or by ours. */
interface Timed extends OpenTool {
  at: number
  told: boolean
}

/** So many tools that are done are remembered, for lines that tell of them again. */
const REMEMBERED = 1024

function createReader(adapter: Adapter, {now = Date.now}: EventParserOptions) {
  const agent = adapter.id
  const openTools = new Map<string, Timed>()
  let doneTools = new Set<string>()
  let version: string | undefined
  let line = 0
  /** When the current line was read, once somebody has asked. */
  let readAt: number | undefined
  let events: AgentEvent[] = []
  let raw: string | undefined
  let novel: string | undefined

  const counter = createDriftCounter(agent)
  const findNovelties = createNoveltyFinder(adapter.shapes, (novelty: Novelty) => {
    counter.count(novelty, line, version)
    if (novelty.kind !== 'field') novel = novelty.name
  })
  const translator = adapter.createTranslator({openTool: (toolId) => openTools.get(toolId)})

  return {read, end, drift: counter.list}

  function read(record: LineRecord): AgentEvent[] {
    line++
    readAt = undefined
    if (record.type === 'blank') return []
    events = []
    if (record.type === 'malformed') {
      const {raw: text, reason, size} = record
      add({type: 'malformed', raw: text, reason, size})
    } else if (Array.isArray(record.value)) {
      // The whole run in one list, as `--output-format json` of some agents prints it.
      for (const item of record.value) readValue(item, undefined)
    } else readValue(record.value, record.raw)
    return events
  }

  function readValue(value: unknown, text: string | undefined): void {
    raw = text
    if (!isRecord(value)) addUnknown(value, 'not an object')
    else readObject(value)
  }

  function readObject(value: JsonObject): void {
    const kind = adapter.kindOf(value)
    novel = undefined
    findNovelties(kind, value)
    if (adapter.shapes.has(kind)) for (const draft of translator.translate(value)) add(draft)
    if (novel !== undefined) addUnknown(value, novel)
  }

  function addUnknown(value: unknown, reason: string): void {
    add({type: 'unknown', raw: raw ?? toText(value), reason})
  }

  function end(): AgentEvent[] {
    events = []
    readAt = undefined
    for (const draft of translator.end?.() ?? []) add(draft)
    for (const toolId of openTools.keys()) {
      add({type: 'tool-end', toolId, ok: false, output: '', error: UNFINISHED})
    }
    return events
  }

  function add(draft: Draft): void {
    const told = draft.at !== undefined
    const at = draft.at ?? (readAt ??= now())
    if (draft.type === 'tool-start') {
      const {toolId, name, tool, input, parentToolId} = draft
      if (openTools.has(toolId) || doneTools.has(toolId)) return
      openTools.set(toolId, {name, tool, input, parentToolId, at, told})
      Object.assign(draft, {summary: summarize(tool, input)})
    } else if (draft.type === 'tool-end') {
      if (doneTools.has(draft.toolId)) return
      const start = openTools.get(draft.toolId)
      const took = start?.told === told ? at - start.at : 0
      close(draft.toolId)
      if (took > 0) draft.durationMs ??= took
      Object.assign(draft, {outputLength: draft.output.length})
    } else if (draft.type === 'session-start') {
      version = draft.agentVersion ?? version
      // Some agents count their tools anew in each session.
      doneTools = new Set()
    }
    events.push(Object.assign(draft, {line, at, agent}) as AgentEvent)
  }

  function close(toolId: string): void {
    openTools.delete(toolId)
    doneTools.add(toolId)
    if (doneTools.size > REMEMBERED)
      for (const oldest of doneTools) {
        doneTools.delete(oldest)
        break
      }
  }
}

const UNFINISHED = 'unfinished: the stream ended first'
