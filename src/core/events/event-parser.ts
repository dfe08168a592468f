import type {Adapter, Draft, OpenTool, PendingUsage} from './adapter.ts'
import {createDriftCounter, type Drift} from './drift.ts'
import type {AgentEvent, McpServerState} from './events.ts'
import {isRecord, toText, type JsonObject} from '../wire/json.ts'
import {createLineDecoder, type Decoder, type LineFlaw, type LineOptions} from '../wire/lines.ts'
import {describeMcpTrouble} from './mcp-failures.ts'
import {normalizePath} from '../text/normalize-path.ts'
import {parseRecord, type LineRecord} from '../wire/records.ts'
import {findDrift, isKnown} from './shapes.ts'
import {summarize} from './summarize.ts'

/** How to read an agent's stream. */
export interface EventParserOptions {
  /**
   * The time of a line without a timestamp of its own, in milliseconds since 1970.
   *
   * @defaultValue `Date.now`
   */
  now?: (() => number) | undefined
}

/** How to read an agent's stream from bytes. */
export interface EventDecoderOptions extends EventParserOptions, LineOptions {}

/** The part of an adapter that reads records: of its output, or of the files with its sessions. */
export type RecordFormat = Pick<
  Adapter,
  'id' | 'kindOf' | 'shapes' | 'createTranslator' | 'announcesCalls'
>

/** Turns the lines of one agent's stream into events. */
export interface EventParser {
  /** The agent of the stream. */
  readonly agent: string
  /**
   * Parses the next line, with or without its newline. Never throws.
   *
   * @param flaw - Why the text is not exact, as {@link createLineDecoder} reports it.
   */
  parse(line: string, flaw?: LineFlaw): AgentEvent[]
  /** Parses the object of the next line, which the caller has parsed. */
  parseObject(value: JsonObject, line: string): AgentEvent[]
  /** The kind of the last line, such as `system/init`; empty when it is not an object. */
  readonly kind: string
  /** Ends the stream and returns the remaining events. */
  end(): AgentEvent[]
  /**
   * Usage since the last `usage` event, estimated from the stream and usually too low; `undefined` when nothing is pending,
   * and for agents that report all usage at once. {@link withPendingUsage} adds it to a ledger.
   */
  readonly pendingUsage: PendingUsage | undefined
  /** Estimated usage of each sub-agent so far, by the id of the call that started it. Empty when the stream has no figures. */
  readonly subAgentUsage: ReadonlyMap<string, PendingUsage>
  /** The drift so far. */
  drift(): Drift[]
}

/** Turns the bytes of one agent's stream into events. */
export interface EventDecoder extends EventParser, Decoder<AgentEvent> {
  /** Number of lines so far. */
  readonly lineCount: number
  /** Number of records with drift. */
  readonly driftCount: number
}

/** Creates a parser for the stream of an agent, line by line. */
export function createEventParser(
  adapter: RecordFormat,
  options?: EventParserOptions,
): EventParser {
  return createEventDecoder(adapter, options)
}

/** An open tool, and when it was called. */
interface TimedTool extends OpenTool {
  at: number
  /** Whether the time is by the clock of the agent, not by ours. */
  isAgentTime: boolean
  /** Whether another call of the same source was open at the same time, which makes the duration an upper bound. */
  isParallel: boolean
  messageId: string | undefined
}

/** Fields that the parser adds to a draft to make it an event. */
interface Stamp {
  line?: number
  at?: number | undefined
  agent?: string
  outputLength?: number
}

/** How many ended tools to remember, to drop lines that repeat them. */
const MAX_ENDED_TOOLS = 1024

/** Creates a decoder for the stream of an agent, from bytes or text in any chunks. */
export function createEventDecoder(
  adapter: RecordFormat,
  options: EventDecoderOptions = {},
): EventDecoder {
  const {now = Date.now} = options
  const agent = adapter.id
  const openTools = new Map<string, TimedTool>()
  const endedTools = new Set<string>()
  let sessionId: string | undefined
  let driftCount = 0
  let lastDrift: unknown
  let version: string | undefined
  let mcpTrouble: string | undefined
  /** The message of the call that ended last. */
  let endedMessageId: string | undefined
  let line = 0
  let kind = ''
  /** When the current line was read; set on first use. */
  let readAt: number | undefined
  let events: AgentEvent[] = []
  const counter = createDriftCounter(agent)
  const {shapes, kindOf} = adapter
  const translator = adapter.createTranslator({openTool: (toolId) => openTools.get(toolId)})
  const {translate} = translator
  const lines = createLineDecoder(readLine, options)

  return {
    agent,
    parse(raw, flaw) {
      readLine(raw, flaw)
      return take()
    },
    parseObject(value, raw) {
      line++
      readAt = undefined
      readObject(value, raw)
      return take()
    },
    push(chunk) {
      lines.push(chunk)
      return take()
    },
    end() {
      lines.end()
      readAt = undefined
      for (const draft of translator.end?.() ?? []) add(draft)
      endOpenTools()
      return take()
    },
    get kind() {
      return kind
    },
    get lineCount() {
      return line
    },
    get driftCount() {
      return driftCount
    },
    get pendingUsage() {
      return translator.pendingUsage?.()
    },
    get subAgentUsage() {
      return translator.subAgentUsage?.() ?? new Map()
    },
    drift: counter.list,
  }

  /** The events since the last call. */
  function take(): AgentEvent[] {
    const taken = events
    events = []
    return taken
  }

  /** Fast path: nearly every line is an object, which needs no record. */
  function readLine(raw: string, flaw?: LineFlaw): void {
    const value = flaw === undefined ? toObject(raw) : undefined
    line++
    readAt = undefined
    if (value === undefined) readRecord(parseRecord(raw, flaw))
    else readObject(value, raw)
  }

  function readRecord(record: LineRecord): void {
    kind = ''
    if (record.type === 'blank') return
    if (record.type === 'malformed') {
      const {raw, reason, size} = record
      add({type: 'malformed', raw, reason, size})
    } else if (Array.isArray(record.value)) {
      // The complete run in one list, as `--output-format json` of some agents prints it.
      for (const item of record.value) readValue(item, undefined)
    } else readValue(record.value, record.raw)
  }

  function readValue(value: unknown, raw: string | undefined): void {
    if (!isRecord(value)) {
      markDrift(value)
      counter.count({kind: 'type', name: '(not an object)'}, line, version)
      return addUnknown(value, raw, 'not an object')
    }
    readObject(value, raw)
  }

  function readObject(value: JsonObject, raw: string | undefined): void {
    kind = kindOf(value)
    const shape = shapes.get(kind)
    if (shape !== undefined) {
      const reason = tryTranslate(value, raw)
      if (reason !== undefined) addUnknown(value, raw, reason)
      if (isKnown(value, shape)) return
    }
    markDrift(value)
    const items = findDrift(shapes, kind, value)
    for (const item of items) counter.count(item, line, version)
    const part = items.find((item) => item.kind !== 'field')
    if (part !== undefined) addUnknown(value, raw, part.name)
  }

  /** A translator must not throw; if one does, the line is kept and parsing continues. */
  function tryTranslate(value: JsonObject, raw: string | undefined): string | undefined {
    try {
      for (const draft of translate(value)) {
        if (draft.type === 'unknown') addIncomplete(value, raw, draft.reason ?? '')
        else add(draft)
      }
      return undefined
    } catch {
      return 'could not be read'
    }
  }

  function markDrift(value: unknown): void {
    if (value === lastDrift) return
    lastDrift = value
    driftCount++
  }

  function addIncomplete(value: unknown, raw: string | undefined, reason: string): void {
    markDrift(value)
    counter.count({kind: 'block', name: reason}, line, version)
    addUnknown(value, raw, reason)
  }

  function addUnknown(value: unknown, raw: string | undefined, reason: string): void {
    add({type: 'unknown', raw: raw ?? toText(value), reason})
  }

  function add(draft: Draft): void {
    const stamp: Stamp = draft
    const isAgentTime = draft.at !== undefined
    const at = draft.at ?? (readAt ??= now())
    if (draft.type === 'tool-start') {
      const {toolId, name, tool, input, parentToolId} = draft
      if (openTools.has(toolId) || endedTools.has(toolId)) return
      const isParallel = markParallel(parentToolId)
      const {messageId} = draft
      delete draft.messageId
      if (messageId !== undefined && messageId === endedMessageId) draft.isSameAnswer = true
      const started = {name, tool, input, parentToolId, at, isAgentTime, isParallel, messageId}
      openTools.set(toolId, started)
      draft.summary ??= summarize(tool, input)
    } else if (draft.type === 'tool-end') {
      if (endedTools.has(draft.toolId)) return
      const start = openTools.get(draft.toolId)
      const took = start?.isAgentTime === isAgentTime ? at - start.at : 0
      endedMessageId = start?.messageId ?? endedMessageId
      close(draft.toolId)
      if (took > 0 && start?.isParallel !== true) draft.durationMs ??= took
      else if (took > 0 && draft.durationMs === undefined) draft.maxDurationMs = took
      stamp.outputLength = draft.output.length
    } else if (draft.type === 'file-change' || draft.type === 'tool-update') {
      // A repeated report of an ended tool.
      if (draft.toolId !== undefined && endedTools.has(draft.toolId)) return
      if (draft.type === 'file-change') draft.path = normalizePath(draft.path)
    } else if (draft.type === 'session-start') startSession(draft)
    else if (draft.type === 'status') setUntil(draft, at)
    stamp.line = line
    stamp.at = at
    stamp.agent = agent
    events.push(draft as AgentEvent)
    if (draft.type === 'session-start') warnOfServers(draft.mcpServers)
  }

  /** Warns once, as agents repeat the state of their servers in every turn. */
  function warnOfServers(servers: McpServerState[] | undefined): void {
    const detail = describeMcpTrouble(servers)
    if (detail === mcpTrouble) return
    mcpTrouble = detail
    if (detail !== undefined) add({type: 'status', status: 'warning', detail})
  }

  /** Marks the open calls of a source that starts another one. Returns whether there are any. */
  function markParallel(parentToolId: string | undefined): boolean {
    if (adapter.announcesCalls !== true) return false
    let isParallel = false
    for (const tool of openTools.values()) {
      if (tool.parentToolId !== parentToolId) continue
      tool.isParallel = true
      isParallel = true
    }
    return isParallel
  }

  function setUntil(draft: Draft & {type: 'status'}, at: number): void {
    const {delayMs} = draft
    delete draft.delayMs
    if (Number.isNaN(at) || delayMs === undefined) return
    if (delayMs >= 0 && delayMs <= MAX_DELAY_MS) draft.until = Math.round(at + delayMs)
  }

  /** Another session may use ids of earlier tools again. */
  function startSession(draft: Draft & {type: 'session-start'}): void {
    version = draft.agentVersion ?? version
    const isOther = sessionId !== undefined && draft.sessionId !== sessionId
    if (isOther || draft.isRestart === true) {
      endOpenTools()
      endedTools.clear()
    }
    sessionId = draft.sessionId
    delete draft.isRestart
  }

  function endOpenTools(): void {
    for (const toolId of openTools.keys()) {
      add({type: 'tool-end', toolId, ok: false, output: '', error: UNFINISHED, unfinished: true})
    }
  }

  function close(toolId: string): void {
    openTools.delete(toolId)
    endedTools.add(toolId)
    if (endedTools.size > MAX_ENDED_TOOLS)
      for (const oldest of endedTools) {
        endedTools.delete(oldest)
        break
      }
  }
}

/** A week; a longer delay is a damaged number. */
const MAX_DELAY_MS = 7 * 24 * 60 * 60 * 1000

const OPENING_BRACE = 0x7b

/** The object of a line; `undefined` for any other value. */
function toObject(raw: string): JsonObject | undefined {
  if (raw.charCodeAt(0) !== OPENING_BRACE) return undefined
  try {
    return JSON.parse(raw) as JsonObject
  } catch {
    return undefined
  }
}

const UNFINISHED = 'unfinished when the stream ended'
