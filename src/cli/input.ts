import {open, stat} from 'node:fs/promises'
import {watch} from 'node:fs'
import {once} from 'node:events'
import {agents, detectAgent, findAgent} from '../agents/index.ts'
import {createLineDecoder, type Adapter} from '../core/index.ts'
import {CliError} from './cli-error.ts'
import {remark} from './output.ts'

/** A stream of an agent's, and whose it is. */
export interface Input {
  /** `null` when nobody is known to print this. */
  agent: Adapter | null
  /** All of it, from the start. */
  chunks: AsyncIterable<Uint8Array>
  /** When the file was written last; `undefined` for what is being written now. */
  writtenAt: number | undefined
}

/** Which stream to open. */
export interface InputOptions {
  /** The agent, where the user names it. */
  agent?: string | undefined
  /** Whether to wait for more at the end of a file. */
  follow?: boolean | undefined
  /** Stops the waiting. */
  signal?: AbortSignal | undefined
}

/** Opens a file, or stdin for `-`, and finds out whose output it is. */
export async function openInput(file: string, options: InputOptions = {}): Promise<Input> {
  const named = options.agent === undefined ? undefined : requireAgent(options.agent)
  if (file === '-' && process.stdin.isTTY) {
    throw new CliError('nothing to read: name a recording, or pipe one in')
  }
  const writtenAt = file === '-' ? undefined : await checkFile(file)
  const source = file === '-' ? readStdin() : readFile(file, options)
  const hint = setTimeout(() => {
    remark('nothing yet that an agent prints; waiting. --agent names one, Ctrl-C stops')
  }, PATIENCE_MS)
  try {
    const {chunks, agent} = await detect(source, named, file === '-' ? 'stdin' : file)
    return {agent, chunks, writtenAt}
  } finally {
    clearTimeout(hint)
  }
}

/** The agent of that name, or an error that lists all names. */
function requireAgent(name: string): Adapter {
  const agent = findAgent(name)
  if (agent !== null) return agent
  const names = agents.map(({id}) => id).join(', ')
  throw new CliError(`--agent ${name}: no agent is known by that name. Known: ${names}`)
}

async function checkFile(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new CliError(`${file}: is a folder. Name a recording in it`)
    return stats.isFile() ? stats.mtimeMs : undefined
  } catch (error) {
    if (error instanceof CliError) throw error
    const {code, message} = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'no such file. Name a recording, or - for stdin' : message
    throw new CliError(`${file}: ${reason}`)
  }
}

async function* readStdin(): AsyncGenerator<Uint8Array> {
  for await (const chunk of process.stdin) yield chunk as Uint8Array
}

const CHUNK_SIZE = 64 * 1024

async function* readFile(file: string, options: InputOptions): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file)
  try {
    for (;;) {
      const {bytesRead, buffer} = await handle.read(Buffer.allocUnsafe(CHUNK_SIZE))
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
      else if (options.follow !== true || options.signal?.aborted === true) return
      else await waitForMore(file, options.signal)
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

async function waitForMore(file: string, signal: AbortSignal | undefined): Promise<void> {
  const controller = new AbortController()
  const watcher = watch(file)
  const timer = setTimeout(() => controller.abort(), LOOK_AGAIN_MS)
  const signals = [controller.signal, ...(signal === undefined ? [] : [signal])]
  try {
    await once(watcher, 'change', {signal: AbortSignal.any(signals)})
  } catch {
    // Nothing has changed: look anyway.
  } finally {
    clearTimeout(timer)
    watcher.close()
  }
}

/** Whoever waits at a pipe for longer than this wants to know why. */
const PATIENCE_MS = 3000

/** So much is looked at before giving up on finding out whose output it is. */
const MOST_LINES = 20
const MOST_BYTES = 1024 * 1024
/** A whole run can be one line. */
const MOST_BYTES_OF_LINE = 64 * 1024 * 1024

async function detect(
  source: AsyncGenerator<Uint8Array>,
  named: Adapter | undefined,
  label: string,
): Promise<{agent: Adapter | null; chunks: AsyncIterable<Uint8Array>}> {
  const lines = createLineDecoder((raw) => raw)
  const held: Uint8Array[] = []
  let size = 0
  let count = 0
  let agent: Adapter | null = named ?? null
  let isOver = false
  while (agent === null && count < MOST_LINES) {
    if (size > (count === 0 ? MOST_BYTES_OF_LINE : MOST_BYTES)) break
    const next = await source.next()
    isOver = next.done === true
    if (next.done !== true) {
      held.push(next.value)
      size += next.value.length
    }
    const batch = next.done === true ? lines.end() : lines.push(next.value)
    count += batch.length
    agent = findAgent(detectAgent(batch) ?? '')
    if (isOver) break
  }
  if (isOver && agent === null) checkContent(held, label)
  return {agent, chunks: chain(held, source)}
}

/** Says what is wrong with a file that nobody can have printed. */
function checkContent(held: Uint8Array[], label: string): void {
  if (held.every((chunk) => chunk.every((byte) => byte <= 0x20))) {
    throw new CliError(
      `${label}: empty. Was the agent told to print its events? See vitrine agents`,
    )
  }
}

async function* chain(
  held: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk
  yield* rest
}
