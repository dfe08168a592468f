import {spawn, type ChildProcess, type SpawnOptions} from 'node:child_process'
import {closeSync, existsSync, openSync, writeFileSync} from 'node:fs'
import {resolve} from 'node:path'
import type {Writable} from 'node:stream'
import {findAgent} from '../agents/find-agent.ts'
import {listAnswerableAgents} from '../agents/list.ts'
import type {Adapter, Control} from '../core/events/adapter.ts'
import {addFlags, findExecutable, findPrompt, findVersion, splitCommand} from './command.ts'
import {findScriptAgent} from './script-agent.ts'
import {parseRules, type PermissionOptions} from './permission-broker.ts'
import {clearActive, markActive} from '../recording/active-runs.ts'
import {attempt} from '../recording/attempt.ts'
import {describeErrno} from '../recording/describe-errno.ts'
import {normalizeLimits} from '../recording/normalize-run-record.ts'
import {toProcessId, RUN_TAGS_ENV, toProcessTag} from '../recording/process-id.ts'
import {
  createMarker,
  createRecording,
  defaultDataDir,
  openNewFile,
  recordingAt,
  reserveSpace,
  tryToRecord,
} from '../recording/recording.ts'
import {removeRun} from '../recording/list-runs.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {RunError} from '../recording/run-error.ts'
import type {AgentRun, SuperviseOptions} from './agent-run.ts'
import type {ProcessEnd} from '../core/run/run-result.ts'
import {supervise} from './supervise.ts'

/** How to run an agent. */
export interface RunOptions extends SuperviseOptions, PermissionOptions {
  command: string
  /** Arguments; the flags that make the agent print events are added. */
  args?: readonly string[] | undefined
  /** The agent, if the command does not name it, as with a wrapper or a script. */
  agent?: string | Adapter | undefined
  /**
   * Working directory.
   *
   * @defaultValue `process.cwd()`
   */
  cwd?: string | undefined
  /**
   * Environment of the agent.
   *
   * @defaultValue `process.env`
   */
  env?: NodeJS.ProcessEnv | undefined
  /**
   * Directory of the recordings.
   *
   * @defaultValue {@link defaultDataDir}
   */
  dataDir?: string | undefined
  /** Id of the run; it must not be in use. */
  runId?: string | undefined
  /** Input for stdin; without it stdin is closed. */
  input?: Uint8Array | string | undefined
  /** The work order that this run is part of. */
  workOrder?: RunRecord['workOrder']
  /**
   * Whether to watch the working directory for changed files.
   *
   * @defaultValue true
   */
  watch?: boolean | undefined
}

/**
 * Runs an agent, records every byte, and determines the result. The output goes directly to files, so the agent is
 * never blocked by its consumer and continues if this process dies.
 *
 * @example
 * ```ts
 * const agent = run({command: 'claude', args: ['-p', 'Fix the tests'], maxCostUsd: 5})
 * for await (const event of agent) show(event)
 * const {verdict, reason, costUsd} = await agent.result
 * ```
 *
 * @throws RunError when the options are invalid, the program is missing, or the recording cannot be written.
 */
export function run(options: RunOptions): AgentRun {
  const {command, args = [], env = process.env, dataDir = defaultDataDir()} = options
  if (command === '') throw new RunError('no-command', 'no command given')
  const cwd = resolve(options.cwd ?? '.')
  const path = findExecutable(command, env, cwd)
  const words = splitCommand([command, ...args])
  const known = chooseAgent(options.agent) ?? words.agent ?? findScriptAgent([command, ...args])
  // Only the author of a wrapper knows where its arguments go.
  const isNamed = words.agent !== null && words.agent === known
  // An agent that prints text is handled like an unknown program.
  const agent = isNamed && known?.printsText(words.args) === true ? null : known
  if (options.maxCostUsd !== undefined && agent?.reports.cost !== true) {
    const who = known?.label ?? command
    const why = known === agent ? 'it does not report cost' : 'it prints text with these arguments'
    const remedy = agent === null ? '--timeout' : '--max-turns or --timeout'
    throw new RunError(
      'bad-options',
      `--max-cost is not supported for ${who}: ${why}. Use ${remedy}`,
    )
  }
  const plan = planControl(options, known, words.args)
  // The control channel needs its flags, also behind a wrapper.
  const requestedArgs = plan?.args ?? words.args
  const ownArgs =
    known !== null && (isNamed || plan !== undefined)
      ? addFlags(requestedArgs, known.flags(requestedArgs))
      : requestedArgs
  const argv = [...words.program.slice(1), ...ownArgs]

  const {runId, dir} = createRecording(dataDir, options.runId)
  try {
    const marker = createMarker(runId)
    const record: RunRecord = {
      version: 1,
      runId,
      argv: [command, ...args],
      ranArgv: [command, ...argv],
      cwd,
      agent: agent?.id ?? null,
      agentVersion: isNamed ? findVersion(path, known) : undefined,
      prompt: findPrompt(isNamed || agent !== null ? known : null, words.args, options.input),
      startedAt: Date.now(),
      marker,
      supervisor: toProcessId(process.pid),
      limits: normalizeLimits(options),
      workOrder: options.workOrder,
      isWatched: options.watch ?? true,
    }
    reserveSpace(dir)
    tryToRecord(() => writeRunRecord(dir, record))
    const child = startProcess(dir, path, argv, {
      input: options.input,
      isPiped: plan !== undefined,
      cwd,
      env: createEnvironment(known, env, marker),
    })
    record.process = toProcessId(child.pid)
    // The agent is running and must be supervised; the recorder tries again soon and reports a failure.
    attempt(() => writeRunRecord(dir, record))
    const channel =
      plan && child.stdin ? {...plan, stdin: child.stdin, permissions: options} : undefined
    markActive(dir, {cwd, processes: [record.process, record.supervisor]})
    const agentRun = supervise({dir, record, agent, ...child, isOwner: true, channel}, options)
    const clear = () => clearActive(dir)
    agentRun.result.then(clear, clear)
    return agentRun
  } catch (error) {
    // A second error here would hide the one that prevented the start.
    attempt(() => removeRun({dir}))
    throw error
  }
}

/** With the token of a hub, the agent could answer its own permission requests. */
function createEnvironment(
  agent: Adapter | null,
  {VITRINE_TOKEN: _token, ...env}: NodeJS.ProcessEnv,
  marker: string,
): NodeJS.ProcessEnv {
  const tags = [env[RUN_TAGS_ENV], toProcessTag(marker)].filter(Boolean).join(' ')
  return {...agent?.env, ...env, [RUN_TAGS_ENV]: tags}
}

interface ControlPlan {
  control: Control
  args: string[]
  prompt: string
}

/** How to open the control channel of an agent; `undefined` without permission options. */
function planControl(
  {permissions, allow = [], deny = [], input}: RunOptions,
  agent: Adapter | null,
  args: readonly string[],
): ControlPlan | undefined {
  if (permissions === undefined && allow.length === 0 && deny.length === 0) return undefined
  const control = agent?.control
  if (control === undefined) {
    const label = agent?.label ?? 'an unknown agent'
    throw new RunError(
      'bad-options',
      `permissions are not supported for ${label}. Agents that ask for permissions: ${listAnswerableAgents()}`,
    )
  }
  parseRules(allow)
  try {
    const prepared = control.prepare(args, parseRules(deny))
    const prompt =
      prepared.prompt ?? (input === undefined ? '' : Buffer.from(input).toString('utf8'))
    if (prompt !== '') return {control, args: prepared.args, prompt}
  } catch (error) {
    throw error instanceof RunError ? error : new RunError('bad-options', (error as Error).message)
  }
  throw new RunError('bad-options', 'no prompt given. Pass it as an argument or on stdin')
}

function chooseAgent(agent: string | Adapter | undefined): Adapter | null {
  if (typeof agent !== 'string') return agent ?? null
  const found = findAgent(agent)
  if (found !== null) return found
  throw new RunError('bad-options', `unknown agent: ${agent}`)
}

interface StartOptions extends Pick<RunOptions, 'input'> {
  /** Whether stdin is written to while the agent runs. */
  isPiped: boolean
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Starts a program as the leader of its own process group; its output goes to files of the recording. */
function startProcess(
  dir: string,
  path: string,
  args: string[],
  {input, isPiped, ...options}: StartOptions,
): {pid: number; ended: Promise<ProcessEnd>; stdin: Writable | null} {
  const files = recordingAt(dir)
  const opened: number[] = []
  const open = (file: number) => opened[opened.push(file) - 1]
  try {
    const outputs = [open(openNewFile(files.stdout)), open(openNewFile(files.stderr))]
    // A file, so that input is recorded and stays readable if this process dies.
    const stdin = open(tryToRecord(() => openInput(files.stdin, isPiped ? '' : (input ?? ''))))
    const stdio = isPiped ? 'pipe' : input === undefined ? 'ignore' : stdin
    const child = trySpawn(path, args, {
      ...options,
      detached: true,
      stdio: [stdio, ...outputs],
    })
    const ended = new Promise<ProcessEnd>((done) => {
      child.once('exit', (exitCode, signal) => done({exitCode, signal}))
      child.once('error', () => done({exitCode: null, signal: null}))
    })
    if (child.pid === undefined) {
      const reason = isFileLimitReached()
        ? describeErrno({code: 'EMFILE'})
        : existsSync(options.cwd)
          ? 'its interpreter is missing, or it is not a program'
          : `the working directory ${options.cwd} does not exist`
      throw new RunError('not-executable', `${path}: cannot run: ${reason}`)
    }
    return {pid: child.pid, ended, stdin: child.stdin}
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Number of file descriptors needed to start a program. */
const SPAWN_FILE_COUNT = 4

/** Whether too many files are open to start a program; `spawn` reports that too late. */
function isFileLimitReached(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < SPAWN_FILE_COUNT) opened.push(openSync(process.execPath, 'r'))
    return false
  } catch {
    return true
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** `spawn` throws only for some errors, such as arguments that are too long; it emits the others. */
function trySpawn(path: string, args: string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(path, args, options)
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    const reason =
      code === 'E2BIG' ? 'its arguments are too long. Pass the prompt on stdin' : message
    throw new RunError('not-executable', `${path}: cannot run: ${reason}`)
  }
}

function openInput(path: string, input: Uint8Array | string): number {
  const file = openNewFile(path)
  writeFileSync(file, input)
  closeSync(file)
  return openSync(path, 'r')
}
