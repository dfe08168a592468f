import {constants, createReadStream, existsSync} from 'node:fs'
import {access, stat} from 'node:fs/promises'
import {addAbortSignal, type Readable} from 'node:stream'
import {createAgentDetector} from '../agents/detect-agent.ts'
import {findAgent} from '../agents/find-agent.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {findRun, type RecordedRun} from '../recording/list-runs.ts'
import {createArrivalTimes, type ArrivalTimes} from '../recording/read/arrival-times.ts'
import {followFile} from '../recording/read/follow-file.ts'
import {recordingAt} from '../recording/recording.ts'
import {readTiming} from '../recording/timing.ts'
import {CliError} from './cli-error.ts'
import {isRunId, requireRun} from './find-recording.ts'
import {logToStderr} from './output.ts'
import {requireAgent} from './agent-names.ts'

/** The output of an agent. */
export interface Input {
  /** `null` when no known agent prints this. */
  agent: Adapter | null
  /** Whether it begins with any JSON. */
  hasRecords: boolean
  /** All of it, from the start. */
  chunks: AsyncIterable<InputChunk>
  /** When the file was last written; `undefined` for stdin and pipes. */
  writtenAt: number | undefined
  /** The recorded run that printed it. */
  run?: RecordedRun | undefined
}

/** Bytes of an input. */
export interface InputChunk {
  bytes: Uint8Array
  /** When they arrived, if that was recorded. */
  at: number | undefined
}

/** How to open an input. */
export interface InputOptions {
  /** The agent, when the user names it. */
  agent?: string | undefined
  /** `raw` accepts any bytes. */
  format?: string | undefined
  /** Whether to wait for more at the end of a file. */
  follow?: boolean | undefined
  /** Ends the input. */
  signal?: AbortSignal | undefined
  /** The folder with the recordings. */
  dataDir?: string | undefined
}

/** Opens a file, a recorded run, or stdin for `-`, and detects the agent. */
export async function openInput(name: string, options: InputOptions = {}): Promise<Input> {
  const run = existsSync(name) ? null : findRun(name, options.dataDir)
  const recording = run === null ? undefined : recordingAt(run.dir)
  const file = recording?.stdout ?? name
  const timed = recording === undefined ? [] : readTiming(recording.timing)
  const agentName = options.agent ?? run?.record.agent ?? undefined
  const named = agentName === undefined ? undefined : requireAgent(agentName)
  if (file === '-' && process.stdin.isTTY) {
    throw new CliError(
      'stdin is a terminal. Name a file or a run, or pipe the output of an agent into vitrine',
    )
  }
  const writtenAt = file === '-' ? undefined : await checkFile(file, options.dataDir)
  const stream =
    file === '-'
      ? readStream(process.stdin, options.signal)
      : writtenAt === undefined
        ? readStream(createReadStream(file), options.signal)
        : readFile(file, options)
  const source = addTimes(stream, createArrivalTimes(timed, 'out'))
  const hint = setTimeout(() => {
    logToStderr(
      'waiting for the output of a known agent. Name it with --agent, or stop with Ctrl-C',
    )
  }, HINT_DELAY_MS)
  try {
    const {agent, hasRecords, held, isOver} = await detect(source, named)
    // The output of a recorded run may be anything.
    if (run === null) {
      const isEmpty = isOver && held.every(({bytes}) => bytes.every((byte) => byte <= 0x20))
      if (isEmpty) throw new CliError(`${labelOf(name)}: empty. ${EVENTS_HINT}`)
      const isBinary = !hasRecords && held[0]?.bytes.includes(0) === true
      if (isBinary && options.format !== 'raw') {
        throw new CliError(`${labelOf(name)}: binary data, not the output of an agent`)
      }
    }
    return {agent, hasRecords, chunks: chain(held, source), writtenAt, run: run ?? undefined}
  } finally {
    clearTimeout(hint)
  }
}

const EVENTS_HINT = 'Make the agent print events: vitrine agents lists the flags'

/** The name of a file in messages. */
export function labelOf(file: string): string {
  return file === '-' ? 'stdin' : file
}

/** When a file was last written; `undefined` for a pipe or a device. */
async function checkFile(file: string, dataDir: string | undefined): Promise<number | undefined> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new CliError(`${file}: is a directory. Name a file in it`)
    await access(file, constants.R_OK)
    return stats.isFile() ? Math.round(stats.mtimeMs) : undefined
  } catch (error) {
    if (error instanceof CliError) throw error
    const {code, message} = error as NodeJS.ErrnoException
    // Fails with the reason: no run, or several runs, start with this id.
    if (code === 'ENOENT' && isRunId(file)) requireRun(file, dataDir)
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    if (isMissing)
      throw new CliError(
        `${file}: no such file or run. List runs with vitrine runs, or use - for stdin`,
      )
    throw new CliError(`${file}: ${code === 'EACCES' ? 'permission denied' : message}`)
  }
}

/** Reads stdin or a pipe until it ends or the signal aborts. */
async function* readStream(stream: Readable, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> =
    signal === undefined ? stream : addAbortSignal(signal, stream)
  try {
    yield* chunks
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}

/** How often to check whether a followed file still exists. */
const EXISTS_INTERVAL_MS = 250

async function* readFile(
  file: string,
  {follow = false, signal}: InputOptions,
): AsyncGenerator<Uint8Array> {
  const follower = followFile(file, () => {
    if (follow) logToStderr(`${file}: was truncated; stopped following it`)
    follower.close()
  })
  signal?.addEventListener('abort', follower.close)
  if (!follow) follower.finish()
  const timer = setInterval(() => {
    if (!existsSync(file)) follower.finish()
  }, EXISTS_INTERVAL_MS).unref()
  try {
    yield* follower
  } finally {
    clearInterval(timer)
  }
}

/** Adds the recorded times, and splits chunks that arrived at different times. */
async function* addTimes(
  chunks: AsyncIterable<Uint8Array>,
  arrivals: ArrivalTimes,
): AsyncGenerator<InputChunk> {
  let position = 0
  for await (const chunk of chunks) {
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      const arrived = arrivals.chunkAt(position + start)
      end = Math.min(chunk.length, (arrived?.end ?? Infinity) - position)
      yield {bytes: chunk.subarray(start, end), at: (arrived ?? arrivals.last)?.at}
    }
    position += chunk.length
  }
}

const HINT_DELAY_MS = 3000

/** How much is read to detect the agent. */
const MAX_LINES = 20
/** Agents may print a few lines of text before their events. */
const MAX_TEXT_LINES = 10
const MAX_BYTES = 1024 * 1024
/** A whole run can be one line. */
const MAX_FIRST_LINE_BYTES = 64 * 1024 * 1024

/** The agent, and the chunks that were read to detect it. */
interface Detected {
  agent: Adapter | null
  /** Whether the beginning has any JSON. */
  hasRecords: boolean
  held: InputChunk[]
  /** Whether the source has no more chunks. */
  isOver: boolean
}

async function detect(
  source: AsyncGenerator<InputChunk>,
  named: Adapter | undefined,
): Promise<Detected> {
  const lines = createLineDecoder((raw) => raw)
  const detector = createAgentDetector()
  const held: InputChunk[] = []
  let size = 0
  let count = 0
  let agent: Adapter | null = named ?? null
  let isOver = false
  do {
    const next = await source.next()
    isOver = next.done === true
    if (next.done !== true) {
      held.push(next.value)
      size += next.value.bytes.length
    }
    for (const line of next.done === true ? lines.end() : lines.push(next.value.bytes)) {
      count++
      agent ??= findAgent(detector.add(line) ?? '')
    }
  } while (!isOver && agent === null && mayFindAgent())
  agent ??= findAgent(detector.guess() ?? '')
  return {agent, hasRecords: detector.recordCount > 0, held, isOver}

  function mayFindAgent(): boolean {
    if (count >= MAX_LINES || (count >= MAX_TEXT_LINES && detector.recordCount === 0)) return false
    return size <= (count === 0 ? MAX_FIRST_LINE_BYTES : MAX_BYTES)
  }
}

async function* chain(
  held: InputChunk[],
  rest: AsyncGenerator<InputChunk>,
): AsyncGenerator<InputChunk> {
  for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk
  yield* rest
}
