import {open, stat} from 'node:fs/promises'
import {existsSync, watch, type FSWatcher} from 'node:fs'
import {once} from 'node:events'
import {createAgentDetector} from '../agents/detect-agent.ts'
import {findAgent} from '../agents/find-agent.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {findRun, type RecordedRun} from '../recording/list-runs.ts'
import {recordingAt} from '../recording/recording.ts'
import {readTiming, type Piece} from '../recording/timing.ts'
import {CliError, createNoSuchRunError} from './cli-error.ts'
import {logToStderr} from './output.ts'
import {requireAgent} from './require-agent.ts'

/** A stream of an agent's, and whose it is. */
export interface Input {
  /** `null` when nobody is known to print this. */
  agent: Adapter | null
  /** Whether there is any JSON in its beginning. */
  hasRecords: boolean
  /** All of it, from the start. */
  chunks: AsyncIterable<Uint8Array>
  /** When the file was written last; `undefined` for what is being written now. */
  writtenAt: number | undefined
  /** The run whose output it is, when it was recorded. */
  run?: RecordedRun | undefined
  /** When the chunk came that was given last, where that was recorded. */
  cameAt(): number | undefined
}

/** Which stream to open. */
export interface InputOptions {
  /** The agent, where the user names it. */
  agent?: string | undefined
  /** `raw` takes any bytes. */
  format?: string | undefined
  /** Whether to wait for more at the end of a file. */
  follow?: boolean | undefined
  /** Where recordings are kept. */
  dataDir?: string | undefined
}

/** Opens a file, a run that was recorded, or stdin for `-`, and finds out whose output it is. */
export async function openInput(name: string, options: InputOptions = {}): Promise<Input> {
  const run = existsSync(name) ? null : findRun(name, options.dataDir)
  const recording = run === null ? undefined : recordingAt(run.dir)
  const file = recording?.stdout ?? name
  const pieces = recording === undefined ? [] : readTiming(recording.timing)
  const timeline = createTimeline(pieces.filter(({kind}) => kind === 'out'))
  const agentName = options.agent ?? run?.record.agent ?? undefined
  const named = agentName === undefined ? undefined : requireAgent(agentName)
  if (file === '-' && process.stdin.isTTY) {
    throw new CliError('nothing to read: name a recording, or pipe one in')
  }
  const writtenAt = file === '-' ? undefined : await checkFile(file)
  const source = file === '-' ? readStdin() : readFile(file, options, timeline)
  const hint = setTimeout(() => {
    logToStderr('nothing yet that an agent prints; waiting. --agent names one, Ctrl-C stops')
  }, PATIENCE_MS)
  try {
    const label = labelOf(name)
    const {chunks, agent, hasRecords} = await detect(
      source,
      named,
      run === null ? label : undefined,
    )
    // Of a run it is known whose output it is, whatever that holds.
    const isInDoubt = run === null && options.format !== 'raw' && !hasRecords
    if (isInDoubt && chunks.first?.includes(0) === true) {
      throw new CliError(`${label}: binary, not the output of an agent. Name a recording (JSONL)`)
    }
    const {at: cameAt} = timeline
    return {agent, hasRecords, chunks: chunks.all, writtenAt, run: run ?? undefined, cameAt}
  } finally {
    clearTimeout(hint)
  }
}

/** What a file is called in a remark. */
export function labelOf(file: string): string {
  return file === '-' ? 'stdin' : file
}

async function checkFile(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new CliError(`${file}: is a folder. Name a recording in it`)
    return stats.isFile() ? Math.round(stats.mtimeMs) : undefined
  } catch (error) {
    if (error instanceof CliError) throw error
    const {code, message} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && /^[0-9a-f]{4,}$/.test(file)) {
      throw createNoSuchRunError(file)
    }
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    const reason = isMissing ? 'no such file. Name a recording, or - for stdin' : message
    throw new CliError(`${file}: ${reason}`)
  }
}

async function* readStdin(): AsyncGenerator<Uint8Array> {
  for await (const chunk of process.stdin) yield chunk as Uint8Array
}

const CHUNK_SIZE = 64 * 1024

/** When each part of a file came, for those who read it from its start. */
interface Timeline {
  /** How much from a position on came at once. */
  sizeAt(position: number): number
  /** When the part came that ends there. */
  moveTo(position: number): void
  at(): number | undefined
}

function createTimeline(pieces: readonly Piece[]): Timeline {
  let next = 0
  let at: number | undefined
  return {
    sizeAt: (position) => (pieces[next]?.end ?? Infinity) - position,
    moveTo(position) {
      at = pieces[next]?.at ?? at
      while (next < pieces.length && (pieces[next]?.end ?? 0) <= position) next++
    },
    at: () => at,
  }
}

async function* readFile(
  file: string,
  {follow = false}: InputOptions,
  timeline: Timeline,
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file)
  let position = 0
  try {
    for (;;) {
      const size = Math.min(CHUNK_SIZE, timeline.sizeAt(position))
      const {bytesRead, buffer} = await handle.read(Buffer.allocUnsafe(size))
      position += bytesRead
      timeline.moveTo(position)
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
      else if (!follow) return
      else if ((await handle.stat()).size < position) {
        return logToStderr(`${file}: was cut or written anew; not following it any further`)
      } else if (!(await waitForMore(file))) return
    }
  } finally {
    await handle.close()
  }
}

async function openFile(file: string) {
  try {
    return await open(file)
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    throw new CliError(`${file}: ${code === 'EACCES' ? 'permission denied' : message}`)
  }
}

/** Not every file system tells of changes, so a look now and then is due anyway. */
const LOOK_AGAIN_MS = 250

/** Waits until a file may have grown; false when it is gone. */
async function waitForMore(file: string): Promise<boolean> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), LOOK_AGAIN_MS)
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(file)
    await once(watcher, 'change', {signal: controller.signal})
    return true
  } catch (error) {
    // When time is up it looks anyway.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  } finally {
    clearTimeout(timer)
    watcher?.close()
  }
}

/** Whoever waits at a pipe for longer than this wants to know why. */
const PATIENCE_MS = 3000

/** So much is looked at before giving up on finding out whose output it is. */
const MOST_LINES = 20
/** Agents may say a few words before they begin. */
const MOST_PROSE = 10
const MOST_BYTES = 1024 * 1024
/** A whole run can be one line. */
const MOST_BYTES_OF_LINE = 64 * 1024 * 1024

/** Whose output it is, as far as the beginning tells, and all of it. */
interface Detected {
  agent: Adapter | null
  chunks: {first: Uint8Array | undefined; all: AsyncIterable<Uint8Array>}
  /** Whether there is any JSON in it. */
  hasRecords: boolean
}

async function detect(
  source: AsyncGenerator<Uint8Array>,
  named: Adapter | undefined,
  /** What it is called in an error when it is empty, as a run may be. */
  label: string | undefined,
): Promise<Detected> {
  const lines = createLineDecoder((raw) => raw)
  const detector = createAgentDetector()
  const held: Uint8Array[] = []
  let size = 0
  let count = 0
  let agent: Adapter | null = named ?? null
  let isOver = false
  do {
    const next = await source.next()
    isOver = next.done === true
    if (next.done !== true) {
      held.push(next.value)
      size += next.value.length
    }
    for (const line of next.done === true ? lines.end() : lines.push(next.value)) {
      count++
      agent ??= findAgent(detector.add(line) ?? '')
    }
  } while (!isOver && agent === null && isWorthMore())
  agent ??= findAgent(detector.guess() ?? '')
  if (label !== undefined && isOver && held.every((chunk) => chunk.every((byte) => byte <= 0x20))) {
    throw new CliError(
      `${label}: empty. Was the agent told to print its events? See vitrine agents`,
    )
  }
  const chunks = {first: held[0], all: chain(held, source)}
  return {agent, chunks, hasRecords: detector.recordCount > 0}

  function isWorthMore(): boolean {
    if (count >= MOST_LINES || (count >= MOST_PROSE && detector.recordCount === 0)) return false
    return size <= (count === 0 ? MOST_BYTES_OF_LINE : MOST_BYTES)
  }
}

async function* chain(
  held: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk
  yield* rest
}
