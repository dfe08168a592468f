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
import {describeErrno} from '../recording/describe-errno.ts'
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
import type {RunLimits, RunRecord} from '../recording/run-record.ts'
import {RunError} from '../recording/run-error.ts'
import type {AgentRun, SuperviseOptions} from './agent-run.ts'
import type {ProcessEnd} from '../core/run/run-result.ts'
import {supervise} from './supervise.ts'

/** What to run, and how. */
export interface RunOptions extends SuperviseOptions, PermissionOptions {
  /** The program. */
  command: string
  /** Its arguments; those that make it print its events are added. */
  args?: readonly string[] | undefined
  /** Whose output it is, where the command does not tell: a wrapper, a script. */
  agent?: string | Adapter | undefined
  /**
   * Where it runs.
   *
   * @defaultValue where we are
   */
  cwd?: string | undefined
  /**
   * Its environment.
   *
   * @defaultValue ours
   */
  env?: NodeJS.ProcessEnv | undefined
  /**
   * Where recordings are kept.
   *
   * @defaultValue {@link defaultDataDir}
   */
  dataDir?: string | undefined
  /** The name of the run, which must be free. */
  runId?: string | undefined
  /** What the agent gets on stdin; without it stdin is closed. */
  input?: Uint8Array | string | undefined
  /** The run that it is a part of. */
  workOrder?: RunRecord['workOrder']
  /**
   * Whether to watch the folder for changed files.
   *
   * @defaultValue true
   */
  watch?: boolean | undefined
}

/**
 * Runs an agent, records every byte, and finds out how it ended. Its output goes straight to files, so that it is
 * neither slowed nor cut, and goes on when we do not.
 *
 * @example
 * ```ts
 * const agent = run({command: 'claude', args: ['-p', 'Fix the tests'], maxCostUsd: 5})
 * for await (const event of agent) show(event)
 * const {verdict, reason, costUsd} = await agent.result
 * ```
 *
 * @throws RunError when it could not begin: the program is not there, the recording cannot be written.
 */
export function run(options: RunOptions): AgentRun {
  const {command, args = [], env = process.env, dataDir = defaultDataDir()} = options
  if (command === '') throw new RunError('no-command', 'no command given')
  const cwd = resolve(options.cwd ?? '.')
  const path = findExecutable(command, env, cwd)
  const words = splitCommand([command, ...args])
  const known = chooseAgent(options.agent) ?? words.agent ?? findScriptAgent([command, ...args])
  // Of a wrapper only its author knows where arguments go.
  const isNamed = words.agent !== null && words.agent === known
  // Text is shown as that of any other program.
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
  const plan = planTalk(options, known, words.args)
  // Who is spoken to has to hear how, also behind a wrapper.
  const wanted = plan?.args ?? words.args
  const ownArgs =
    known !== null && (isNamed || plan !== undefined)
      ? addFlags(wanted, known.flags(wanted))
      : wanted
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
      limits: pickLimits(options),
      workOrder: options.workOrder,
      isWatched: options.watch ?? true,
    }
    reserveSpace(dir)
    tryToRecord(() => writeRunRecord(dir, record))
    const child = start(dir, path, argv, {
      input: plan === undefined ? options.input : SPOKEN,
      cwd,
      env: environmentFor(known, env, marker),
    })
    record.process = toProcessId(child.pid)
    try {
      writeRunRecord(dir, record)
    } catch {
      // It runs, and must be looked after; soon that is tried again, and told.
    }
    const talk =
      plan && child.stdin ? {...plan, stdin: child.stdin, permissions: options} : undefined
    markActive(dir, {cwd, processes: [record.process, record.supervisor]})
    const agentRun = supervise({dir, record, agent, ...child, isOwner: true, talk}, options)
    const clear = () => clearActive(dir)
    agentRun.result.then(clear, clear)
    return agentRun
  } catch (error) {
    tryToRemove(dir)
    throw error
  }
}

/** What kept the run from beginning may keep us from this too, and is what there is to tell. */
function tryToRemove(dir: string): void {
  try {
    removeRun({dir})
  } catch {
    // It is no run without its record, which may be gone.
  }
}

/** What the agent gets. It must not act as its own supervisor, so nothing of ours that opens a hub is in it. */
function environmentFor(
  agent: Adapter | null,
  {VITRINE_TOKEN: _token, ...env}: NodeJS.ProcessEnv,
  marker: string,
): NodeJS.ProcessEnv {
  const tags = [env[RUN_TAGS_ENV], toProcessTag(marker)].filter(Boolean).join(' ')
  return {...agent?.env, ...env, [RUN_TAGS_ENV]: tags}
}

function pickLimits(options: RunOptions): RunLimits {
  const {timeoutMs, silenceMs, toolTimeoutMs, maxCostUsd, maxTurns, lingerMs} = options
  const limits = {timeoutMs, silenceMs, toolTimeoutMs, maxCostUsd, maxTurns, lingerMs}
  const {onStuck, killAfterMs, maxLineBytes} = options
  return {...limits, onStuck, killAfterMs, maxLineBytes}
}

/** Stands for stdin that is written to while the agent runs. */
const SPOKEN = Symbol('spoken')

interface TalkPlan {
  control: Control
  args: string[]
  prompt: string
}

/** How to speak with an agent that is to ask for permissions; `undefined` when nobody wants it to. */
function planTalk(
  {permissions, allow = [], deny = [], input}: RunOptions,
  agent: Adapter | null,
  args: readonly string[],
): TalkPlan | undefined {
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

/** Starts a program as the leader of a group of its own, its output being files of the recording. */
function start(
  dir: string,
  path: string,
  args: string[],
  {
    input,
    ...options
  }: {input: RunOptions['input'] | typeof SPOKEN; cwd: string; env: NodeJS.ProcessEnv},
): {pid: number; ended: Promise<ProcessEnd>; stdin: Writable | null} {
  const files = recordingAt(dir)
  const opened: number[] = []
  const open = (file: number) => opened[opened.push(file) - 1]
  try {
    const outputs = [open(openNewFile(files.stdout)), open(openNewFile(files.stderr))]
    // A file as well, so that it is recorded, and read whatever becomes of us.
    const given = input === SPOKEN || input === undefined ? '' : input
    const stdin = open(tryToRecord(() => openInput(files.stdin, given)))
    const stdio = input === SPOKEN ? 'pipe' : input === undefined ? 'ignore' : stdin
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
      const reason = areFilesShort()
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

/** As many as it takes to start a program. */
const FEW_FILES = 4

/** Whether so many files are open that no program can be started: the system tells that too late. */
function areFilesShort(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < FEW_FILES) opened.push(openSync(process.execPath, 'r'))
    return false
  } catch {
    return true
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Most of what can go wrong is told later, but not that there is too much to tell the program. */
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
