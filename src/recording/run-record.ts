import type {Limits} from '../core/run/limits.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import type {LineOptions} from '../core/wire/lines.ts'
import type {ProcessId} from './process-id.ts'

/** What is written down of a run beside its output: `run.json`. */
export interface RunRecord {
  /** Of this format. */
  version: 1
  runId: string
  /** The command as it was given. */
  argv: string[]
  /** The command as it was run, with the arguments that make it print its events. */
  ranArgv: string[]
  cwd: string
  /** `null` for a command that is no known agent. */
  agent: string | null
  agentVersion?: string | undefined
  /** What it was asked to do, as far as the arguments tell. */
  prompt?: string | undefined
  startedAt: number
  /** The agent's process, while it runs. */
  process?: ProcessId | undefined
  /** By which its processes are found. */
  marker: string
  /** Who looks after it. */
  supervisor: ProcessId
  /** The machine on which it runs and is looked after, when that is another. */
  host?: string | undefined
  /** Whether what becomes of files is written down beside the output. */
  isWatched?: boolean | undefined
  /** How far it may go, for whoever looks after it next. */
  limits?: RunLimits | undefined
  /** The run that it is a part of, when a loop runs the agent again and again. */
  workOrder?: {id: string; iteration: number} | undefined
  /** How far it is, now and then. */
  live?: LiveRun | undefined
  /** What the recorder of an interactive session has to remember between two hooks. */
  session?: HookSession | undefined
  endedAt?: number | undefined
  /** How much of each file there is, once it is over: what comes after that is not of the run. */
  sizes?: Sizes | undefined
  result?: Omit<RunResult, 'dir' | 'text'> | undefined
}

/** How many bytes the files of a recording have, as far as that is known. */
export type Sizes = Partial<Record<RecordingFile, number>> & {stdout: number; stderr: number}

/** How far a run may go, and what is done then. */
export interface RunLimits extends Limits, LineOptions {
  onStuck?: 'warn' | 'stop' | undefined
  killAfterMs?: number | undefined
}

/** An interactive session, as far as its recorder has followed it. */
export interface HookSession {
  /** The name of the lock file for writing to the recording. */
  lock: string
  /** The transcript that the agent keeps of the session, and up to which byte it was read. */
  transcript?: string | undefined
  offset: number
  /** Permissions that were asked for and are not known to be answered. */
  requests: HookRequest[]
  /** What it cost so far, by list prices, and the part of the last request, of which more rows may come. */
  cost?: {usd: number; lastKey: string; lastUsd: number} | undefined
}

/** A permission that a session asked for. */
export interface HookRequest {
  name: string
  /** Identifies the input of the call: a request does not name its call. */
  input: string
  /** The command, as in the arguments of the shell that runs it once it is allowed. */
  command?: string | undefined
  askedAt: number
}

/** How far a run is. */
export interface LiveRun {
  at: number
  /** What it does or waits for. */
  why: WaitingKind
  /** What that is about, such as the tool. */
  detail: string
  since: number
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
  isStuck: boolean
  costUsd: number | null
  isEstimate: boolean
}

/** The folder of one run, and what is in it. */
export interface Recording {
  dir: string
  stdout: string
  stderr: string
  stdin: string
  timing: string
  /** Who answered what, when the agent asked for permissions. */
  answers: string
  /** What became of files in the work folder. */
  files: string
}

/** A file of a recording beside its record. */
export type RecordingFile = Exclude<keyof Recording, 'dir'>
