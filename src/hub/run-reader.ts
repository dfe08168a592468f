import {statSync} from 'node:fs'
import {join} from 'node:path'
import {
  createEventDecoder,
  createLineDecoder,
  createMessageTeller,
  createProgressMeter,
  cutText,
  explainWaiting,
  firstLine,
  initialRunState,
  isRecord,
  pickEnding,
  summarizeRun,
  withUnsettled,
  type Adapter,
  type AgentEvent,
  type ProgressGround,
  type RunMessage,
  type RunOrigin,
  type RunSummary,
} from '../core/index.ts'
import {
  parsePiece,
  readRunRecord,
  recordingAt,
  type Piece,
  type RunRecord,
} from '../recording/index.ts'
import {createByteReader, createTextReader, openFile, type ByteSource} from './growing-file.ts'

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
   * Reads what is new, for some milliseconds at most.
   *
   * @returns The messages of it, and whether there may be more.
   */
  advance(): {messages: RunMessage[]; isMore: boolean}
  /** Looks at the record of the run with the next advance, for it may have changed. */
  lookAgain(): void
  /** What holds of the run. */
  summarize(now: number): RunSummary
  /** Closes its files, which are opened again when they are needed. */
  rest(): void
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

/** Others want to be served too. */
const LONGEST_TURN_MS = 5
const MOST_MESSAGES = 500
/** What is printed at the same time goes into one message, up to so many characters. */
const MOST_PRINTED = 64 * 1024

/** Opens a recording for reading. */
export function openRunReader(
  dir: string,
  begun: RunRecord,
  {agent, mask, ground, open = openFile}: RunReaderOptions,
): RunReader {
  const {runId} = begun
  const workOrderId = workOrderOf(begun)
  const files = recordingAt(dir)
  const teller = createMessageTeller({
    ids: {workOrderId, runId},
    tellsFiles: begun.isWatched !== true,
    mask,
  })
  const meter = createProgressMeter({
    maxTurns: begun.limits?.maxTurns,
    get earlierMs() {
      return ground?.earlierMs
    },
  })
  let clock = begun.startedAt
  const now = () => clock
  const events = agent === null ? null : createEventDecoder(agent, {now})
  const lines = createLineDecoder((line) => line)
  const times = createTextReader(open(files.timing))
  const answers = createTextReader(open(files.answers))
  const changes = createTextReader(open(files.files))
  const output = createByteReader(open(files.stdout))
  let record = begun
  let recordStamp = ''
  let lastOutputAt = begun.startedAt
  let isOver = false
  let messages: RunMessage[] = []
  let printed: string[] = []
  let printedLength = 0
  let mayHaveChanged = true
  /** Where reading was left off in the middle. */
  let reading: Generator<void> | undefined
  let turn = 0

  return {
    runId,
    workOrderId,
    get record() {
      return record
    },
    get isOver() {
      return isOver
    },
    get seq() {
      return teller.seq
    },
    get requestCount() {
      return teller.state.openRequests.length
    },
    advance,
    lookAgain() {
      mayHaveChanged = true
    },
    summarize,
    rest() {
      for (const file of [times, answers, changes, output]) file.rest()
    },
  }

  function advance(): {messages: RunMessage[]; isMore: boolean} {
    const until = performance.now() + LONGEST_TURN_MS
    turn++
    reading ??= readOn()
    let isMore = true
    while (isMore && messages.length < MOST_MESSAGES && performance.now() < until) {
      isMore = reading.next().done !== true
    }
    if (!isMore) reading = undefined
    const read = messages
    messages = []
    // Whoever said in the middle of it that the record is another says it once.
    return {messages: read, isMore: isMore || (mayHaveChanged && !isOver)}
  }

  /** Reads all that is new, and pauses where it could be left off. */
  function* readOn(): Generator<void> {
    if (isOver) return
    // What is asked in a session comes after it has begun, and its first message is the same whenever it is read.
    if (teller.seq === 0) messages.push(...teller.begin(describeOrigin(withoutLaterPrompt(begun))))
    // The record first: when it says that the run is over, all else is written.
    if (mayHaveChanged) readRecord()
    const {result} = record
    for (;;) {
      const readIn = turn
      const found = times.read()
      if (found.length === 0) break
      for (const line of found) {
        const piece = parsePiece(line)
        if (piece !== undefined) take(piece)
        if (piece?.kind === 'out') while (readOutput(piece.end)) yield
        yield
      }
      // Within one turn nothing can have come since.
      if (times.isAtEnd && turn === readIn) break
    }
    if (result === undefined) return
    const {sizes, endedAt = result.startedAt + result.durationMs} = record
    // What nobody saw come has the time of the end; what was seen later was seen later.
    clock = Math.max(clock, endedAt)
    while (readOutput(sizes?.stdout ?? Number.POSITIVE_INFINITY)) yield
    finish(result)
  }

  function readRecord(): void {
    mayHaveChanged = false
    const path = join(dir, 'run.json')
    const stats = statSync(path, {throwIfNoEntry: false})
    if (stats === undefined) return
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (stamp === recordStamp) return
    const read = readRunRecord(dir)
    // One with another marker is of another run, which took the place of this one.
    if (read === null || read.marker !== begun.marker) return
    record = read
    recordStamp = stamp
  }

  function take({at, kind, end}: Piece): void {
    clock = at
    switch (kind) {
      case 'out':
      case 'err':
        lastOutputAt = at
        return
      case 'answer':
        for (const line of answers.readTo(end)) {
          const requestId = parseObject(line)['requestId']
          if (typeof requestId === 'string') teller.settle(requestId, at)
        }
        return
      case 'file':
        for (const line of changes.readTo(end)) {
          const change = toChange(parseObject(line))
          if (change !== undefined) messages.push(...teller.change(change, at))
        }
        return
      case 'in':
        return
      default:
        kind satisfies never
    }
  }

  /** Reads some of the output; false when all of it up to an end has been read. */
  function readOutput(end: number): boolean {
    const read = output.read(end)
    if (read === undefined) {
      print()
      return false
    }
    if (events === null) for (const line of lines.push(read)) hear(line)
    else see(events.push(read))
    return true
  }

  function see(found: AgentEvent[]): void {
    // The run is watched by one clock; agents may have another.
    for (const event of found) messages.push(...teller.see(event, clock))
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
    if (text.trim() !== '') messages.push(...teller.print(text, clock))
  }

  function finish(result: NonNullable<RunRecord['result']>): void {
    if (events === null) for (const line of lines.end()) hear(line)
    else see(events.end())
    print()
    messages.push(...teller.flush(clock), ...teller.end(pickEnding(result), clock))
    isOver = true
  }

  function summarize(at: number): RunSummary {
    if (isOver && record.result !== undefined) return conclude(record.result)
    const {state} = teller
    return summarizeRun({
      ...findings(),
      progress: meter.read(state, at - begun.startedAt),
      waiting: explainWaiting(state, at, lastOutputAt),
      isStuck: record.live?.isStuck,
    })
  }

  function conclude(result: NonNullable<RunRecord['result']>): RunSummary {
    return summarizeRun({...findings(), progress: meter.finish(), ending: pickEnding(result)})
  }

  function findings() {
    const {state} = teller
    const spent = withUnsettled(state.ledger, events?.unsettled)
    return {runId, workOrderId, origin: describeOrigin(record), state, spent}
  }
}

/** What will hold of a run that is over once all of it is read, as far as its record tells. */
export function foreseeRun(record: RunRecord): RunSummary {
  const {runId, result} = record
  return summarizeRun({
    runId,
    workOrderId: workOrderOf(record),
    origin: describeOrigin(record),
    state: initialRunState,
    spent: withUnsettled(initialRunState.ledger, undefined),
    progress: createProgressMeter().finish(),
    ending: result && pickEnding(result),
  })
}

function workOrderOf({workOrder, runId}: RunRecord): string {
  return workOrder?.id ?? runId
}

const TITLE_LENGTH = 200

function withoutLaterPrompt(record: RunRecord): RunRecord {
  return record.agent === 'claude-hooks' ? {...record, prompt: undefined} : record
}

function describeOrigin({agent, prompt, argv, cwd, startedAt, host}: RunRecord): RunOrigin {
  const title = cutText(firstLine(prompt ?? argv.join(' ')), TITLE_LENGTH)
  return {agent, title, cwd, startedAt, host}
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function toChange({path, action, sizeBytes}: Record<string, unknown>) {
  if (typeof path !== 'string' || !isAction(action)) return undefined
  return {path, action, sizeBytes: typeof sizeBytes === 'number' ? sizeBytes : undefined}
}

function isAction(word: unknown): word is 'created' | 'modified' | 'deleted' {
  return word === 'created' || word === 'modified' || word === 'deleted'
}
