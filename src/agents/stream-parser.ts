import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createProgressMeter,
  createToolCallEvent,
  createToolResultEvent,
  decodeStream,
  initialRunState,
  isRecord,
  reduceRunState,
  createLineDecoder,
  type AgentEvent,
  type MessageTool,
  type Progress,
  type ServerMessage,
  type Source,
  type TextEvent,
  type ToolKind,
} from '../core/index.ts'
import {parserFor} from './parse.ts'

/** How to make messages of an agent's stream. */
export interface StreamParserOptions {
  /**
   * The agent, or the command that runs it.
   *
   * @defaultValue `claude`
   */
  agent?: string | undefined
  /**
   * How long to wait between two messages about progress, in milliseconds.
   *
   * @defaultValue 1000
   */
  progressIntervalMs?: number | undefined
  /**
   * The clock, in milliseconds since 1970.
   *
   * @defaultValue `Date.now`
   */
  now?: (() => number) | undefined
}

/** As much of a `readline` interface as is needed to read one. */
export interface Readline extends AsyncIterable<string> {
  readonly line: string
  prompt(preserveCursor?: boolean): void
}

/** Where the lines of a run come from: its bytes, or a `readline` interface over them. */
export type LineSource = Source | Readline

/** Turns the stream of one run into messages for those who watch it. */
export interface StreamParser {
  /** The messages of the next line; none for a line that cannot be read. */
  parseLine(line: string, workOrderId: string, runId: string): ServerMessage[]
  /** The messages of a whole stream, as it comes; the last one says that the run is over. */
  parseStream(
    source: LineSource,
    workOrderId: string,
    runId: string,
  ): AsyncGenerator<ServerMessage, void, undefined>
}

/**
 * Makes a parser for the stream of one run.
 *
 * @example
 * ```ts
 * const parser = createStreamParser({agent: 'codex'})
 * for await (const message of parser.parseStream(child.stdout, 'order-7', 'run-1')) send(message)
 * ```
 */
export function createStreamParser(options: StreamParserOptions = {}): StreamParser {
  const {agent = 'claude', progressIntervalMs = 1000, now = Date.now} = options
  const parser = parserFor(agent, {now})
  if (parser === null) throw new TypeError(`${agent}: no agent is known by that name`)
  const meter = createProgressMeter()
  let state = initialRunState
  let seq = 0
  /** Text that comes in pieces, by who says it, until it is whole. */
  const speeches = new Map<string, {messageId: string | undefined; pieces: string[]}>()
  let startedAt: number | undefined
  let toldProgressAt = Number.NEGATIVE_INFINITY

  return {
    parseLine: (line, workOrderId, runId) => tell(parser.parse(line), workOrderId, runId),
    async *parseStream(source, workOrderId, runId) {
      let failure: {cause: unknown} | undefined
      try {
        for await (const line of linesOf(source)) {
          yield* tell(parser.parse(line), workOrderId, runId)
        }
      } catch (cause) {
        failure = {cause}
      }
      // What came before a failure is given first, as the end of it.
      yield* tell(parser.end(), workOrderId, runId)
      yield* flushAll(workOrderId, runId, now())
      if (failure !== undefined) throw failure.cause
      yield tellProgress(meter.finish(), workOrderId, runId)
    },
  }

  function tell(events: AgentEvent[], workOrderId: string, runId: string): ServerMessage[] {
    startedAt ??= now()
    const messages = events.flatMap((event) => {
      const start = state.openTools.find(
        (tool) => 'toolId' in event && tool.toolId === event.toolId,
      )
      state = reduceRunState(state, event)
      return tellEvent(event, start?.startedAt, workOrderId, runId)
    })
    const isNews = events.some(({type}) => type !== 'malformed' && type !== 'unknown')
    if (!isNews || now() - toldProgressAt < progressIntervalMs) return messages
    return [...messages, tellProgress(meter.read(state, now() - startedAt), workOrderId, runId)]
  }

  function tellEvent(
    event: AgentEvent,
    toolStartedAt: number | undefined,
    workOrderId: string,
    runId: string,
  ): ServerMessage[] {
    if (event.type === 'text-delta') return hear(event, workOrderId, runId)
    const speaker = 'parentToolId' in event ? (event.parentToolId ?? '') : ''
    const messages =
      event.type === 'turn-end'
        ? flushAll(workOrderId, runId, event.at)
        : flush(speaker, workOrderId, runId, event.at)
    switch (event.type) {
      case 'text':
        messages.push(
          createOutputEvent(workOrderId, runId, {...next(event.at), content: event.text}),
        )
        break
      case 'tool-start': {
        const {toolId: toolUseId, name} = event
        const tool = toMessageTool(event.tool)
        const input = isRecord(event.input) ? event.input : {}
        const data = {...next(event.at), toolUseId, tool, name, input}
        messages.push(createToolCallEvent(workOrderId, runId, data))
        break
      }
      case 'tool-end': {
        const {toolId: toolUseId, ok: success, output, error, at} = event
        const content = success ? output : output || (error ?? '')
        const durationMs = event.durationMs ?? Math.max(0, at - (toolStartedAt ?? at))
        const data = {...next(at), toolUseId, success, content, durationMs}
        messages.push(createToolResultEvent(workOrderId, runId, data))
        break
      }
      case 'file-change': {
        const {action} = event
        const data = {...next(event.at), path: relativePath(event.path, state.cwd), action}
        messages.push(createFileChangedEvent(workOrderId, runId, data))
        break
      }
      default:
    }
    return messages
  }

  function next(at: number): {seq: number; timestamp: string} {
    return {seq: ++seq, timestamp: toTimestamp(at)}
  }

  function hear(event: TextEvent, workOrderId: string, runId: string): ServerMessage[] {
    const {parentToolId: speaker = '', messageId, text, at} = event
    const speech = speeches.get(speaker)
    if (speech?.messageId === messageId && speech !== undefined) {
      speech.pieces.push(text)
      return []
    }
    const messages = flush(speaker, workOrderId, runId, at)
    speeches.set(speaker, {messageId, pieces: [text]})
    return messages
  }

  function flush(speaker: string, workOrderId: string, runId: string, at: number): ServerMessage[] {
    const content = speeches.get(speaker)?.pieces.join('')
    speeches.delete(speaker)
    if (content === undefined) return []
    return [createOutputEvent(workOrderId, runId, {...next(at), content})]
  }

  function flushAll(workOrderId: string, runId: string, at: number): ServerMessage[] {
    return [...speeches.keys()].flatMap((speaker) => flush(speaker, workOrderId, runId, at))
  }

  function tellProgress(progress: Progress, workOrderId: string, runId: string): ServerMessage {
    const time = now()
    toldProgressAt = time
    const {percentage, phase, remainingMs} = progress
    const data = {
      seq,
      timestamp: toTimestamp(time),
      percentage,
      currentPhase: phase,
      toolCallCount: state.toolCount,
      elapsedSeconds: toSeconds(time - (startedAt ?? time)),
    }
    if (remainingMs === undefined) return createProgressEvent(workOrderId, runId, data)
    const estimatedRemainingSeconds = toSeconds(remainingMs)
    return createProgressEvent(workOrderId, runId, {...data, estimatedRemainingSeconds})
  }
}

/** An agent may tell a time that no calendar has. */
function toTimestamp(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}

function toSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000))
}

function toMessageTool(tool: ToolKind): MessageTool {
  return tool === 'Task' || tool === 'Todo' || tool === 'Mcp' ? 'Other' : tool
}

function relativePath(path: string, cwd: string | undefined): string {
  if (cwd === undefined) return path
  const root = /[\\/]$/.test(cwd) ? cwd : `${cwd}${cwd.includes('\\') ? '\\' : '/'}`
  return path.startsWith(root) ? path.slice(root.length) : path
}

/** A source of bytes is cut into lines; a `readline` interface gives them already, without their newlines. */
async function* linesOf(source: LineSource): AsyncGenerator<string, void, undefined> {
  if (isReadline(source)) yield* source
  else
    yield* decodeStream(
      source,
      createLineDecoder((raw) => raw),
    )
}

function isReadline(source: LineSource): source is Readline {
  return typeof source === 'object' && 'prompt' in source && 'line' in source
}
