import {randomBytes} from 'node:crypto'
import {fstatSync} from 'node:fs'
import {constants, setPriority} from 'node:os'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {Command, InvalidArgumentError, Option} from 'commander'
import {listAnswerableAgents} from '../../agents/list.ts'
import {isComplete} from '../../core/run/completion.ts'
import type {RunResult} from '../../core/run/run-result.ts'
import {exitCodeOf} from '../../core/run/verdict.ts'
import {parseRule} from '../../permissions/rules.ts'
import {sizeOf} from '../../recording/completeness.ts'
import {readBytes} from '../../recording/read/byte-source.ts'
import {RunError} from '../../recording/run-error.ts'
import type {AgentRun} from '../../runner/agent-run.ts'
import {findCommandAgent} from '../../runner/command.ts'
import {run as runAgent, type RunOptions} from '../../runner/run.ts'
import {AGENT_HINT, formatAgentNames, requireAgent} from '../agent-names.ts'
import {CliError} from '../cli-error.ts'
import {
  createDataDirOption,
  createFormatOption,
  createNoTextOption,
  createVerboseOption,
} from '../common-options.ts'
import {parseHubUrl} from '../find-hub.ts'
import {continueAfterEpipe, logToStderr} from '../output.ts'
import {reportRun} from '../report-run.ts'
import {resolvePermissions, type PermissionFlags} from '../resolve-permissions.ts'
import {pruneRuns} from '../prune-runs.ts'
import {formatMisplacedOptionHint, formatQuotedCommandHint} from '../run-hints.ts'
import {createViewCallbacks, showRun, type RunViewOptions} from '../show-run.ts'
import {collect, parseCount, parseDuration, parseMoney} from '../option-values.ts'

interface RunFlags extends RunViewOptions, PermissionFlags {
  id?: string | undefined
  timeout?: number | undefined
  silence?: number | undefined
  toolTimeout?: number | undefined
  maxTurns?: number | undefined
  maxLineBytes?: number | undefined
  linger?: number | undefined
  onStuck?: 'warn' | 'stop' | undefined
  killAfter?: number | undefined
  until?: string | undefined
  maxIterations?: number | undefined
  keep?: number | undefined
  workOrder?: string | undefined
  watch: boolean
  stdin?: true | undefined
  passthroughExit?: true | undefined
}

/** `vitrine run`: runs an agent and exits with the code of its verdict. */
export const run: Command = new Command('run')
  .summary('run an agent, show and record what it does')
  .description(
    'Run an agent, show what it does, record every byte and exit with the code of the verdict.',
  )
  .argument('[command...]', 'the agent and its arguments')
  .passThroughOptions()
  .option(
    '-a, --agent <name>',
    'parse the output as this agent (default: detected from the command)',
  )
  .addOption(createFormatOption())
  .addOption(createVerboseOption())
  .addOption(createNoTextOption())
  .optionsGroup('Limits (durations are seconds, or 90s, 10m, 2h):')
  .option('--timeout <duration>', 'stop the run after this time', parseDuration)
  .option(
    '--silence <duration>',
    'report the run as stuck after this time without output and without a known reason for it, such as a running tool (default: 10m)',
    parseDuration,
  )
  .option(
    '--tool-timeout <duration>',
    'report the run as stuck when one tool call takes longer',
    parseDuration,
  )
  .addOption(
    new Option(
      '--on-stuck <action>',
      'what to do with a stuck run (default: stop with --silence or --tool-timeout, else warn)',
    ).choices(['warn', 'stop']),
  )
  .option('--max-cost <usd>', 'stop the run when it costs more than this', parseMoney)
  .option(
    '--max-turns <count>',
    'stop after this many requests to the model, not counting those of sub-agents',
    parseCount,
  )
  .option(
    '--max-line-bytes <count>',
    'report longer lines as malformed instead of parsing them (default: 64 MiB)',
    parseCount,
  )
  .option(
    '--linger <duration>',
    'terminate an agent that stays alive this long after its last turn (default: 10s)',
    parseDuration,
  )
  .option(
    '--kill-after <duration>',
    'send SIGKILL when the agent still runs this long after a stop (default: 5s)',
    parseDuration,
  )
  .optionsGroup(`Permissions (${listAnswerableAgents()} only):`)
  .addOption(
    new Option(
      '--permissions <mode>',
      'how to answer permission requests that no rule matches',
    ).choices(['ask', 'allow', 'deny']),
  )
  .option(
    '--allow <rule>',
    "allow matching tool calls, such as 'Bash(git *)'; can be repeated",
    collectRule,
  )
  .option(
    '--deny <rule>',
    'deny matching tool calls, even if another rule allows them; can be repeated',
    collectRule,
  )
  .option(
    '--answer-timeout <duration>',
    'deny a request that is not answered in this time',
    parseDuration,
  )
  .option('--no-bell', 'do not ring the terminal bell for a permission request')
  .optionsGroup('Loops:')
  .option('--until <text>', 'run the agent again until its answer is this text')
  .option('--max-iterations <count>', 'stop after this many runs (default: 10)', parseCount)
  .optionsGroup('Recording:')
  .addOption(createDataDirOption())
  .option('--id <name>', 'id of the run (default: random)')
  .option(
    '--keep <count>',
    'after the run, keep only this many of the newest recordings',
    parseCount,
  )
  .option('--work-order <name>', 'name of a group: the dashboard shows its runs together')
  .option('--no-watch', 'do not watch the working directory for changed files')
  .optionsGroup('Hub:')
  .option(
    '--hub <url>',
    'report to this hub, with the token in VITRINE_TOKEN (default: the hub on this machine)',
  )
  .option('--no-hub', 'do not report to a hub')
  .optionsGroup('Other:')
  .option('--stdin', 'read all of stdin and forward it to the agent')
  .option('--passthrough-exit', "exit with the agent's own exit code")
  .addHelpText(
    'after',
    `
Options of Vitrine come before the agent; everything after it is passed on.
Vitrine adds the flags that the agent needs to print events.

${formatAgentNames()}

Exit codes:
  0 succeeded   1 failed or truncated   2 usage error   124 timed out
  125 over budget or stuck   126 cannot run   127 not found   130 stopped

Examples:
  vitrine run claude -p "Fix the tests"
  vitrine run --max-cost 5 --timeout 1h -- codex exec "Fix the tests"
  vitrine run --permissions ask --deny 'Bash(git push *)' -- claude -p "Fix it"
  vitrine run --until DONE -- claude -p "Continue. Answer DONE when finished"`,
  )
  .action(async (words: string[], flags: RunFlags) => {
    if (words.length === 0) {
      throw new CliError('no command given. Example: vitrine run claude -p "Fix the tests"')
    }
    if (typeof flags.hub === 'string') parseHubUrl(flags.hub)
    listenForInterrupts()
    process.exitCode =
      flags.until === undefined ? await runOnce(words, flags) : await runLoop(words, flags)
    if (flags.keep !== undefined) pruneRuns(flags.keep, flags.dataDir)
  })

async function runOnce(words: string[], flags: RunFlags): Promise<number> {
  const {workOrder: id} = flags
  const result = await execute(words, flags, id === undefined ? undefined : {id, iteration: 1})
  return exitCodeFor(result, flags)
}

const DEFAULT_ITERATIONS = 10

/** Repeats the run, each time with a separate recording, under one budget. */
async function runLoop(words: string[], flags: RunFlags): Promise<number> {
  const {until = '', maxIterations = DEFAULT_ITERATIONS, maxCost} = flags
  const order = flags.workOrder ?? randomBytes(4).toString('hex')
  let spent = 0
  let failedCount = 0
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    logToStderr(`iteration ${iteration} of ${maxIterations}`)
    const left = maxCost === undefined ? undefined : Math.max(maxCost - spent, 0)
    const id = flags.id === undefined ? undefined : `${flags.id}-${iteration}`
    const result = await execute(words, {...flags, id, maxCost: left}, {id: order, iteration})
    spent += result.costUsd ?? 0
    if (result.verdict !== 'succeeded') failedCount++
    if (isAnswered(result, until)) {
      logToStderr(`matched "${until}" in iteration ${iteration} of ${maxIterations}`)
      return exitCodeFor(result, flags)
    }
    if (interrupt.isRequested) return exitCodeOf('stopped')
    // A failed turn may succeed the next time; a stopped run must not be repeated.
    if (!CONTINUING_VERDICTS.has(result.verdict)) return exitCodeFor(result, flags)
    if (maxCost !== undefined && spent >= maxCost) return exitCodeOf('over-budget')
  }
  const failures = failedCount === 0 ? '' : `, of which ${failedCount} failed`
  logToStderr(
    `No match for "${until}" after ${maxIterations} iterations${failures}. Use --max-iterations to allow more`,
  )
  return exitCodeOf('failed')
}

const CONTINUING_VERDICTS = new Set<RunResult['verdict']>(['succeeded', 'failed', 'truncated'])

function isAnswered({verdict, agent, text, dir}: RunResult, until: string): boolean {
  if (verdict !== 'succeeded') return false
  // The output of a known agent also contains tool output, which is not its answer.
  if (agent === null) {
    const file = join(dir, 'stdout')
    const start = Math.max(0, sizeOf(file) - MAX_ANSWER_BYTES)
    return isComplete(readBytes(file, start, MAX_ANSWER_BYTES).toString('utf8'), until)
  }
  return (
    isComplete(JSON.stringify({type: 'result', result: text}), until) || isComplete(text, until)
  )
}

/** The answer is at the end of the output, which can be gigabytes long. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

async function execute(
  words: string[],
  flags: RunFlags,
  workOrder?: RunOptions['workOrder'],
): Promise<RunResult> {
  const [command = '', ...args] = words
  const agent = startRun({
    command,
    args,
    agent: flags.agent === undefined ? undefined : requireAgent(flags.agent),
    dataDir: flags.dataDir,
    runId: flags.id,
    input: await readInput(flags),
    workOrder,
    watch: flags.watch,
    timeoutMs: flags.timeout,
    silenceMs: flags.silence,
    toolTimeoutMs: flags.toolTimeout,
    maxCostUsd: flags.maxCost,
    maxTurns: flags.maxTurns,
    maxLineBytes: flags.maxLineBytes,
    lingerMs: flags.linger,
    killAfterMs: flags.killAfter,
    ...(await resolvePermissions(words, flags)),
    onStuck: flags.onStuck ?? ((flags.silence ?? flags.toolTimeout) ? 'stop' : 'warn'),
    ...createViewCallbacks(() => view),
  })
  // Loaded after the agent was started.
  const view = import('../run-view.ts')
    .then(({createView}) => createView(agent, flags))
    .catch((error: unknown) => {
      const remedy = `It continues and is recorded. Show it with: vitrine attach ${agent.runId}`
      throw new CliError(`cannot show the run: ${(error as Error).message}. ${remedy}`, 1)
    })
  // The run must be supervised to its verdict even if the reader of stdout is gone.
  continueAfterEpipe()
  // Not in a loop: the next agent would inherit the low priority.
  if (flags.until === undefined) lowerPriority()
  interrupt.stop = agent.stop
  if (agent.agent === null && flags.format !== 'raw') warnAboutTextOutput(words)
  const {hub, dataDir} = flags
  const report = hub === false ? undefined : reportRun(agent, {hub, dataDir})
  const result = await showRun(agent, await view)
  const hint = formatMisplacedOptionHint(result, words, run.options)
  if (hint !== undefined) logToStderr(hint)
  await report?.finish()
  return result
}

/** Leaves the CPU to the agent under load. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed on this system.
  }
}

/** The state of an interrupt by a signal. */
const interrupt: {isRequested: boolean; stop: (reason: string) => void} = {
  isRequested: false,
  // No agent was started yet.
  stop: () => process.exit(exitCodeOf('stopped')),
}

const SIGNAL_REASONS = {
  SIGINT: 'by you',
  SIGTERM: 'by SIGTERM',
  SIGHUP: 'the terminal was closed (SIGHUP)',
}

function listenForInterrupts(): void {
  for (const [signal, reason] of Object.entries(SIGNAL_REASONS)) {
    process.on(signal, () => {
      interrupt.isRequested = true
      interrupt.stop(reason)
    })
  }
}

function collectRule(value: string, before: string[] = []): string[] {
  try {
    parseRule(value)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
  return collect(value, before)
}

const START_CODES: Readonly<Record<string, number>> = {'not-executable': 126, 'not-found': 127}

function startRun(options: RunOptions): AgentRun {
  try {
    return runAgent(options)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    const {code, message} = error
    if (code === 'cannot-record') throw new CliError(`${message}. The agent was not started`, 1)
    const hint = code === 'not-found' ? formatQuotedCommandHint(options.command) : ''
    throw new CliError(code === 'bad-id' ? `--id ${message}` : message + hint, START_CODES[code])
  }
}

/** Explains why no events are shown. */
function warnAboutTextOutput(words: readonly string[]): void {
  const [command = ''] = words
  const known = findCommandAgent(words)
  if (known !== null) {
    logToStderr(
      `${known.label} prints plain text with these arguments. It is shown unchanged, and only its exit code is checked`,
    )
    return
  }
  logToStderr(
    `${command}: unknown agent, its output is shown unchanged. To parse it, use ${AGENT_HINT}`,
  )
}

/** Reads stdin if it is a file or `--stdin` is given: a pipe may never be closed. */
async function readInput({stdin}: RunFlags): Promise<Uint8Array | undefined> {
  if (input === undefined && stdin !== true && !isFile(process.stdin.fd)) return undefined
  input ??= buffer(process.stdin)
  return input
}

/** The content of stdin, which every run of a loop gets. */
let input: Promise<Uint8Array> | undefined

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

function exitCodeFor({verdict, exitCode, signal}: RunResult, {passthroughExit}: RunFlags): number {
  if (passthroughExit !== true) return exitCodeOf(verdict)
  return (
    exitCode ??
    (signal === null
      ? exitCodeOf(verdict)
      : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0))
  )
}
