import type {AgentEvent, MalformedEvent} from '../core/events/events.ts'
import {createMessageBuilder} from '../core/protocol/message-builder.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {createProgressMeter, type Progress, type ProgressGround} from '../core/run/progress.ts'
import {toProgressMessage} from '../core/protocol/progress-message.ts'
import {createLineDecoder, type LineFlaw, type LineOptions} from '../core/wire/lines.ts'
import {decodeStream, type Source} from '../core/wire/stream.ts'
import {parserFor} from './parse.ts'

/** How to make messages of an agent's stream. */
export interface StreamParserOptions extends LineOptions {
  /**
   * The agent, or the command that runs it.
   *
   * @defaultValue `claude`
   */
  agent?: string | undefined
  /**
   * How long to wait between two messages about progress, in milliseconds. `parseStream` sends them also while no
   * line arrives.
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
   * Whether there are messages `agent_thinking`, each directly before the message that follows it and without a number of its own.
   *
   * @defaultValue false
   */
  includeThinking?: boolean | undefined
  /** What progress can be measured by, besides the plan of the agent. */
  ground?: ProgressGround | undefined
  /** Called with every line that could not be read, which gives no message: for a log or a counter. */
  onMalformed?: ((event: MalformedEvent) => void) | undefined
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
  parseLine(line: string, workOrderId: string, runId: string): RunMessage[]
  /** The messages of a whole stream, as it comes; the last one says that the run is over. */
  parseStream(
    source: LineSource,
    workOrderId: string,
    runId: string,
  ): AsyncGenerator<RunMessage, void, undefined>
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
  const {agent = 'claude', progressIntervalMs = 1000, now = Date.now, ground, onMalformed} = options
  const parser = parserFor(agent, {now})
  if (parser === null) throw new TypeError(`${agent}: no agent is known by that name`)
  const meter = createProgressMeter(ground)
  const ids = {workOrderId: '', runId: ''}
  const {includeThinking} = options
  const builder = createMessageBuilder({ids, includeRequests: false, includeThinking})
  let startedAt: number | undefined
  let toldProgressAt = Number.NEGATIVE_INFINITY

  return {
    parseLine(text, workOrderId, runId) {
      const {raw, flaw} = limitLine(text, options)
      return tell(parser.parse(raw, flaw), workOrderId, runId)
    },
    async *parseStream(source, workOrderId, runId) {
      let failure: {cause: unknown} | undefined
      startedAt ??= now()
      try {
        for await (const line of withTicks(readLines(source, options), progressIntervalMs)) {
          if (line === TICK) yield* tellDueProgress(workOrderId, runId)
          else yield* tell(parser.parse(line.raw, line.flaw), workOrderId, runId)
        }
      } catch (cause) {
        failure = {cause}
      }
      // What came before a failure is given first, as the end of it.
      yield* tell(parser.end(), workOrderId, runId)
      yield* builder.flush(now())
      yield* builder.flushThinking()
      if (failure !== undefined) throw failure.cause
      yield tellProgress(meter.finish(), workOrderId, runId)
    },
  }

  function tell(events: AgentEvent[], workOrderId: string, runId: string): RunMessage[] {
    startedAt ??= now()
    Object.assign(ids, {workOrderId, runId})
    const messages = events.flatMap((event) => {
      if (event.type === 'malformed') onMalformed?.(event)
      return builder.addEvent(event)
    })
    const isNews = events.some(({type}) => type !== 'malformed' && type !== 'unknown')
    return isNews ? [...messages, ...tellDueProgress(workOrderId, runId)] : messages
  }

  function tellDueProgress(workOrderId: string, runId: string): RunMessage[] {
    if (now() - toldProgressAt < progressIntervalMs) return []
    const progress = meter.read(builder.state, now() - (startedAt ?? now()))
    return [tellProgress(progress, workOrderId, runId)]
  }

  function tellProgress(progress: Progress, workOrderId: string, runId: string): RunMessage {
    toldProgressAt = now()
    return toProgressMessage(progress, {
      workOrderId,
      runId,
      seq: builder.seq,
      toolCallCount: builder.state.toolCount,
      at: toldProgressAt,
      startedAt: startedAt ?? toldProgressAt,
    })
  }
}

/** A line, and what makes it less than its exact text. */
interface Line {
  raw: string
  flaw?: LineFlaw | undefined
}

/** A source of bytes is cut into lines; a `readline` interface yields them already, without their newlines. */
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

/** A line that came as a text; over the limit it is reported as too long, as in a stream of bytes. */
function limitLine(text: string, {maxLineBytes = Number.POSITIVE_INFINITY}: LineOptions): Line {
  // A character has three bytes at most.
  if (text.length * 3 <= maxLineBytes) return {raw: text}
  const size = new TextEncoder().encode(text).length - (text.endsWith('\n') ? 1 : 0)
  return size > maxLineBytes ? {raw: '', flaw: {type: 'line-too-long', size}} : {raw: text}
}

const TICK = Symbol('tick')

/** The items of a source, and a tick each time that none arrived for a while. */
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
    // While it waits for the next item, a generator cannot be closed.
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
