import {randomBytes} from 'node:crypto'
import {fstatSync} from 'node:fs'
import {constants, setPriority} from 'node:os'
import {join} from 'node:path'
import {Command, InvalidArgumentError, Option} from 'commander'
import {agents, listAnswerableAgents} from '../../agents/list.ts'
import {isComplete} from '../../core/run/completion.ts'
import type {RunResult} from '../../core/run/run-result.ts'
import {exitCodeOf} from '../../core/run/verdict.ts'
import {parseRule, type PermissionMode} from '../../permissions/rules.ts'
import {RunError} from '../../recording/run-error.ts'
import type {AgentRun} from '../../runner/agent-run.ts'
import {findCommandAgent} from '../../runner/command.ts'
import type {PermissionOptions} from '../../runner/permission-broker.ts'
import {run as runAgent, type RunOptions} from '../../runner/run.ts'
import {CliError} from '../cli-error.ts'
import {findHub, toUrl} from '../hub-place.ts'
import {outliveReader, remark} from '../output.ts'
import {reportRun} from '../report.ts'
import {keepNewest} from '../housekeeping.ts'
import {requireAgent} from '../require-agent.ts'
import {hintAtPlace, hintAtQuotes} from '../run-hints.ts'
import {readTail} from '../read-tail.ts'
import {show} from '../show.ts'
import {parseCount, parseDuration, parseMoney} from '../values.ts'

interface RunFlags {
  agent?: string | undefined
  format: 'pretty' | 'json' | 'raw' | 'quiet'
  dataDir?: string | undefined
  id?: string | undefined
  timeout?: number | undefined
  silence?: number | undefined
  toolTimeout?: number | undefined
  maxCost?: number | undefined
  maxTurns?: number | undefined
  maxLineBytes?: number | undefined
  linger?: number | undefined
  onStuck?: 'warn' | 'stop' | undefined
  killAfter?: number | undefined
  permissions?: PermissionMode | undefined
  allow?: string[] | undefined
  deny?: string[] | undefined
  answerTimeout?: number | undefined
  until?: string | undefined
  maxIterations?: number | undefined
  keep?: number | undefined
  workOrder?: string | undefined
  watch: boolean
  hub?: string | false | undefined
  stdin?: true | undefined
  passthroughExit?: true | undefined
  verbose: number
  text: boolean
  bell: boolean
}

/** `vitrine run`: runs an agent, shows and records what it does, and ends as the run deserves. */
export const run: Command = new Command('run')
  .description('run an agent: watch it, record every byte, keep limits, know how it ended')
  .argument('[command...]', 'the agent and its arguments: what comes after its name is its own')
  .passThroughOptions()
  .option('-a, --agent <name>', 'whose output it is, where the command does not tell')
  .addOption(
    new Option(
      '-f, --format <format>',
      'lines for people, events as JSON, its own output, or only the end',
    )
      .choices(['pretty', 'json', 'raw', 'quiet'])
      .default('pretty'),
  )
  .option('-v, --verbose', 'more: thoughts, whole texts, output; -vv all of it', (_, n) => n + 1, 0)
  .option('--no-text', 'leave out what the agent says')
  .optionsGroup('Limits (durations are seconds, or 90s, 10m, 2h):')
  .option('--timeout <duration>', 'end it after so long', parseDuration)
  .option(
    '--silence <duration>',
    'it is stuck when it says nothing for so long and gives no reason (10m)',
    parseDuration,
  )
  .option('--tool-timeout <duration>', 'it is stuck when a tool takes longer', parseDuration)
  .addOption(
    new Option(
      '--on-stuck <action>',
      'what to do then (stop when one of the two is given, else warn)',
    ).choices(['warn', 'stop']),
  )
  .option('--max-cost <usd>', 'end it when it has cost more', parseMoney)
  .option(
    '--max-turns <count>',
    'stop after this many turns: requests to the model, without those of sub-agents',
    parseCount,
  )
  .option(
    '--max-line-bytes <count>',
    'report a longer line as malformed instead of parsing it (64 MiB)',
    parseCount,
  )
  .option(
    '--linger <duration>',
    'terminate it when it stays alive after its last turn for no known reason (10s)',
    parseDuration,
  )
  .option(
    '--kill-after <duration>',
    'how long it has to stop by itself when told to (5s)',
    parseDuration,
  )
  .optionsGroup(`Permissions (${listAnswerableAgents()}):`)
  .addOption(
    new Option(
      '--permissions <mode>',
      'what becomes of tools that need permission and no rule covers; only ask shows questions to you',
    ).choices(['ask', 'allow', 'deny']),
  )
  .option('--allow <rule>', "what may be done, such as 'Bash(git *)'; can be repeated", collectRule)
  .option('--deny <rule>', 'what may not; wins over all else; can be repeated', collectRule)
  .option('--answer-timeout <duration>', 'no answer in this time is a no', parseDuration)
  .option('--no-bell', 'ask without ringing')
  .optionsGroup('Loops:')
  .option('--until <text>', 'run it again until it answers this')
  .option('--max-iterations <count>', 'but no more often than this (10)', parseCount)
  .optionsGroup('Recording:')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .option('--id <name>', 'what to call the run')
  .option('--keep <count>', 'afterwards remove all but the newest recordings', parseCount)
  .option('--work-order <name>', 'what it is a part of: runs of one are shown together')
  .option('--no-watch', 'do not watch the folder for changed files')
  .optionsGroup('Hub:')
  .option(
    '--hub <url>',
    'tell this hub of it, with the token in VITRINE_TOKEN (the one that runs here)',
  )
  .option('--no-hub', 'tell no hub')
  .optionsGroup('Other:')
  .option('--stdin', 'give it what we get on stdin, read to its end first')
  .option('--passthrough-exit', "exit with the agent's own exit code")
  .addHelpText(
    'after',
    `
Agents: ${agents.map(({id}) => id).join(' ')}

Exit code: 0 succeeded, 1 failed or truncated, 2 wrong usage, 124 timed out, 125 over budget or stuck,
126 cannot run, 127 not found, 130 stopped.

Options of Vitrine come before the agent; a -- between them changes nothing.

Examples:
  vitrine run claude -p "Fix the tests"
  vitrine run --max-cost 5 --timeout 1h -- claude -p "Fix the tests"
  vitrine run --format json -- gemini -p "Fix the tests" | jq .
  vitrine run --until DONE --max-iterations 5 -- claude -p "Go on. Answer DONE when all is done"
  vitrine run --permissions ask --deny 'Bash(git push *)' -- claude -p "Fix the tests"
  vitrine run --agent claude -- ./my-wrapper.sh`,
  )
  .action(async (words: string[], flags: RunFlags) => {
    if (words.length === 0) {
      throw new CliError('no command to run. Such as: vitrine run claude -p "Fix the tests"')
    }
    if (typeof flags.hub === 'string') toUrl(flags.hub)
    listenForInterrupts()
    process.exitCode =
      flags.until === undefined ? await once(words, flags) : await loop(words, flags)
    if (flags.keep !== undefined) keepNewest(flags.keep, flags.dataDir)
  })

async function once(words: string[], flags: RunFlags): Promise<number> {
  const {workOrder: id} = flags
  const result = await execute(words, flags, id === undefined ? undefined : {id, iteration: 1})
  return exitCodeFor(result, flags)
}

const DEFAULT_ITERATIONS = 10

/** Runs it again and again, each time with a recording of its own, under one budget. */
async function loop(words: string[], flags: RunFlags): Promise<number> {
  const {until = '', maxIterations = DEFAULT_ITERATIONS, maxCost} = flags
  const order = flags.workOrder ?? randomBytes(4).toString('hex')
  let spent = 0
  let failedCount = 0
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    remark(`iteration ${iteration} of ${maxIterations}`)
    const left = maxCost === undefined ? undefined : Math.max(maxCost - spent, 0)
    const id = flags.id === undefined ? undefined : `${flags.id}-${iteration}`
    const result = await execute(words, {...flags, id, maxCost: left}, {id: order, iteration})
    spent += result.costUsd ?? 0
    if (result.verdict !== 'succeeded') failedCount++
    if (isAnswered(result, until)) {
      remark(`matched "${until}" in iteration ${iteration} of ${maxIterations}`)
      return exitCodeFor(result, flags)
    }
    if (interrupt.isWanted) return exitCodeOf('stopped')
    // A turn that failed may go well the next time; whoever was ended is not to go on.
    if (!GOES_ON.has(result.verdict)) return exitCodeFor(result, flags)
    if (maxCost !== undefined && spent >= maxCost) return exitCodeOf('over-budget')
  }
  const failures = failedCount === 0 ? '' : `, of which ${failedCount} failed`
  remark(
    `No match for "${until}" after ${maxIterations} iterations${failures}. --max-iterations allows more`,
  )
  return exitCodeOf('failed')
}

const GOES_ON = new Set<RunResult['verdict']>(['succeeded', 'failed', 'truncated'])

function isAnswered({verdict, agent, text, dir}: RunResult, until: string): boolean {
  if (verdict !== 'succeeded') return false
  // The output of a known agent also has what its tools print, which is no answer.
  if (agent === null) return isComplete(readTail(join(dir, 'stdout'), MAX_ANSWER_BYTES), until)
  return (
    isComplete(JSON.stringify({type: 'result', result: text}), until) || isComplete(text, until)
  )
}

/** The answer is at the end of an output that may have gigabytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

async function execute(
  words: string[],
  flags: RunFlags,
  workOrder?: RunOptions['workOrder'],
): Promise<RunResult> {
  const [command = '', ...args] = words
  const agent = begin({
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
    ...(await permissionsOf(words, flags)),
    onStuck: flags.onStuck ?? ((flags.silence ?? flags.toolTimeout) ? 'stop' : 'warn'),
    // Without a view, of which is told below, the run is looked after all the same.
    onOutput: (chunk) => view.then((shown) => shown.output?.(chunk), ignore),
    onStderr: (chunk) => view.then((shown) => shown.stderr?.(chunk), ignore),
    onNotice: (notice) => view.then((shown) => shown.notice(notice), ignore),
  })
  // Loaded when the agent is on its way.
  const view = import('../run-view.ts')
    .then(async ({createView}) => {
      const created = await createView(flags)
      created.begin(agent)
      return created
    })
    .catch((error: unknown) => {
      const remedy = `It goes on, recorded: vitrine attach ${agent.runId}`
      throw new CliError(`cannot show the run: ${(error as Error).message}. ${remedy}`, 1)
    })
  // The run goes on, and its verdict is wanted, when nobody reads any more.
  outliveReader()
  // Not between runs: the next agent would be as modest.
  if (flags.until === undefined) yieldToAgent()
  interrupt.stop = agent.stop
  if (agent.agent === null && flags.format !== 'raw') warnOfText(words)
  const {hub, dataDir} = flags
  const report = hub === false ? undefined : reportRun(agent, {hub, dataDir})
  const result = await show(agent, await view)
  const hint = hintAtPlace(result, words, run.options)
  if (hint !== undefined) remark(hint)
  await report?.finish()
  return result
}

function ignore(): void {}

/** Where there is not enough of the machine for both, it is the agent's. */
function yieldToAgent(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Then it is shared.
  }
}

/** Whether somebody wants an end, and who is to be told. */
const interrupt: {isWanted: boolean; stop: (reason: string) => void} = {
  isWanted: false,
  // Nothing has begun.
  stop: () => process.exit(exitCodeOf('stopped')),
}

const INTERRUPTS = {
  SIGINT: 'by you',
  SIGTERM: 'by SIGTERM',
  SIGHUP: 'the terminal was closed (SIGHUP)',
}

function listenForInterrupts(): void {
  for (const [signal, reason] of Object.entries(INTERRUPTS)) {
    process.on(signal, () => {
      interrupt.isWanted = true
      interrupt.stop(reason)
    })
  }
}

/** Rules without a mode leave the rest to whoever is there, if anybody is. */
async function permissionsOf(words: string[], flags: RunFlags): Promise<PermissionOptions> {
  const {allow, deny, answerTimeout: answerTimeoutMs, format} = flags
  const canAsk = process.stdin.isTTY && process.stdout.isTTY && format === 'pretty'
  const hasRules = allow !== undefined || deny !== undefined
  const permissions = flags.permissions ?? (hasRules ? (canAsk ? 'ask' : 'deny') : undefined)
  const agent = flags.agent === undefined ? findCommandAgent(words) : requireAgent(flags.agent)
  if (permissions !== undefined && agent?.control === undefined) {
    const name = agent?.id ?? words[0]
    throw new CliError(
      `--permissions ${permissions} is not supported for ${name}, only for: ${listAnswerableAgents()}`,
    )
  }
  if (permissions === 'ask' && !canAsk && !(await hasHub(flags))) {
    throw new CliError(
      '--permissions ask needs a terminal to ask on, or a hub. Start one with vitrine serve, or use --allow with --permissions deny',
    )
  }
  return {permissions, allow, deny, answerTimeoutMs}
}

/** Whether there is a hub through which somebody could answer. */
async function hasHub({hub, dataDir}: RunFlags): Promise<boolean> {
  const address = hub === false ? null : await findHub({hub, dataDir})
  if (address === null) return false
  try {
    const signal = AbortSignal.timeout(HUB_PATIENCE_MS)
    return (await fetch(`${address.url}/healthz`, {signal})).ok
  } catch {
    return false
  }
}

const HUB_PATIENCE_MS = 3000

function collectRule(value: string, before: string[] = []): string[] {
  try {
    parseRule(value)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
  return [...before, value]
}

const START_CODES: Readonly<Record<string, number>> = {'not-executable': 126, 'not-found': 127}

function begin(options: RunOptions): AgentRun {
  try {
    return runAgent(options)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    const {code, message} = error
    if (code === 'cannot-record') throw new CliError(`${message}. The agent was not started`, 1)
    const hint = code === 'not-found' ? hintAtQuotes(options.command) : ''
    throw new CliError(code === 'bad-id' ? `--id ${message}` : message + hint, START_CODES[code])
  }
}

/** Says why no events are shown. */
function warnOfText(words: readonly string[]): void {
  const [command = ''] = words
  const known = findCommandAgent(words)
  if (known !== null) {
    remark(
      `${known.label} prints text with these arguments; showing it as it is. Only its exit code is known`,
    )
    return
  }
  const names = agents.map(({id}) => id).join('|')
  remark(
    `${command}: no parser for this command; showing its output as it is. Name one with --agent ${names}`,
  )
}

/** What is in a file is there to be read; a pipe may be one that nobody ever closes. */
async function readInput({stdin}: RunFlags): Promise<Uint8Array | undefined> {
  if (input === undefined && stdin !== true && !isFile(process.stdin.fd)) return undefined
  input ??= readStdin()
  return input
}

/** What was on stdin: every run of a loop gets the same. */
let input: Promise<Uint8Array> | undefined

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

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
