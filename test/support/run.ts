import {spawn, type ChildProcessByStdio} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {findProcessesByEnv, readCommand, readText} from './process-stats.js'
import {bin} from './vitrine.ts'

export {sleep}

/** The script of a fake agent, such as `happy`. */
export function fake(name: string): string {
  return fileURLToPath(new URL(`../fake-agents/${name}.js`, import.meta.url))
}

interface StartOptions {
  env?: Record<string, string> | undefined
  /** Content of stdin; empty by default. */
  input?: string | undefined
  /** The folder of the place by default. */
  cwd?: string | undefined
}

interface FakeOptions extends StartOptions {
  /** The agent whose format it prints; `claude` by default. */
  agent?: string | undefined
  agentArgs?: readonly string[] | undefined
}

/** How a command ended, and its output. */
export interface Ended {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A running command. */
interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  ended: Promise<Ended>
  /** Waits until stdout contains a text. */
  prints(text: string): Promise<void>
  /** Waits until stderr contains a text. */
  warns(text: string): Promise<void>
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
  evidence: string[]
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

/** A temporary folder for recordings and files, and a marker in the environment of all processes started for it. */
export interface Place {
  folder: string
  dataDir: string
  /** Environment that marks a process as started for this place. */
  env: Record<string, string>
  /** Absolute path of a file in the folder. */
  file(name: string): string
  /** Starts a command of Vitrine. */
  start(args: readonly string[], options?: StartOptions): Running
  /** Runs a command of Vitrine that reads recordings, such as `['runs', '--json']`, and waits for its end. */
  vitrine(args: readonly string[], options?: StartOptions): Promise<Ended>
  /** Starts `vitrine run` with a fake agent. */
  startFake(name: string, args?: readonly string[], options?: FakeOptions): Running
  /** Runs `vitrine run` with a fake agent and waits for its end. */
  runFake(name: string, args?: readonly string[], options?: FakeOptions): Promise<Ended>
  /** Starts `vitrine run` with a shell script as the agent. */
  startShell(script: string, args?: readonly string[], options?: StartOptions): Running
  /** The recording directory of a run. */
  dirOf(runId: string): string
  /** Content of a file of a recording; empty when the file does not exist. */
  read(runId: string, file: 'stdout' | 'stderr' | 'stdin' | 'timing.ndjson'): Buffer
  /** `run.json` of a recording. */
  readRun(runId: string): Record<string, unknown>
  /** All recorded runs, as `vitrine runs --json` lists them. */
  list(): Promise<ListedRun[]>
  /** Processes that were started for this place and are still running. */
  survivors(): number[]
  /** Fails unless all of them end. */
  expectNoSurvivors(): Promise<void>
  /** Kills processes that are still running and removes the folder. */
  clear(): void
}

/** Creates a place for one test file, or for one test that runs concurrently with others. */
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
    // A command may end before it has read all of its stdin.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    async function waitFor(output: () => string, text: string): Promise<void> {
      while (!output().includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`ended without printing ${text}:\n${stdout()}\n${stderr()}`)
        }
        await sleep(5)
      }
    }
    return {
      child,
      ended: once(child, 'close').then(([exitCode, signal]) => ({
        exitCode: exitCode as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout: stdout(),
        stderr: stderr(),
      })),
      prints: (text) => waitFor(stdout, text),
      warns: (text) => waitFor(stderr, text),
    }
  }

  const place: Place = {
    folder,
    dataDir,
    env: {[markName]: markValue},
    file: (name) => join(folder, name),
    start,
    vitrine: ([command = '', ...args], options) =>
      start([command, '--data-dir', dataDir, ...args], options).ended,
    startFake(name, args = [], {agent = 'claude', agentArgs = [], ...options} = {}) {
      const command = ['--', fake(name), ...agentArgs]
      return start(['run', '--data-dir', dataDir, '--agent', agent, ...args, ...command], options)
    },
    runFake: (name, args, options) => place.startFake(name, args, options).ended,
    startShell(script, args = [], options) {
      const run = ['run', '--data-dir', dataDir, '--agent', 'claude', ...args]
      return start([...run, '--', 'sh', '-c', script], options)
    },
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
    survivors: () => findProcessesByEnv(mark),
    async expectNoSurvivors() {
      const deadline = Date.now() + SURVIVOR_TIMEOUT_MS
      for (;;) {
        const left = findProcessesByEnv(mark).map((pid) => `${pid} ${readCommand(pid)}`)
        if (left.length === 0) return
        if (Date.now() > deadline) throw new Error(`processes still running:\n${left.join('\n')}`)
        await sleep(20)
      }
    },
    clear() {
      for (const pid of findProcessesByEnv(mark)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has ended in the meantime.
        }
      }
      rmSync(folder, {recursive: true, force: true})
    },
  }
  return place
}

/** Time after which a stopped process is expected to be gone. */
const SURVIVOR_TIMEOUT_MS = 10_000

/** A test with a place of its own, which is cleared when it ends: such tests may run concurrently. */
export const placeTest = test.extend<{place: Place}>({
  // Vitest reads the names of fixtures from the pattern.
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => {
    const release = await acquireSlot()
    const place = createPlace()
    try {
      await use(place)
    } finally {
      place.clear()
      release()
    }
  },
})

/** More concurrent tests per file slow each other down: five files run at once. */
const MAX_CONCURRENT_PLACES = 4
let freeSlots = MAX_CONCURRENT_PLACES
const waiting: (() => void)[] = []

async function acquireSlot(): Promise<() => void> {
  if (freeSlots > 0) freeSlots--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return () => {
    const next = waiting.shift()
    if (next === undefined) freeSlots++
    else next()
  }
}

/** Parses the verdict, which is the last line of stdout. */
export function lastVerdict({stdout, stderr}: Ended): VerdictLine {
  const line = stdout.trimEnd().split('\n').at(-1) ?? ''
  try {
    return JSON.parse(line) as VerdictLine
  } catch {
    throw new Error(`no verdict on the last line:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`)
  }
}

/** Parses JSON lines. */
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

/** Polls until a condition holds; the timeout of the test limits it. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  intervalMs = 10,
): Promise<void> {
  while (!(await condition())) await sleep(intervalMs)
}

/** Runs an action for each item, at most three at once: processes wait for each other anyway. */
export async function inBatches<T>(
  items: readonly T[],
  action: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await action(item)
  }
  await Promise.all([work(), work(), work()])
}

/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !/^State:\s+Z/m.test(readText(`/proc/${pid}/status`))
}

function collect(stream: Readable): () => string {
  const chunks: string[] = []
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => chunks.push(text))
  return () => chunks.join('')
}
