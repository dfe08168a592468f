import {suggestRule} from '../permissions/suggest-rule.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {createEventParser} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createMessageBuilder} from '../core/protocol/message-builder.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {withPendingUsage} from '../core/run/ledger.ts'
import {createProgressMeter, type ProgressGround} from '../core/run/progress.ts'
import {createPulse} from '../core/run/pulse.ts'
import {pickEnding, summarizeRun, type RunSummary} from '../core/run/run-summary.ts'
import {explainWaiting, type Waiting, type WaitingKind} from '../core/run/waiting.ts'
import {createLineDecoder, type LineFlaw} from '../core/wire/lines.ts'
import type {ByteSource} from '../recording/read/byte-source.ts'
import {walkRecording, type RecordingVisitor} from '../recording/read/recording-walk.ts'
import type {LiveRun, RunRecord} from '../recording/run-record.ts'
import {createLineMasker} from '../secrets/line-masker.ts'
import {maskSecretsIn} from '../secrets/mask-secrets.ts'
import {createStreamMasker} from '../secrets/stream-masker.ts'
import {parseAnswer} from './parse-answer.ts'
import type {RunItem, StartItem} from './run-item.ts'
import {maskText, showEvents, toTextEvent} from './show-events.ts'
import {SLIM} from './slim-event.ts'
import {describeKind, describeOrigin, workOrderOf} from './summarize-record.ts'
import {createUsageReporter} from './usage-reporter.ts'

/**
 * Reads the recording of a run in one pass as items, for the page of the run, and as messages, for subscribers. Both
 * depend on the recording alone: reading it again gives the same items and messages with the same numbers.
 */
export interface RunReader {
  readonly runId: string
  readonly workOrderId: string
  readonly record: RunRecord
  /** Whether the last item and the last message have been returned. */
  readonly isOver: boolean
  /** Number of the last message. */
  readonly seq: number
  /** How many bytes of stdout have been read. */
  readonly bytesRead: number
  /** Number of open permission requests. */
  readonly requestCount: number
  /** Reads new data, for a few milliseconds at most. */
  advance(): ReadRun
  /** Returns items that are held back because a secret could start in them; that part is masked. */
  settle(): ReadItem[]
  /** Makes the next `advance` read the run record again. */
  refreshRecord(): void
  summarize(now: number): RunSummary
  /** Closes the files; the next `advance` opens them again. */
  closeFiles(): void
}

/** The data that `advance` has read. */
export interface ReadRun {
  items: ReadItem[]
  messages: RunMessage[]
  /** Whether more can be read now. */
  isMore: boolean
}

/** An item, and the line it was made of. */
export interface ReadItem {
  /** Contains permission requests: `hideItemRequests` removes them. */
  item: RunItem
  /** How many lines there are up to this item. */
  line: number
  /** The complete events of a line. A secret that is complete within one event is not masked yet. */
  events: readonly AgentEvent[]
  /** The line as printed, masked; empty unless requested. */
  raw: string
}

export interface RunReaderOptions {
  agent: Adapter | null
  /** Masks secrets in the text of messages. */
  mask?: ((text: string) => string) | undefined
  /** Duration of earlier runs of the same work; may become known later. */
  ground?: Pick<ProgressGround, 'earlierMs'> | undefined
  /**
   * Whether items have the text of their lines.
   *
   * @defaultValue false
   */
  hasRaw?: boolean | undefined
  open?: ((path: string) => ByteSource) | undefined
}

const MAX_ITEMS = 1000
const MAX_MESSAGES = 500
const MAX_PROMPT_LENGTH = 10_000
/** Text that is printed at the same time is one message up to this length. */
const MAX_PRINTED_LENGTH = 64 * 1024
const NEWLINE = 0x0a

/** Opens the recording of a run at its start. */
export function openRunReader(
  dir: string,
  initialRecord: RunRecord,
  {agent, mask, ground, hasRaw = false, open}: RunReaderOptions,
): RunReader {
  const {runId, limits, startedAt} = initialRecord
  const workOrderId = workOrderOf(initialRecord)
  const builder = createMessageBuilder({
    ids: {workOrderId, runId},
    includeFileChanges: initialRecord.isWatched !== true,
    includeThinking: true,
    suggestRule,
    mask,
  })
  const meter = createProgressMeter({
    maxTurns: limits?.maxTurns,
    get earlierMs() {
      return ground?.earlierMs
    },
  })
  const pulse = createPulse(startedAt)
  let clock = startedAt
  let lastOutputAt = startedAt
  const parser = agent === null ? null : createEventParser(agent, {now: () => clock})
  const lines = createLineDecoder(readLine, limits)
  const masker = createLineMasker({hasRaw})
  const usage = createUsageReporter(parser, startedAt)
  const messages: RunMessage[] = []
  const items: ReadItem[] = []
  let n = 0
  let line = 0
  let bytesRead = 0
  let lineStart = 0
  /** Where the lines end that are about to be decoded, and the next of them. */
  let ends: number[] = []
  let nextEnd = 0
  let printed: string[] = []
  let printedLength = 0
  /** Masks a private key that is printed line by line. */
  const printedMasker = mask === undefined ? undefined : createStreamMasker()
  const visitor: RecordingVisitor = {
    setClock: (at) => (clock = at),
    onActivity: () => (lastOutputAt = clock),
    onOutput(bytes) {
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
        ends.push(bytesRead + at + 1)
      }
      bytesRead += bytes.length
      lines.push(bytes)
      ends = []
      nextEnd = 0
    },
    onChunkEnd: flushPrinted,
    onAnswer(answer) {
      const parsed = parseAnswer(answer)
      if (parsed === undefined) return
      builder.resolveRequest(parsed.requestId, clock)
      pulse.record(builder.state, clock)
      addItem(maskSecretsIn({...parsed, ...stamp()}))
    },
    onFile(change) {
      messages.push(...builder.addFileChange(change, clock))
      addItem(maskSecretsIn({type: 'file', ...stamp(), ...change}))
    },
    onEnd: finish,
  }
  const walk = walkRecording(dir, initialRecord, visitor, open)
  const isFull = () => items.length >= MAX_ITEMS || messages.length >= MAX_MESSAGES

  return {
    runId,
    workOrderId,
    get record() {
      return walk.record
    },
    get isOver() {
      return walk.isOver
    },
    get seq() {
      return builder.seq
    },
    get bytesRead() {
      return bytesRead
    },
    get requestCount() {
      return builder.state.openRequests.length
    },
    advance() {
      if (n === 0) start()
      const isMore = walk.advance(isFull)
      return {items: items.splice(0), messages: messages.splice(0), isMore}
    },
    settle() {
      masker.flush(true)
      return items.splice(0)
    },
    refreshRecord: walk.refreshRecord,
    summarize,
    closeFiles: walk.closeFiles,
  }

  function start(): void {
    addItem(describeStart(initialRecord, agent, ++n))
    const known = withoutLaterPrompt(initialRecord, agent)
    messages.push(...builder.start(describeOrigin(known, agent)))
  }

  function stamp(): {n: number; at: number} {
    return {n: ++n, at: clock}
  }

  function addItem(item: RunItem): void {
    const known = line
    masker.after(() => items.push({item, line: known, events: [], raw: ''}))
  }

  function readLine(raw: string, flaw?: LineFlaw): void {
    line++
    const end = ends[nextEnd++] ?? bytesRead
    const offset = lineStart
    lineStart = end
    const events = parser?.parse(raw, flaw) ?? [toTextEvent(raw, line, clock)]
    if (parser === null) addPrintedLine(raw)
    else addEvents(events)
    const spent = usage.report(builder.state.ledger, events, clock)
    const kind = maskText(parser?.kind ?? 'text')
    const base = {type: 'line', ...stamp(), line, offset, size: end - offset, kind} as const
    masker.push(raw, events, (shown) => {
      const item: RunItem = {...base, events: showEvents(shown.events, SLIM, true)}
      if (spent !== undefined) item.spent = spent
      items.push({item, line: base.line, ...shown})
    })
  }

  function addEvents(events: readonly AgentEvent[]): void {
    // All messages use the clock of the recording: that of the agent may differ.
    for (const event of events) {
      messages.push(...builder.addEvent(event, clock))
      pulse.record(builder.state, clock, event)
    }
  }

  /** Collects output of an unknown agent: the size of its messages must not depend on how it was read. */
  function addPrintedLine(text: string): void {
    printed.push(text)
    printedLength += text.length
    if (printedLength >= MAX_PRINTED_LENGTH) flushPrinted()
  }

  function flushPrinted(): void {
    const text = printed.join('')
    printed = []
    printedLength = 0
    const masked = printedMasker?.push(text)
    printedMasker?.flush()
    if (text.trim() !== '') messages.push(...builder.addOutput(masked?.text ?? text, clock))
  }

  function finish(result: NonNullable<RunRecord['result']>): void {
    ends = [bytesRead]
    nextEnd = 0
    lines.end()
    masker.flush()
    const events = parser?.end() ?? []
    addEvents(events)
    flushPrinted()
    const ending = pickEnding(result)
    messages.push(...builder.flush(clock), ...builder.end(ending, clock))
    const shown = showEvents(events, SLIM, true)
    addItem({type: 'end', ...stamp(), events: shown, ...maskSecretsIn(ending)})
  }

  function summarize(at: number): RunSummary {
    const {record, isOver} = walk
    if (isOver && record.result !== undefined) return summarizeEnded(record.result)
    const {state} = builder
    return summarizeRun({
      ...collectFacts(),
      progress: meter.read(state, at - startedAt),
      waiting:
        readSupervisorWaiting(record.live, lastOutputAt) ?? explainWaiting(state, at, lastOutputAt),
      isStuck: record.live?.isStuck,
      pulse: pulse.readRecent(at),
    })
  }

  function summarizeEnded(result: NonNullable<RunRecord['result']>): RunSummary {
    return summarizeRun({
      ...collectFacts(),
      progress: meter.finish(),
      pulse: pulse.readAll(result.startedAt + result.durationMs),
      ending: pickEnding(result),
    })
  }

  function collectFacts() {
    const {state} = builder
    const {record} = walk
    return {
      runId,
      ...describeKind(record, agent),
      workOrderId,
      origin: describeOrigin(record, agent),
      agentVersion: record.agentVersion,
      state,
      usage: withPendingUsage(state.ledger, parser?.pendingUsage),
    }
  }
}

/** Describes the first item of a run. */
function describeStart(record: RunRecord, agent: Adapter | null, n: number): StartItem {
  const {prompt, limits, startedAt: at} = record
  // That of a copied session is its title: the prompts are in its records.
  const shownPrompt = record.isTranscript === true ? undefined : prompt?.slice(0, MAX_PROMPT_LENGTH)
  const origin = describeOrigin(record, agent)
  return maskSecretsIn({type: 'start', n, at, ...origin, prompt: shownPrompt, limits})
}

/** A session gets its first prompt after its first message, and messages must be the same on every read. */
function withoutLaterPrompt(record: RunRecord, agent: Adapter | null): RunRecord {
  return agent?.isSession === true ? {...record, prompt: undefined} : record
}

/** A reason for waiting that only the supervisor can detect, unless the agent printed something since. */
function readSupervisorWaiting(
  live: LiveRun | undefined,
  lastOutputAt: number,
): Waiting | undefined {
  if (live === undefined || live.at < lastOutputAt || !SEEN_BY_SUPERVISOR.has(live.why))
    return undefined
  const {why, detail, since, until, attempt, of} = live
  return {why, detail, since, until, attempt, of}
}

const SEEN_BY_SUPERVISOR = new Set<WaitingKind>([
  'api-retry',
  'queued-input',
  'finishing',
  'suspended',
])
