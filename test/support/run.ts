import {spawn, type ChildProcessByStdio} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {expect} from 'vitest'
import {bin} from './vitrine.ts'

export {sleep}

/** The script of a fake agent, such as `happy`. */
export function fake(name: string): string {
  return fileURLToPath(new URL(`../fake-agents/${name}.js`, import.meta.url))
}

/** What a command may be given. */
interface StartOptions {
  env?: Record<string, string> | undefined
  /** What it reads; nothing, unless told. */
  input?: string | undefined
  /** Where it is started; the folder of the place, unless told. */
  cwd?: string | undefined
}

/** What a fake agent may be given besides. */
interface FakeOptions extends StartOptions {
  /** Whose tongue it speaks: Claude's, unless told. */
  agent?: string | undefined
  /** Its own arguments. */
  agentArgs?: readonly string[] | undefined
}

/** What became of a command. */
export interface Ended {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A command at work. */
interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  ended: Promise<Ended>
  /** Waits until what it printed on stdout contains a text. */
  prints(text: string): Promise<void>
}

/** The last line of `--format json` and of `--verdict`. */
export interface VerdictLine {
  type: 'verdict'
  verdict: string
  reason: string
  costUsd: number | null
  turns: number
  lines: number
  malformed: number
  unknown: number
  runId: string
}

/** A line of `vitrine runs --json`. */
interface ListedRun {
  runId: string
  verdict: string | null
  reason: string | null
  dir: string
  agent: string | null
  exitCode: number | null
  signal: string | null
  costUsd: number | null
}

/** A folder of its own for recordings and files, and a mark on all processes that come of it. */
export interface Place {
  folder: string
  dataDir: string
  /** A path in the folder. */
  file(name: string): string
  /** Starts a command of Vitrine. */
  start(args: readonly string[], options?: StartOptions): Running
  /** Runs a command of Vitrine that reads recordings, such as `['runs', '--json']`, to its end. */
  vitrine(args: readonly string[], options?: StartOptions): Promise<Ended>
  /** Starts `vitrine run` with a fake agent. */
  startFake(name: string, args?: readonly string[], options?: FakeOptions): Running
  /** The same, to its end. */
  runFake(name: string, args?: readonly string[], options?: FakeOptions): Promise<Ended>
  /** The folder of a recording. */
  dirOf(runId: string): string
  /** A file of a recording; empty when it is not there. */
  read(runId: string, file: 'stdout' | 'stderr' | 'stdin' | 'timing.ndjson'): Buffer
  /** `run.json` of a recording. */
  readRun(runId: string): Record<string, unknown>
  /** All runs that are recorded, as `vitrine runs --json` lists them. */
  list(): Promise<ListedRun[]>
  /** The processes that are still there, of all that were started here. */
  survivors(): number[]
  /** Fails unless all of them end. */
  expectNoSurvivors(): Promise<void>
  /** Ends what is left and removes the folder. */
  clear(): void
}

/** Makes a folder for one test file. */
export function createPlace(): Place {
  const mark = `VITRINE_TEST_PLACE=${randomUUID()}`
  const [markName = '', markValue = ''] = mark.split('=')
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-run-'))
  const dataDir = join(folder, 'data')

  function start(args: readonly string[], options: StartOptions = {}): Running {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        TZ: 'UTC',
        [markName]: markValue,
        ...options.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // Whoever ends before it has read all is no error of ours.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    return {
      child,
      ended: once(child, 'close').then(([exitCode, signal]) => ({
        exitCode: exitCode as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout: stdout(),
        stderr: stderr(),
      })),
      async prints(text) {
        while (!stdout().includes(text)) {
          if (child.exitCode !== null || child.signalCode !== null) {
            throw new Error(`ended without printing ${text}:\n${stdout()}\n${stderr()}`)
          }
          await sleep(5)
        }
      },
    }
  }

  const place: Place = {
    folder,
    dataDir,
    file: (name) => join(folder, name),
    start,
    vitrine: ([command = '', ...args], options) =>
      start([command, '--data-dir', dataDir, ...args], options).ended,
    startFake(name, args = [], {agent = 'claude', agentArgs = [], ...options} = {}) {
      const command = ['--', fake(name), ...agentArgs]
      return start(['run', '--data-dir', dataDir, '--agent', agent, ...args, ...command], options)
    },
    runFake: (name, args, options) => place.startFake(name, args, options).ended,
    dirOf: (runId) => join(dataDir, 'runs', runId),
    read(runId, name) {
      const path = join(place.dirOf(runId), name)
      return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    },
    readRun: (runId) =>
      JSON.parse(readFileSync(join(place.dirOf(runId), 'run.json'), 'utf8')) as Record<
        string,
        unknown
      >,
    async list() {
      const {exitCode, stdout, stderr} = await place.vitrine(['runs', '--json'])
      expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
      return readLines(stdout) as ListedRun[]
    },
    survivors: () => findMarked(mark),
    async expectNoSurvivors() {
      await expect.poll(() => findMarked(mark).map(describeProcess), {timeout: 10_000}).toEqual([])
    },
    clear() {
      for (const pid of findMarked(mark)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It was faster.
        }
      }
      rmSync(folder, {recursive: true, force: true})
    },
  }
  return place
}

/** The last line that was printed: how it ended. */
export function lastVerdict({stdout, stderr}: Ended): VerdictLine {
  const line = stdout.trimEnd().split('\n').at(-1) ?? ''
  try {
    return JSON.parse(line) as VerdictLine
  } catch {
    throw new Error(`no verdict in the end:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`)
  }
}

/** JSON, line by line. */
export function readLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

/** The permissions of a file, such as `600`. */
export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Waits, for as long as it takes, until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10)
}

/** Whether a process is there and no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !/^State:\s+Z/m.test(readOr(`/proc/${pid}/status`))
}

function collect(stream: Readable): () => string {
  const chunks: string[] = []
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => chunks.push(text))
  return () => chunks.join('')
}

/** Processes with a variable in their environment; none where the system does not tell. */
function findMarked(mark: string): number[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readOr(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map(Number)
}

function describeProcess(pid: number): string {
  return `${pid} ${readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
