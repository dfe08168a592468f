import {constants} from 'node:os'
import {Command, InvalidArgumentError} from 'commander'
import {agents} from '../../agents/list.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import {applyFaults, FaultError, FAULTS, type Fault} from '../../fixture/faults.ts'
import {createControlListener} from '../../fixture/control-listener.ts'
import {hasRequests, replayScript} from '../../fixture/replay-script.ts'
import {readFileAsScript, readRecording, type Part, type Script} from '../../fixture/script.ts'
import {CliError} from '../cli-error.ts'
import {findRecording} from '../find-recording.ts'
import {detectRecordingAgent} from '../detect-recording-agent.ts'
import {requireAgent} from '../require-agent.ts'
import {parseSpeed} from '../option-values.ts'

interface FakeAgentFlags {
  speed?: number
  fault?: FaultOption[]
  agent?: string
  dataDir?: string
}

/** A fault as it is given: the code of `exit` may be the next word. */
type FaultOption = Fault | {exitCode: number | undefined}

/** `vitrine fake-agent`: a recording as a process, for tests of whatever runs agents. */
export const fakeAgent: Command = new Command('fake-agent')
  .description('stand for an agent: print a recording as it was printed, or with something wrong')
  .argument('<recording>', "the id of a run, the folder of one, or a file of an agent's output")
  .allowExcessArguments()
  .option(
    '--speed <factor>',
    '1 as it was (the default where times were recorded), 10 faster; max or 0 at once',
    parseFakeSpeed,
  )
  .option(
    '--fault <kind>',
    'let something go wrong, see below; can be repeated',
    (text, before: FaultOption[] = []) => [...before, parseFault(text)],
  )
  .option('-a, --agent <name>', 'whose output it is (found out by default)')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Every byte goes to stdout and stderr as it was recorded, in its time, and it ends with the exit code or the
signal of the recording. A file has no times and no ending: all of it comes at once (with --speed by the times
that the agent tells), then it exits with 0. The same recording and faults give the same bytes.
Arguments after the recording (and -- where they look like options) are not heeded: the agent would get them.

Faults:
  split-utf8     characters are cut in the middle, and the rest comes a moment later
  cut-line       the last line is cut in the middle
  huge-line      a line has more than 1.6 MB: the longest text in it goes on and on
  no-result      the last turn end is left out, and it exits with 0
  hang           it stops before the last turn end and says nothing more, until it is ended
  garbage        between the lines come prose, NULs, bytes that are no UTF-8, half records
  exit=3         it exits with this code, whatever was recorded (also: exit 3)

When the recording asks for permissions, as Claude does, and stdin is no terminal, it waits after each of them
until it is answered there or stdin is closed, and goes on as recorded whatever the answer is.

Agents: ${agents.map(({id}) => id).join(' ')}

Examples:
  vitrine fake-agent 7f3a --speed 10              a run of vitrine run
  vitrine fake-agent run.jsonl --fault garbage --fault exit=3
  vitrine run --agent claude -- vitrine fake-agent run.jsonl --fault hang
  exec vitrine fake-agent run.jsonl -- "$@"       in a script called claude, for what runs that`,
  )
  .action(async (_: string, flags: FakeAgentFlags, {args}: Command) => {
    const {recording, faults, exitCode} = readWords(args, flags.fault ?? [])
    const found = findRecording(recording, flags.dataDir)
    const agent =
      flags.agent === undefined ? detectRecordingAgent(found) : requireAgent(flags.agent)
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
    // Who is spoken to stays until nobody has anything to say.
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
  throw new InvalidArgumentError(`It must be one of ${FAULTS.join(', ')}, exit=N.${hint}`)
}

const MAX_EXIT_CODE = 255

/** Which word is the recording, and which the code of `--fault exit 3`. */
function readWords(words: readonly string[], given: readonly FaultOption[]) {
  const faults = new Set(given.filter((fault) => typeof fault === 'string'))
  const exits = given.filter((fault) => typeof fault === 'object')
  const [first = '', second = ''] = words
  const exit = exits.at(-1)
  if (exit !== undefined && faults.has('hang')) {
    throw new CliError('--fault hang never ends, so it has no exit code. Leave one of them out')
  }
  if (exit === undefined || exit.exitCode !== undefined) {
    return {recording: first, faults, exitCode: exit?.exitCode}
  }
  const codeAt = [second, first].find(
    (word) => /^\d{1,3}$/.test(word) && Number(word) <= MAX_EXIT_CODE,
  )
  if (codeAt === undefined || second === '') {
    throw new CliError('--fault exit wants a code, such as --fault exit=3')
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

/** Settles when the bytes are on their way: who exits then loses none of them. */
function write(to: Part['to'], bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => process[to].write(bytes, () => resolve()))
}

function waitForever(): Promise<never> {
  setInterval(() => {}, 60_000)
  return new Promise(() => {})
}

/** Ends as a program does that gets this signal. */
function killSelf(signal: string): Promise<never> {
  const number = constants.signals[signal as NodeJS.Signals] as number | undefined
  if (number === undefined) process.exit(1)
  process.kill(process.pid, number)
  // Node has a use of its own for some.
  setTimeout(() => process.exit(128 + number), 1000)
  return new Promise(() => {})
}
