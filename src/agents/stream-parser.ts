import type {AgentEvent, MalformedEvent} from '../core/events/events.ts'
import {createMessageBuilder} from '../core/protocol/message-builder.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {createProgressMeter, type Progress, type ProgressGround} from '../core/run/progress.ts'
import {toProgressMessage} from '../core/protocol/progress-message.ts'
import {createLineDecoder, type LineFlaw, type LineOptions} from '../core/wire/lines.ts'
import {decodeStream, type Source} from '../core/wire/stream.ts'
import {parserFor} from './parse.ts'

/** Options of {@link createStreamParser}. */
export interface StreamParserOptions extends LineOptions {
  /**
   * The agent, or the command that runs it.
   *
   * @defaultValue `claude`
   */
  agent?: string | undefined
  /**
   * Interval of progress messages in milliseconds. `parseStream` also emits them while no line arrives.
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
  /**
   * Whether to emit `agent_thinking` messages, each directly before the next message and without a number of its own.
   *
   * @defaultValue false
   */
  includeThinking?: boolean | undefined
  /** Facts for measuring progress, besides the plan of the agent. */
  ground?: ProgressGround | undefined
  /** Called with every malformed line, which gives no message. */
  onMalformed?: ((event: MalformedEvent) => void) | undefined
}

/** The part of a `readline` interface that reading needs. */
export interface Readline extends AsyncIterable<string> {
  readonly line: string
  prompt(preserveCursor?: boolean): void
}

/** A source of lines: bytes, or a `readline` interface. */
export type LineSource = Source | Readline

/** Turns the stream of one run into messages for clients. */
export interface StreamParser {
  /** The messages of the next line; none for a malformed line. */
  parseLine(line: string, workOrderId: string, runId: string): RunMessage[]
  /** The messages of a stream, as it arrives; the last one reports a progress of 100 %. */
  parseStream(
    source: LineSource,
    workOrderId: string,
    runId: string,
  ): AsyncGenerator<RunMessage, void, undefined>
}

/**
 * Creates a parser for the stream of one run.
 *
 * @example
 * ```ts
 * const parser = createStreamParser({agent: 'codex'})
 * for await (const message of parser.parseStream(child.stdout, 'order-7', 'run-1')) send(message)
 * ```
 */
export function createStreamParser(options: StreamParserOptions = {}): StreamParser {
  const {agent = 'claude', progressIntervalMs = 1000, now = Date.now, ground, onMalformed} = options
  const parser = parserFor(agent, {now})
  if (parser === null) throw new TypeError(`Unknown agent: ${agent}`)
  const meter = createProgressMeter(ground)
  const ids = {workOrderId: '', runId: ''}
  const {includeThinking} = options
  const builder = createMessageBuilder({ids, includeRequests: false, includeThinking})
  let startedAt: number | undefined
  let lastProgressAt = Number.NEGATIVE_INFINITY

  return {
    parseLine(text, workOrderId, runId) {
      Object.assign(ids, {workOrderId, runId})
      const {raw, flaw} = limitLine(text, options)
      return emit(parser.parse(raw, flaw))
    },
    async *parseStream(source, workOrderId, runId) {
      Object.assign(ids, {workOrderId, runId})
      let failure: {cause: unknown} | undefined
      startedAt ??= now()
      try {
        for await (const line of withTicks(readLines(source, options), progressIntervalMs)) {
          if (line === TICK) yield* emitDueProgress()
          else yield* emit(parser.parse(line.raw, line.flaw))
        }
      } catch (cause) {
        failure = {cause}
      }
      // Emit everything before a failure first.
      yield* emit(parser.end())
      yield* builder.flush(now())
      yield* builder.flushThinking()
      if (failure !== undefined) throw failure.cause
      yield emitProgress(meter.finish())
    },
  }

  function emit(events: AgentEvent[]): RunMessage[] {
    startedAt ??= now()
    const messages = events.flatMap((event) => {
      if (event.type === 'malformed') onMalformed?.(event)
      return builder.addEvent(event)
    })
    const isNews = events.some(({type}) => type !== 'malformed' && type !== 'unknown')
    return isNews ? [...messages, ...emitDueProgress()] : messages
  }

  function emitDueProgress(): RunMessage[] {
    if (now() - lastProgressAt < progressIntervalMs) return []
    return [emitProgress(meter.read(builder.state, now() - (startedAt ?? now())))]
  }

  function emitProgress(progress: Progress): RunMessage {
    lastProgressAt = now()
    return toProgressMessage(progress, {
      ...ids,
      seq: builder.seq,
      toolCallCount: builder.state.toolCount,
      at: lastProgressAt,
      startedAt: startedAt ?? lastProgressAt,
    })
  }
}

/** A line, and why its text is not exact. */
interface Line {
  raw: string
  flaw?: LineFlaw | undefined
}

/** Splits bytes into lines; a `readline` interface already yields lines, without newlines. */
function readLines(
  source: LineSource,
  options: LineOptions,
): AsyncGenerator<Line, void, undefined> {
  if (isReadline(source)) return readReadline(source, options)
  return decodeStream(
    source,
    createLineDecoder((raw, flaw): Line => ({raw, flaw}), options),
  )
}

async function* readReadline(
  source: Readline,
  options: LineOptions,
): AsyncGenerator<Line, void, undefined> {
  for await (const text of source) yield limitLine(text, options)
}

/** Applies the limit to a line of text, as in a stream of bytes. */
function limitLine(text: string, {maxLineBytes = Number.POSITIVE_INFINITY}: LineOptions): Line {
  // A character has at most three bytes.
  if (text.length * 3 <= maxLineBytes) return {raw: text}
  const size = new TextEncoder().encode(text).length - (text.endsWith('\n') ? 1 : 0)
  return size > maxLineBytes ? {raw: '', flaw: {type: 'line-too-long', size}} : {raw: text}
}

const TICK = Symbol('tick')

/** The items of a source, and a tick after each interval without an item. */
async function* withTicks<T>(
  source: AsyncGenerator<T, void, undefined>,
  intervalMs: number,
): AsyncGenerator<T | typeof TICK, void, undefined> {
  let next: Promise<IteratorResult<T, void>> | undefined
  try {
    for (;;) {
      next ??= source.next()
      const result = await orTick(next, intervalMs)
      if (result === TICK) yield TICK
      else {
        next = undefined
        if (result.done === true) return
        yield result.value
      }
    }
  } finally {
    // A generator cannot be closed while it waits for the next item.
    if (next === undefined) await source.return()
    else void source.return().catch(() => {})
  }
}

function orTick<T>(promise: Promise<T>, ms: number): Promise<T | typeof TICK> {
  if (ms <= 0 || ms > MAX_TIMEOUT_MS) return promise
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = new Promise<typeof TICK>((resolve) => {
    timer = setTimeout(resolve, ms, TICK)
  })
  return Promise.race([promise, tick]).finally(() => clearTimeout(timer))
}

/** The longest delay of a timer. With a longer one, or none, progress is sent only with lines. */
const MAX_TIMEOUT_MS = 0x7fffffff

function isReadline(source: LineSource): source is Readline {
  return typeof source === 'object' && 'prompt' in source && 'line' in source
}
