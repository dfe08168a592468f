import {suggestRule} from '../permissions/suggest-rule.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createMessageBuilder} from '../core/protocol/message-builder.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {withPendingUsage} from '../core/run/ledger.ts'
import {createProgressMeter, type ProgressGround} from '../core/run/progress.ts'
import {createPulse} from '../core/run/pulse.ts'
import {initialRunState} from '../core/run/run-state.ts'
import {pickEnding, summarizeRun, type RunOrigin, type RunSummary} from '../core/run/run-summary.ts'
import {explainWaiting, type Waiting, type WaitingKind} from '../core/run/waiting.ts'
import {cutText, firstLine} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {createStreamMasker} from '../secrets/stream-masker.ts'
import type {LiveRun, RunRecord} from '../recording/run-record.ts'
import type {ByteSource} from '../recording/read/byte-source.ts'
import {walkRecording, type RecordingVisitor} from '../recording/read/recording-walk.ts'

/**
 * Reads the recording of a run as messages, which depend on the recording alone: reading it again gives the same
 * messages with the same numbers.
 */
export interface RunReader {
  readonly runId: string
  readonly workOrderId: string
  readonly record: RunRecord
  /** Whether the last message has been returned. */
  readonly isOver: boolean
  /** Number of the last message. */
  readonly seq: number
  /** Number of open permission requests. */
  readonly requestCount: number
  /**
   * Reads new data, for a few milliseconds at most.
   *
   * @returns The new messages, and whether more can be read now.
   */
  advance(): {messages: RunMessage[]; isMore: boolean}
  /** Makes the next `advance` read the run record again. */
  refreshRecord(): void
  summarize(now: number): RunSummary
  /** Closes the files; the next `advance` opens them again. */
  closeFiles(): void
}

export interface RunReaderOptions {
  agent: Adapter | null
  /** Masks secrets in a text. */
  mask?: ((text: string) => string) | undefined
  /** Duration of earlier runs of the same work; may become known later. */
  ground?: Pick<ProgressGround, 'earlierMs'> | undefined
  open?: ((path: string) => ByteSource) | undefined
}

const MAX_MESSAGES = 500
/** Text that is printed at the same time is one message up to this length. */
const MAX_PRINTED_LENGTH = 64 * 1024

export function openRunReader(
  dir: string,
  initialRecord: RunRecord,
  {agent, mask, ground, open}: RunReaderOptions,
): RunReader {
  const {runId} = initialRecord
  const workOrderId = workOrderOf(initialRecord)
  const builder = createMessageBuilder({
    ids: {workOrderId, runId},
    includeFileChanges: initialRecord.isWatched !== true,
    includeThinking: true,
    suggestRule,
    mask,
  })
  const meter = createProgressMeter({
    maxTurns: initialRecord.limits?.maxTurns,
    get earlierMs() {
      return ground?.earlierMs
    },
  })
  const pulse = createPulse(initialRecord.startedAt)
  let clock = initialRecord.startedAt
  const now = () => clock
  const events = agent === null ? null : createEventDecoder(agent, {now, ...initialRecord.limits})
  const lines = createLineDecoder((line) => line, initialRecord.limits)
  let lastOutputAt = initialRecord.startedAt
  const messages: RunMessage[] = []
  let printed: string[] = []
  let printedLength = 0
  /** Masks a private key that is printed line by line. */
  const printedMasker = mask === undefined ? undefined : createStreamMasker()
  const visitor: RecordingVisitor = {
    setClock: (at) => (clock = at),
    onActivity: () => (lastOutputAt = clock),
    onOutput(bytes) {
      if (events === null) for (const line of lines.push(bytes)) addPrintedLine(line)
      else addEvents(events.push(bytes))
    },
    onChunkEnd: flushPrinted,
    onAnswer({requestId}) {
      if (typeof requestId !== 'string') return
      builder.resolveRequest(requestId, clock)
      pulse.record(builder.state, clock)
    },
    onFile: (change) => messages.push(...builder.addFileChange(change, clock)),
    onEnd: finish,
  }
  const walk = walkRecording(dir, initialRecord, visitor, open)
  const isFull = () => messages.length >= MAX_MESSAGES

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
    get requestCount() {
      return builder.state.openRequests.length
    },
    advance,
    refreshRecord: walk.refreshRecord,
    summarize,
    closeFiles: walk.closeFiles,
  }

  function advance(): {messages: RunMessage[]; isMore: boolean} {
    if (builder.seq === 0)
      messages.push(
        ...builder.start(describeOrigin(withoutLaterPrompt(initialRecord, agent), agent)),
      )
    const isMore = walk.advance(isFull)
    return {messages: messages.splice(0), isMore}
  }

  function addEvents(found: AgentEvent[]): void {
    // All messages use the clock of the recording: that of the agent may differ.
    for (const event of found) {
      messages.push(...builder.addEvent(event, clock))
      pulse.record(builder.state, clock, event)
    }
  }

  /** Collects output of an unknown agent: the size of its messages must not depend on how it was read. */
  function addPrintedLine(line: string): void {
    printed.push(line)
    printedLength += line.length
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
    if (events === null) for (const line of lines.end()) addPrintedLine(line)
    else addEvents(events.end())
    flushPrinted()
    messages.push(...builder.flush(clock), ...builder.end(pickEnding(result), clock))
  }

  function summarize(at: number): RunSummary {
    const {record, isOver} = walk
    if (isOver && record.result !== undefined) return summarizeEnded(record.result)
    const {state} = builder
    return summarizeRun({
      ...collectFacts(),
      progress: meter.read(state, at - initialRecord.startedAt),
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
    return {
      runId,
      workOrderId,
      origin: describeOrigin(walk.record, agent),
      agentVersion: walk.record.agentVersion,
      state,
      usage: withPendingUsage(state.ledger, events?.pendingUsage),
    }
  }
}

/** Summarizes an ended run from its record alone, before its output is read. */
export function summarizeRecord(record: RunRecord, agent: Adapter | null): RunSummary {
  const {runId, result} = record
  return summarizeRun({
    runId,
    workOrderId: workOrderOf(record),
    origin: describeOrigin(record, agent),
    agentVersion: record.agentVersion,
    state: initialRunState,
    usage: withPendingUsage(initialRunState.ledger, undefined),
    progress: createProgressMeter().finish(),
    ending: result && pickEnding(result),
  })
}

/** The work order of a run; its own id if it belongs to none. */
export function workOrderOf({workOrder, runId}: RunRecord): string {
  return workOrder?.id ?? runId
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

const MAX_TITLE_LENGTH = 200

/** A session gets its first prompt after its first message, and messages must be the same on every read. */
function withoutLaterPrompt(record: RunRecord, agent: Adapter | null): RunRecord {
  return agent?.isSession === true ? {...record, prompt: undefined} : record
}

export function describeOrigin(record: RunRecord, adapter: Adapter | null): RunOrigin {
  const {agent, cwd, startedAt, host} = record
  return {agent, monogram: adapter?.monogram, title: formatTitle(record), cwd, startedAt, host}
}

/** The first line of the prompt, or the command if there is no prompt. */
export function formatTitle({prompt, argv}: RunRecord): string {
  return cutText(firstLine(prompt ?? argv.join(' ')), MAX_TITLE_LENGTH)
}
