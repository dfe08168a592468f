import {constants} from 'node:os'
import {Command, InvalidArgumentError} from 'commander'
import type {Adapter} from '../../core/events/adapter.ts'
import {applyFaults, FaultError, FAULTS, type Fault} from '../../fixture/faults.ts'
import {createControlListener} from '../../fixture/control-listener.ts'
import {hasRequests, replayScript} from '../../fixture/replay-script.ts'
import {readFileAsScript, readRecording, type Part, type Script} from '../../fixture/script.ts'
import {CliError} from '../cli-error.ts'
import {createAgentOption, createDataDirOption} from '../common-options.ts'
import {formatAgentNames} from '../agent-names.ts'
import {findRecording, findRecordingAgent} from '../find-recording.ts'
import {parseSpeed} from '../option-values.ts'

interface FakeAgentFlags {
  speed?: number
  fault?: FaultOption[]
  agent?: string
  dataDir?: string
}

/** A fault option; the code of `exit` may be the next argument. */
type FaultOption = Fault | {exitCode: number | undefined}

/** `vitrine fake-agent`: replays a recording as a process, for tests of programs that run agents. */
export const fakeAgent: Command = new Command('fake-agent')
  .summary('replay a recording as a process')
  .description('Replay a recording as a process that prints and exits as the agent did.')
  .argument('<recording>', "id of a run, its directory, or a file with an agent's output")
  .allowExcessArguments()
  .option(
    '--speed <factor>',
    'replay speed: 1 is the original speed, max or 0 has no pauses (default: 1; for a file: max)',
    parseFakeSpeed,
  )
  .option(
    '--fault <kind>',
    'inject a fault, see below; can be repeated',
    (text, before: FaultOption[] = []) => [...before, parseFault(text)],
  )
  .addOption(createAgentOption())
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
It prints the recorded stdout and stderr with the recorded timing and ends with
the recorded exit code or signal. A file has no recorded timing and no exit
code: --speed uses the timestamps in it, and the exit code is 0. Further
arguments are ignored.

Faults:
  split-utf8     cut characters in the middle and send the rest later
  cut-line       cut the last line in the middle
  huge-line      extend a line to more than 1.6 MB
  no-result      leave out the end of the last turn and exit with 0
  hang           stop before the end of the last turn and never exit
  garbage        insert text, NULs, invalid UTF-8 and partial records
  exit=3         exit with this code

If the recording has permission requests and stdin is not a terminal, it waits
after each of them for an answer on stdin or for the end of stdin.

${formatAgentNames()}

Examples:
  vitrine fake-agent 7f3a --speed 10
  vitrine fake-agent run.jsonl --fault garbage --fault exit=3
  vitrine run --agent claude -- vitrine fake-agent run.jsonl --fault hang`,
  )
  .action(async (_: string, flags: FakeAgentFlags, {args}: Command) => {
    const {recording, faults, exitCode} = readWords(args, flags.fault ?? [])
    const found = findRecording(recording, flags.dataDir)
    const agent = findRecordingAgent(found, flags.agent)
    const {speed} = flags
    const timingAgent = speed === undefined || speed === Infinity ? null : agent
    const recorded =
      found.dir === undefined
        ? readFileAsScript(found.stdout, timingAgent)
        : readRecording(found.dir, found.record)
    const script = injectFaults(recording, recorded, faults, agent)
    const listener =
      !process.stdin.isTTY && hasRequests(script) ? createControlListener(process.stdin) : undefined
    await replayScript(script, {speed: speed ?? 1, write, listener})
    if (script.isEndless === true) return waitForever()
    if (exitCode === undefined && script.signal !== null) return killSelf(script.signal)
    // An agent with a control channel exits when stdin is closed.
    await listener?.ended
    process.exit(exitCode ?? script.exitCode)
  })

function parseFakeSpeed(text: string): number {
  return text === 'max' || text === '0' ? Infinity : parseSpeed(text)
}

function parseFault(text: string): FaultOption {
  const [, code] = /^exit(?:[ =](\d{1,3}))?$/.exec(text) ?? []
  if (text === 'exit') return {exitCode: undefined}
  if (code !== undefined && Number(code) <= MAX_EXIT_CODE) return {exitCode: Number(code)}
  const known = FAULTS.find((fault) => fault === text)
  if (known !== undefined) return known
  const hint = text.startsWith('exit') ? ` The code is at most ${MAX_EXIT_CODE}.` : ''
  throw new InvalidArgumentError(`Expected one of ${FAULTS.join(', ')}, exit=N.${hint}`)
}

const MAX_EXIT_CODE = 255

/** Separates the recording from the code of `--fault exit 3`. */
function readWords(words: readonly string[], given: readonly FaultOption[]) {
  const faults = new Set(given.filter((fault) => typeof fault === 'string'))
  const exits = given.filter((fault) => typeof fault === 'object')
  const [first = '', second = ''] = words
  const exit = exits.at(-1)
  if (exit !== undefined && faults.has('hang')) {
    throw new CliError(
      '--fault hang and --fault exit cannot be combined: a hanging agent has no exit code',
    )
  }
  if (exit === undefined || exit.exitCode !== undefined) {
    return {recording: first, faults, exitCode: exit?.exitCode}
  }
  const codeAt = [second, first].find(
    (word) => /^\d{1,3}$/.test(word) && Number(word) <= MAX_EXIT_CODE,
  )
  if (codeAt === undefined || second === '') {
    throw new CliError('--fault exit needs a code. Example: --fault exit=3')
  }
  const recording = codeAt === second ? first : second
  return {recording, faults, exitCode: Number(codeAt)}
}

function injectFaults(
  name: string,
  script: Script,
  faults: Set<Fault>,
  agent: Adapter | null,
): Script {
  try {
    return applyFaults(script, faults, agent)
  } catch (error) {
    throw error instanceof FaultError ? new CliError(`${name}: ${error.message}`) : error
  }
}

/** Resolves once the bytes are flushed, so that an exit loses none of them. */
function write(to: Part['to'], bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => process[to].write(bytes, () => resolve()))
}

function waitForever(): Promise<never> {
  setInterval(() => {}, 60_000)
  return new Promise(() => {})
}

/** Ends the process by a signal. */
function killSelf(signal: string): Promise<never> {
  const number = constants.signals[signal as NodeJS.Signals] as number | undefined
  if (number === undefined) process.exit(1)
  process.kill(process.pid, number)
  // Node handles some signals itself and does not exit.
  setTimeout(() => process.exit(128 + number), 1000)
  return new Promise(() => {})
}
