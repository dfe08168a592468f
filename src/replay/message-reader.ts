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
 * Reads the recording of one run and makes its messages, which are a function of the recording alone: whoever reads it
 * again gets the same, with the same numbers.
 */
export interface RunReader {
  readonly runId: string
  readonly workOrderId: string
  readonly record: RunRecord
  /** Whether the last message has been made. */
  readonly isOver: boolean
  /** The number of the last message. */
  readonly seq: number
  /** How many permissions were asked for and not answered. */
  readonly requestCount: number
  /**
   * Reads what is new, for a few milliseconds at most.
   *
   * @returns The messages of it, and whether there may be more.
   */
  advance(): {messages: RunMessage[]; isMore: boolean}
  /** Reads the record of the run again with the next advance. */
  refreshRecord(): void
  /** What holds of the run. */
  summarize(now: number): RunSummary
  /** Closes the files; the next advance opens them again. */
  closeFiles(): void
}

/** What a reader needs besides the recording. */
export interface RunReaderOptions {
  agent: Adapter | null
  /** Takes secrets out of a text. */
  mask?: ((text: string) => string) | undefined
  /** How long earlier runs of the same work took; may become known later. */
  ground?: Pick<ProgressGround, 'earlierMs'> | undefined
  /** Opens the files of the recording. */
  open?: ((path: string) => ByteSource) | undefined
}

const MOST_MESSAGES = 500
/** What is printed at the same time goes into one message, up to so many characters. */
const MOST_PRINTED = 64 * 1024

/** Opens a recording for reading. */
export function openRunReader(
  dir: string,
  begun: RunRecord,
  {agent, mask, ground, open}: RunReaderOptions,
): RunReader {
  const {runId} = begun
  const workOrderId = workOrderOf(begun)
  const builder = createMessageBuilder({
    ids: {workOrderId, runId},
    includeFileChanges: begun.isWatched !== true,
    includeThinking: true,
    suggestRule,
    mask,
  })
  const meter = createProgressMeter({
    maxTurns: begun.limits?.maxTurns,
    get earlierMs() {
      return ground?.earlierMs
    },
  })
  const pulse = createPulse(begun.startedAt)
  let clock = begun.startedAt
  const now = () => clock
  const events = agent === null ? null : createEventDecoder(agent, {now, ...begun.limits})
  const lines = createLineDecoder((line) => line, begun.limits)
  let lastOutputAt = begun.startedAt
  let messages: RunMessage[] = []
  let printed: string[] = []
  let printedLength = 0
  /** A private key that a program prints line by line. */
  const printedMasker = mask === undefined ? undefined : createStreamMasker()
  const visitor: RecordingVisitor = {
    setClock: (at) => (clock = at),
    onActivity: () => (lastOutputAt = clock),
    onOutput(bytes) {
      if (events === null) for (const line of lines.push(bytes)) hear(line)
      else see(events.push(bytes))
    },
    onChunkEnd: print,
    onAnswer({requestId}) {
      if (typeof requestId !== 'string') return
      builder.resolveRequest(requestId, clock)
      pulse.record(builder.state, clock)
    },
    onFile: (change) => messages.push(...builder.addFileChange(change, clock)),
    onEnd: finish,
  }
  const walk = walkRecording(dir, begun, visitor, open)
  const isFull = () => messages.length >= MOST_MESSAGES

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
    // What is asked in a session comes after it has begun, and its first message is the same whenever it is read.
    if (builder.seq === 0)
      messages.push(...builder.start(describeOrigin(withoutLaterPrompt(begun, agent), agent)))
    const isMore = walk.advance(isFull)
    const read = messages
    messages = []
    return {messages: read, isMore}
  }

  function see(found: AgentEvent[]): void {
    // The run is watched by one clock; agents may have another.
    for (const event of found) {
      messages.push(...builder.addEvent(event, clock))
      pulse.record(builder.state, clock, event)
    }
  }

  /** What a program prints that is no known agent: how much of it is told at once must not depend on how it was read. */
  function hear(line: string): void {
    printed.push(line)
    printedLength += line.length
    if (printedLength >= MOST_PRINTED) print()
  }

  function print(): void {
    const text = printed.join('')
    printed = []
    printedLength = 0
    const piece = printedMasker?.push(text)
    printedMasker?.flush()
    if (text.trim() !== '') messages.push(...builder.addOutput(piece?.text ?? text, clock))
  }

  function finish(result: NonNullable<RunRecord['result']>): void {
    if (events === null) for (const line of lines.end()) hear(line)
    else see(events.end())
    print()
    messages.push(...builder.flush(clock), ...builder.end(pickEnding(result), clock))
  }

  function summarize(at: number): RunSummary {
    const {record, isOver} = walk
    if (isOver && record.result !== undefined) return conclude(record.result)
    const {state} = builder
    return summarizeRun({
      ...findings(),
      progress: meter.read(state, at - begun.startedAt),
      waiting:
        readSeenWaiting(record.live, lastOutputAt) ?? explainWaiting(state, at, lastOutputAt),
      isStuck: record.live?.isStuck,
      pulse: pulse.readRecent(at),
    })
  }

  function conclude(result: NonNullable<RunRecord['result']>): RunSummary {
    return summarizeRun({
      ...findings(),
      progress: meter.finish(),
      pulse: pulse.readAll(result.startedAt + result.durationMs),
      ending: pickEnding(result),
    })
  }

  function findings() {
    const {state} = builder
    const usage = withPendingUsage(state.ledger, events?.pendingUsage)
    const {agentVersion} = walk.record
    return {
      runId,
      workOrderId,
      origin: describeOrigin(walk.record, agent),
      agentVersion,
      state,
      usage,
    }
  }
}

/** What will hold of a run that is over once all of it is read, as far as its record tells. */
export function foreseeRun(record: RunRecord, agent: Adapter | null): RunSummary {
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

/** The work that a run is part of: its own when it is part of nothing. */
export function workOrderOf({workOrder, runId}: RunRecord): string {
  return workOrder?.id ?? runId
}

/** What a run waits for, where only its supervisor can see that and nothing was printed since. */
function readSeenWaiting(live: LiveRun | undefined, lastOutputAt: number): Waiting | undefined {
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

/** A session gets its first prompt after its first message: messages must not change when a recording is read again. */
function withoutLaterPrompt(record: RunRecord, agent: Adapter | null): RunRecord {
  return agent?.isSession === true ? {...record, prompt: undefined} : record
}

/** Facts fixed when the run starts. */
export function describeOrigin(record: RunRecord, adapter: Adapter | null): RunOrigin {
  const {agent, cwd, startedAt, host} = record
  return {agent, monogram: adapter?.monogram, title: formatTitle(record), cwd, startedAt, host}
}

/** The first line of the prompt, or the command of a run without one. */
export function formatTitle({prompt, argv}: RunRecord): string {
  return cutText(firstLine(prompt ?? argv.join(' ')), MAX_TITLE_LENGTH)
}
