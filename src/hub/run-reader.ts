import {closeSync, openSync, readSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {
  createEventDecoder,
  createLineDecoder,
  createMessageTeller,
  createProgressMeter,
  cutText,
  explainWaiting,
  firstLine,
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
  /** Reads what is new. */
  advance(emit: Emit): Promise<void>
  /** What holds of the run. */
  summarize(now: number): RunSummary
}

/** Takes messages, in order; who reads waits for it. */
type Emit = (messages: RunMessage[]) => void | Promise<void>

/** What a reader needs besides the recording. */
export interface RunReaderOptions {
  agent: Adapter | null
  /** Takes secrets out of a text. */
  mask?: ((text: string) => string) | undefined
  ground?: ProgressGround | undefined
}

const CHUNK_SIZE = 64 * 1024
/** Others want to be served too. */
const LONGEST_TURN_MS = 8
const MOST_PENDING = 256

/** Opens a recording for reading. */
export function openRunReader(
  dir: string,
  begun: RunRecord,
  {agent, mask, ground}: RunReaderOptions,
): RunReader {
  const {runId} = begun
  const workOrderId = begun.workOrder?.id ?? runId
  const origin = describeOrigin(begun)
  const files = recordingAt(dir)
  const teller = createMessageTeller({
    ids: {workOrderId, runId},
    tellsFiles: begun.isWatched !== true,
    mask,
  })
  const meter = createProgressMeter({maxTurns: begun.limits?.maxTurns, ...ground})
  let clock = begun.startedAt
  const now = () => clock
  const events = agent === null ? null : createEventDecoder(agent, {now})
  const lines = createLineDecoder((line) => line)
  const times = createTextReader(files.timing)
  const answers = createTextReader(files.answers)
  const changes = createTextReader(files.files)
  const output = createByteReader(files.stdout)
  let record = begun
  let recordStamp = ''
  let lastOutputAt = begun.startedAt
  let isOver = false
  let pending: RunMessage[] = []
  let turnStartedAt = 0

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
    summarize,
  }

  async function advance(emit: Emit): Promise<void> {
    if (isOver) return
    turnStartedAt = performance.now()
    if (teller.seq === 0) pending.push(...teller.begin(origin))
    // The record first: when it says that the run is over, all else is written.
    readRecord()
    const {result} = record
    for (;;) {
      const found = times.read()
      if (found.length === 0) break
      for (const line of found) {
        const piece = parsePiece(line)
        if (piece !== undefined) await readPiece(piece, emit)
        if (pending.length >= MOST_PENDING) await flush(emit)
      }
    }
    if (result !== undefined) await finish(result, emit)
    await flush(emit)
  }

  function readRecord(): void {
    const path = join(dir, 'run.json')
    const stats = statSync(path, {throwIfNoEntry: false})
    if (stats === undefined) return
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (stamp === recordStamp) return
    const read = readRunRecord(dir)
    if (read === null) return
    record = read
    recordStamp = stamp
  }

  async function readPiece({at, kind, end}: Piece, emit: Emit): Promise<void> {
    clock = at
    switch (kind) {
      case 'out':
        lastOutputAt = at
        return readOutput(end, emit)
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
          if (change !== undefined) pending.push(...teller.change(change, at))
        }
        return
      case 'in':
        return
      default:
        kind satisfies never
    }
  }

  async function readOutput(end: number, emit: Emit): Promise<void> {
    for (;;) {
      const read = output.read(end)
      if (read === undefined) return
      if (events === null) print(lines.push(read))
      else see(events.push(read))
      await flush(emit)
    }
  }

  function see(found: AgentEvent[]): void {
    // The run is watched by one clock; agents may have another.
    for (const event of found) pending.push(...teller.see(event, clock))
  }

  /** What a program prints that is no known agent. */
  function print(found: string[]): void {
    const text = found.join('')
    if (text.trim() !== '') pending.push(...teller.print(text, clock))
  }

  async function finish(result: NonNullable<RunRecord['result']>, emit: Emit): Promise<void> {
    const {sizes, endedAt = result.startedAt + result.durationMs} = record
    // What nobody saw come has the time of the end; what was seen later was seen later.
    clock = Math.max(clock, endedAt)
    await readOutput(sizes?.stdout ?? Number.POSITIVE_INFINITY, emit)
    if (events === null) print(lines.end())
    else see(events.end())
    pending.push(...teller.flush(clock), ...teller.end(pickEnding(result), clock))
    isOver = true
  }

  async function flush(emit: Emit): Promise<void> {
    if (pending.length > 0) {
      const messages = pending
      pending = []
      await emit(messages)
    }
    if (performance.now() - turnStartedAt < LONGEST_TURN_MS) return
    await setImmediate()
    turnStartedAt = performance.now()
  }

  function summarize(at: number): RunSummary {
    const {state} = teller
    const spent = withUnsettled(state.ledger, events?.unsettled)
    if (isOver && record.result !== undefined) {
      const ending = pickEnding(record.result)
      return summarizeRun({
        runId,
        workOrderId,
        origin,
        state,
        spent,
        progress: meter.finish(),
        ending,
      })
    }
    return summarizeRun({
      runId,
      workOrderId,
      origin,
      state,
      spent,
      progress: meter.read(state, at - origin.startedAt),
      waiting: explainWaiting(state, at, lastOutputAt),
      isStuck: record.live?.isStuck,
    })
  }
}

const TITLE_LENGTH = 200

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

/** What is read is dealt with before anything else is, so that one place is enough for all runs. */
const chunk = Buffer.allocUnsafe(CHUNK_SIZE)

/** Reads a file that grows, from where it left off. What it gives is good until the next is read, of whatever file. */
function createByteReader(path: string): {read(end: number): Buffer | undefined} {
  let position = 0
  return {
    read(end) {
      const wanted = Math.min(CHUNK_SIZE, end - position)
      if (wanted <= 0) return undefined
      const length = readAt(path, wanted, position)
      position += length
      return length === 0 ? undefined : chunk.subarray(0, length)
    },
  }
}

function readAt(path: string, wanted: number, position: number): number {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // Not there yet, or removed.
    return 0
  }
  try {
    return readSync(file, chunk, 0, wanted, position)
  } finally {
    closeSync(file)
  }
}

/** Reads whole lines of a file that grows. */
function createTextReader(path: string): {read(): string[]; readTo(end: number): string[]} {
  const bytes = createByteReader(path)
  const lines = createLineDecoder((line) => line)
  const isWhole = (line: string) => line.endsWith('\n')
  return {
    read() {
      const read = bytes.read(Number.POSITIVE_INFINITY)
      return read === undefined ? [] : lines.push(read).map((line) => line.trimEnd())
    },
    readTo(end) {
      const found: string[] = []
      for (let read = bytes.read(end); read !== undefined; read = bytes.read(end)) {
        found.push(...lines.push(read).filter(isWhole))
      }
      return found
    },
  }
}
