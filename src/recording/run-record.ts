import type {Limits} from '../core/run/limits.ts'
import type {RunResult} from '../core/run/run-result.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import type {LineOptions} from '../core/wire/lines.ts'
import type {ProcessId} from './process-id.ts'

/** The metadata of a run: `run.json`. */
export interface RunRecord {
  /** The version of this format. */
  version: 1
  runId: string
  /** The command as given by the caller. */
  argv: string[]
  /** The command as executed, with the arguments that make the agent print events. */
  ranArgv: string[]
  cwd: string
  /** `null` for a command that is not a known agent. */
  agent: string | null
  agentVersion?: string | undefined
  /** The prompt, if it was found in the arguments. */
  prompt?: string | undefined
  startedAt: number
  /** The agent's process, while it runs. */
  process?: ProcessId | undefined
  /** Identifies its processes. */
  marker: string
  /** The process that supervises the run. */
  supervisor: ProcessId
  /** The name of the machine that runs and supervises it, if it is not this one. */
  host?: string | undefined
  /** Whether file changes are recorded. */
  isWatched?: boolean | undefined
  /** Its limits, for a supervisor that takes over. */
  limits?: RunLimits | undefined
  /** The loop that this run is an iteration of. */
  workOrder?: {id: string; iteration: number} | undefined
  /** A snapshot of its state, updated periodically. */
  live?: LiveRun | undefined
  /** Whether it is a copy of a session in the files of the agent, which `transcripts.json` lists. */
  isTranscript?: boolean | undefined
  /** The state of an interactive session between two hooks. */
  session?: HookSession | undefined
  endedAt?: number | undefined
  /** The sizes of the files at the end of the run: later bytes do not belong to it. */
  sizes?: Sizes | undefined
  result?: Omit<RunResult, 'dir' | 'text'> | undefined
}

/** The known sizes of the files of a recording, in bytes. */
export type Sizes = Partial<Record<RecordingFile, number>> & {stdout: number; stderr: number}

/** The limits of a run, and what happens when it reaches one. */
export interface RunLimits extends Limits, LineOptions {
  onStuck?: 'warn' | 'stop' | undefined
  killAfterMs?: number | undefined
}

/** An interactive session, as far as it was recorded. */
export interface HookSession {
  /** The name of the lock file for writing to the recording. */
  lock: string
  /** The path of the agent's transcript of the session. */
  transcript?: string | undefined
  /** Up to which byte the transcript was read. */
  offset: number
  /** Permission requests without a known answer. */
  requests: HookRequest[]
  /** The cost so far by list prices, and the share of the last request, which later rows may raise. */
  cost?: {usd: number; lastKey: string; lastUsd: number} | undefined
}

/** A permission request of a session. */
export interface HookRequest {
  name: string
  /** Identifies the input of the call, because a request does not name its call. */
  input: string
  /** The command as it appears in the arguments of the shell once it is allowed to run. */
  command?: string | undefined
  askedAt: number
}

/** The state of a run at one moment. */
export interface LiveRun {
  at: number
  /** The activity of the run, or the reason why it waits. */
  why: WaitingKind
  /** Its subject, such as the name of the tool. */
  detail: string
  since: number
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
  isStuck: boolean
  costUsd: number | null
  isEstimate: boolean
}

/** The paths of a recording. */
export interface Recording {
  dir: string
  stdout: string
  stderr: string
  stdin: string
  timing: string
  /** Answers to permission requests, and who gave them. */
  answers: string
  /** Changes of files in the working folder. */
  files: string
}

/** A file of a recording, other than its record. */
export type RecordingFile = Exclude<keyof Recording, 'dir'>
