import type {Adapter, Draft, OpenTool, PendingUsage} from './adapter.ts'
import {createDriftCounter, type Drift} from './drift.ts'
import type {AgentEvent, McpServerState} from './events.ts'
import {isRecord, toText, type JsonObject} from '../wire/json.ts'
import {createLineDecoder, type Decoder, type LineFlaw, type LineOptions} from '../wire/lines.ts'
import {describeMcpTrouble} from './mcp-failures.ts'
import {normalizePath} from '../text/normalize-path.ts'
import {parseRecord, type LineRecord} from '../wire/records.ts'
import {findNovelties, isKnown} from './shapes.ts'
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
  /**
   * Reads the next line, with or without its newline. Never throws.
   *
   * @param flaw - What makes it less than its exact text, as {@link createLineDecoder} tells it.
   */
  parse(line: string, flaw?: LineFlaw): AgentEvent[]
  /** What the last line was, in the agent's words, such as `system/init`; empty for one that is no object. */
  readonly kind: string
  /** Says that the stream is over and gives what was still open. */
  end(): AgentEvent[]
  /**
   * What was used since the agent last told it, as far as its lines let us see: most often less than it was. Nothing
   * where nothing is open, and of agents that tell everything in `usage` events. {@link withPendingUsage} adds it to a ledger.
   */
  readonly pendingUsage: PendingUsage | undefined
  /** What each sub-agent used so far, by the call that began it: our estimate, as no agent tells it. Empty where lines tell nothing. */
  readonly subAgentUse: ReadonlyMap<string, PendingUsage>
  /** What was new to this version so far. */
  drift(): Drift[]
}

/** Turns the bytes of one agent's stream into events. */
export interface EventDecoder extends Decoder<AgentEvent> {
  /** The agent whose stream it reads. */
  readonly agent: string
  /** How many lines have been read. */
  readonly lineCount: number
  /** How many records held something new to this version. */
  readonly novelCount: number
  /**
   * What was used since the agent last told it, as far as its lines let us see: most often less than it was. Nothing
   * where nothing is open, and of agents that tell everything in `usage` events. {@link withPendingUsage} adds it to a ledger.
   */
  readonly pendingUsage: PendingUsage | undefined
  /** What each sub-agent used so far, by the call that began it: our estimate, as no agent tells it. Empty where lines tell nothing. */
  readonly subAgentUse: ReadonlyMap<string, PendingUsage>
  /** What was new to this version so far. */
  drift(): Drift[]
}

/** Makes a parser for the stream of an agent, line by line. */
export function createEventParser(adapter: Adapter, options: EventParserOptions = {}): EventParser {
  const reader = createReader(adapter, options)
  return {
    agent: adapter.id,
    parse(line, flaw) {
      reader.readLine(line, flaw)
      return reader.take()
    },
    get kind() {
      return reader.kind()
    },
    end() {
      reader.end()
      return reader.take()
    },
    get pendingUsage() {
      return reader.pendingUsage()
    },
    get subAgentUse() {
      return reader.subAgentUse()
    },
    drift: reader.drift,
  }
}

/** Makes a decoder for the stream of an agent, from bytes or text in any chunks. */
export function createEventDecoder(
  adapter: Adapter,
  options: EventDecoderOptions = {},
): EventDecoder {
  const reader = createReader(adapter, options)
  const lines = createLineDecoder(reader.readLine, options)
  return {
    agent: adapter.id,
    push(chunk) {
      lines.push(chunk)
      return reader.take()
    },
    end() {
      lines.end()
      reader.end()
      return reader.take()
    },
    get lineCount() {
      return reader.lineCount()
    },
    get novelCount() {
      return reader.novelCount()
    },
    get pendingUsage() {
      return reader.pendingUsage()
    },
    get subAgentUse() {
      return reader.subAgentUse()
    },
    drift: reader.drift,
  }
}

/** A tool that is open, and when it was called: by the agent's clock or by ours. */
interface Timed extends OpenTool {
  at: number
  told: boolean
  /** Whether another call of the same speaker was open at the same time, where that makes the times unsure. */
  isParallel: boolean
  messageId: string | undefined
}

/** What the parser puts to a draft to make it an event. */
interface Stamp {
  line?: number
  at?: number | undefined
  agent?: string
  outputLength?: number
}

/** So many tools that are done are remembered, for lines that tell of them again. */
const REMEMBERED = 1024

function createReader(adapter: Adapter, {now = Date.now}: EventParserOptions) {
  const agent = adapter.id
  const openTools = new Map<string, Timed>()
  const doneTools = new Set<string>()
  let sessionId: string | undefined
  let novelCount = 0
  let lastNovel: unknown
  let version: string | undefined
  let mcpTrouble: string | undefined
  /** The message of the call that ended last. */
  let endedMessageId: string | undefined
  let line = 0
  let kind = ''
  /** When the current line was read, once somebody has asked. */
  let readAt: number | undefined
  let events: AgentEvent[] = []
  const counter = createDriftCounter(agent)
  const {shapes, kindOf} = adapter
  const translator = adapter.createTranslator({openTool: (toolId) => openTools.get(toolId)})
  const {translate} = translator

  return {
    readLine,
    end,
    take,
    lineCount: () => line,
    kind: () => kind,
    novelCount: () => novelCount,
    pendingUsage: () => translator.pendingUsage?.(),
    subAgentUse: () => translator.subAgentUse?.() ?? new Map(),
    drift: counter.list,
  }

  /** The events of all that was read since the last time. */
  function take(): AgentEvent[] {
    const taken = events
    events = []
    return taken
  }

  /** Nearly every line is an object, and needs no record made of it. */
  function readLine(raw: string, flaw?: LineFlaw): void {
    const value = flaw === undefined ? parseObject(raw) : undefined
    if (value === undefined) return read(parseRecord(raw, flaw))
    line++
    readAt = undefined
    readObject(value, raw)
  }

  function read(record: LineRecord): void {
    line++
    readAt = undefined
    kind = ''
    if (record.type === 'blank') return
    if (record.type === 'malformed') {
      const {raw, reason, size} = record
      add({type: 'malformed', raw, reason, size})
    } else if (Array.isArray(record.value)) {
      // The whole run in one list, as `--output-format json` of some agents prints it.
      for (const item of record.value) readValue(item, undefined)
    } else readValue(record.value, record.raw)
  }

  function readValue(value: unknown, raw: string | undefined): void {
    if (!isRecord(value)) {
      markNovel(value)
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
    markNovel(value)
    const novelties = findNovelties(shapes, kind, value)
    for (const novelty of novelties) counter.count(novelty, line, version)
    const part = novelties.find((novelty) => novelty.kind !== 'field')
    if (part !== undefined) addUnknown(value, raw, part.name)
  }

  /** A translator must not fail; should one, the line is kept and the stream goes on. */
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

  function markNovel(value: unknown): void {
    if (value === lastNovel) return
    lastNovel = value
    novelCount++
  }

  function addIncomplete(value: unknown, raw: string | undefined, reason: string): void {
    markNovel(value)
    counter.count({kind: 'block', name: reason}, line, version)
    addUnknown(value, raw, reason)
  }

  function addUnknown(value: unknown, raw: string | undefined, reason: string): void {
    add({type: 'unknown', raw: raw ?? toText(value), reason})
  }

  function end(): void {
    readAt = undefined
    for (const draft of translator.end?.() ?? []) add(draft)
    endOpenTools()
  }

  function add(draft: Draft): void {
    const stamp: Stamp = draft
    const told = draft.at !== undefined
    const at = draft.at ?? (readAt ??= now())
    if (draft.type === 'tool-start') {
      const {toolId, name, tool, input, parentToolId} = draft
      if (openTools.has(toolId) || doneTools.has(toolId)) return
      const isParallel = markParallel(parentToolId)
      const {messageId} = draft
      delete draft.messageId
      if (messageId !== undefined && messageId === endedMessageId) draft.isSameAnswer = true
      openTools.set(toolId, {name, tool, input, parentToolId, at, told, isParallel, messageId})
      draft.summary ??= summarize(tool, input)
    } else if (draft.type === 'tool-end') {
      if (doneTools.has(draft.toolId)) return
      const start = openTools.get(draft.toolId)
      const took = start?.told === told ? at - start.at : 0
      endedMessageId = start?.messageId ?? endedMessageId
      close(draft.toolId)
      if (took > 0 && start?.isParallel !== true) draft.durationMs ??= took
      else if (took > 0 && draft.durationMs === undefined) draft.maxDurationMs = took
      stamp.outputLength = draft.output.length
    } else if (draft.type === 'file-change' || draft.type === 'tool-update') {
      // What is told again of a tool that is done happened once.
      if (draft.toolId !== undefined && doneTools.has(draft.toolId)) return
      if (draft.type === 'file-change') draft.path = normalizePath(draft.path)
    } else if (draft.type === 'session-start') startSession(draft)
    else if (draft.type === 'status') setUntil(draft, at)
    stamp.line = line
    stamp.at = at
    stamp.agent = agent
    events.push(draft as AgentEvent)
    if (draft.type === 'session-start') warnOfServers(draft.mcpServers)
  }

  /** Agents repeat the state of their servers with every turn. */
  function warnOfServers(servers: McpServerState[] | undefined): void {
    const detail = describeMcpTrouble(servers)
    if (detail === mcpTrouble) return
    mcpTrouble = detail
    if (detail !== undefined) add({type: 'status', status: 'warning', detail})
  }

  /** Marks the open calls of a speaker that makes another one; whether there are any. */
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

  /** Another session knows nothing of the tools before it, and may use their ids again. */
  function startSession(draft: Draft & {type: 'session-start'}): void {
    version = draft.agentVersion ?? version
    const isOther = sessionId !== undefined && draft.sessionId !== sessionId
    if (isOther || draft.isRestart === true) {
      endOpenTools()
      doneTools.clear()
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
    doneTools.add(toolId)
    if (doneTools.size > REMEMBERED)
      for (const oldest of doneTools) {
        doneTools.delete(oldest)
        break
      }
  }
}

/** A week: longer is a damaged number. */
const MAX_DELAY_MS = 7 * 24 * 60 * 60 * 1000

const OPENING_BRACE = 0x7b

/** The object that a line is; `undefined` when it is anything else. */
function parseObject(raw: string): JsonObject | undefined {
  if (raw.charCodeAt(0) !== OPENING_BRACE) return undefined
  try {
    return JSON.parse(raw) as JsonObject
  } catch {
    return undefined
  }
}

const UNFINISHED = 'unfinished when the stream ended'
