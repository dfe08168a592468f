import {readFileSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {Command, Option} from 'commander'
import {createEventDecoder} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {initialRunState, reduceRunState, type RunState} from '../../core/run/run-state.ts'
import {exitCodeOf, judgeRun, judgeStream, type Verdict} from '../../core/run/verdict.ts'
import {formatCount} from '../../core/text/figures.ts'
import {cutText, escapeControls} from '../../core/text/text.ts'
import {createLineDecoder} from '../../core/wire/lines.ts'
import {labelOf, openInput, type Input, type InputChunk} from '../input.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RecordedRun} from '../../recording/list-runs.ts'
import {createFormatter} from '../../terminal/format.ts'
import {formatStderr} from '../../terminal/log-lines.ts'
import {formatSummaryLine} from '../../terminal/summary.ts'
import {createPassThrough} from '../ci-filter.ts'
import {
  createAgentOption,
  createDataDirOption,
  createNoTextOption,
  createVerboseOption,
} from '../common-options.ts'
import {AGENT_HINT, formatAgentNames} from '../agent-names.ts'
import {createResultTextInserter} from '../result-text.ts'
import {createOutputBuffer, formatJsonLine, print, logToStderr} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {parseSpeed} from '../option-values.ts'

interface ViewOptions {
  format: 'pretty' | 'json' | 'raw'
  agent?: string
  verdict?: true
  exitCode?: true
  follow?: true
  speed?: number
  verbose: number
  text: boolean
  dataDir?: string
}

/** `vitrine view`: prints the output of an agent, one line per step. */
export const view: Command = new Command('view')
  .summary("show an agent's output or a recorded run")
  .description("Show an agent's output or a recorded run, one line per step.")
  .argument('[file]', "file with an agent's output, id of a run, or - for stdin", '-')
  .addOption(
    new Option(
      '-f, --format <format>',
      'pretty: readable lines; json: one event per line; raw: the input, byte for byte',
    )
      .choices(['pretty', 'json', 'raw'])
      .default('pretty'),
  )
  .addOption(createAgentOption())
  .option('--verdict', 'print the verdict as a last line of JSON')
  .option('--exit-code', 'exit with the code of the verdict')
  .option('--follow', 'wait for more output at the end of the file, until Ctrl-C')
  .option(
    '--speed <factor>',
    'replay at this speed: 1 is the original speed, 10 is ten times as fast',
    parseSpeed,
  )
  .addOption(createVerboseOption())
  .addOption(createNoTextOption())
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
${formatAgentNames()}

Exit codes with --exit-code:
  0 succeeded   1 failed or truncated   2 unknown agent   124 timed out
  125 over budget or stuck   130 stopped

Examples:
  vitrine view 7f3a                            a recorded run
  vitrine view --format json run.jsonl | jq .  one event per line
  codex exec --json "Fix the tests" | vitrine view --verdict`,
  )
  .action(async (file: string, options: ViewOptions) => {
    const interrupt = new AbortController()
    const {signal} = interrupt
    const input = await openInput(file, {...options, signal})
    const {agent, chunks, writtenAt, run} = input
    if (options.follow === true) process.once('SIGINT', () => interrupt.abort())
    if (agent === null) return viewText(file, input, options)
    // In a file, a line without a timestamp has the time of the line before it.
    let clock = run?.record.startedAt ?? writtenAt
    let lastByte: number | undefined
    const decoder = createEventDecoder(agent, {
      now: () => clock ?? Date.now(),
      maxLineBytes: run?.record.limits?.maxLineBytes,
    })
    const viewer = createViewer(options, run)
    for await (const {bytes, at} of chunks) {
      // Recorded arrival times take precedence over timestamps in the lines.
      if (clock !== undefined && at !== undefined) {
        await pace(clock, at, options.speed, signal)
        clock = at
      }
      if (options.format === 'raw') {
        await print(bytes)
        lastByte = bytes.at(-1)
      }
      for (const event of decoder.push(bytes)) {
        if (clock !== undefined) await pace(clock, event.at, options.speed, signal)
        clock &&= event.at
        viewer.see(event)
        if (options.speed !== undefined) await viewer.flush()
      }
      await viewer.flush()
    }
    for (const event of decoder.end()) viewer.see(event)
    await viewer.flush()
    // The input may end without a newline.
    if (options.verdict === true && lastByte !== undefined && lastByte !== NEWLINE)
      await print('\n')
    await viewer.end(decoder.lineCount)
    // A pending read of a pipe would keep the process alive.
    if (signal.aborted) process.exit()
  })

const NEWLINE = 0x0a

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Waits for the time between two events, divided by the speed. */
async function pace(
  before: number,
  at: number,
  speed: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (speed === undefined || at <= before) return
  const wait = Math.min((at - before) / speed, MAX_TIMER_MS)
  await setTimeout(wait, undefined, {signal}).catch(() => {})
}

/** Creates a viewer that prints events and, at the end, the verdict. */
function createViewer(options: ViewOptions, run: RecordedRun | undefined) {
  const {format, verbose, text} = options
  const {cwd, agentVersion, result} = run?.record ?? {}
  const session = run === undefined ? undefined : {agentVersion}
  const formatter = createFormatter({...getStdoutStyle(), verbose, text, cwd, session})
  const withAnswer = createResultTextInserter()
  const out = createOutputBuffer()
  let state: RunState = initialRunState
  return {
    flush: out.flush,
    see(event: AgentEvent): void {
      state = reduceRunState(state, event)
      if (format === 'json') out.write(formatJsonLine(event))
      else if (format === 'pretty' && event.type === 'malformed')
        logToStderr(describeMalformed(event))
      else if (format === 'pretty') out.write(withAnswer(event).map(formatter.format).join(''))
    },
    async end(lineCount: number): Promise<void> {
      // The record of a supervised run has more facts than its stream.
      const judged = result ?? judgeStream(state)
      if (format === 'pretty') {
        out.write(formatter.end())
        if (run !== undefined) out.write(describeRun(run, verbose))
        else if (judged.verdict === 'truncated') {
          const [reason = ''] = judged.reason.split('\n')
          out.write(`[vitrine] Truncated: ${cutText(escapeControls(reason), 200)}\n`)
        }
        if (state.unknownCount > 0) {
          const records = formatCount(state.unknownCount, 'record')
          logToStderr(
            `${records} with unknown types or blocks. List them with: vitrine drift <file>`,
          )
        }
      }
      await out.flush()
      await reportVerdict(judged, state, lineCount, options)
    },
  }
}

/** Prints the verdict and sets the exit code, if the options ask for it. */
async function reportVerdict(
  {verdict, reason}: Verdict,
  {ledger, turns, malformedCount: malformed, unknownCount: unknown}: RunState,
  lines: number,
  options: ViewOptions,
): Promise<void> {
  if (options.exitCode === true) process.exitCode = exitCodeOf(verdict)
  if (options.verdict !== true) return
  const {costUsd = null} = ledger
  const facts = {verdict, reason, costUsd, turns, lines, malformed, unknown}
  await print(formatJsonLine({type: 'verdict', ...facts}))
}

/** Without `--verbose`, further lines of stderr are not shown. */
const MAX_STDERR_LINES = 20

/** Describes the stderr output and the result of a run. */
function describeRun({dir, record}: RecordedRun, verbose: number): string {
  const {agent, result} = record
  const errors = readErrors(dir)
  const shown = verbose > 0 ? errors : errors.slice(0, MAX_STDERR_LINES)
  const rest = errors.length - shown.length
  return [
    ...shown.map((line) => `${formatStderr(agent ?? 'agent', line, getStdoutStyle())}\n`),
    ...(rest > 0 ? [`[vitrine] ${formatCount(rest, 'more line')} on stderr; -v shows them\n`] : []),
    ...(result === undefined
      ? [`[vitrine] No end was recorded. Supervise it again with: vitrine attach ${record.runId}\n`]
      : [`[vitrine] ${formatSummaryLine({...result, dir, text: ''})}\n`]),
  ].join('')
}

function readErrors(dir: string): string[] {
  try {
    const text = readFileSync(recordingAt(dir).stderr, 'utf8')
    return text.split('\n').filter((line) => line.trim() !== '')
  } catch {
    return []
  }
}

function describeMalformed({
  line,
  raw,
  reason,
  size,
}: Extract<AgentEvent, {type: 'malformed'}>): string {
  const bytes = formatCount(size, 'byte')
  if (reason === 'line-too-long') return `line ${line}: too long (${bytes}), skipped`
  const isCut = raw.startsWith('{') && !raw.endsWith('\n')
  const how = isCut ? `cut off after ${bytes}` : bytes
  return `line ${line}: not valid JSON (${how}), kept as malformed`
}

/** Shows the output of an unknown agent. */
async function viewText(
  file: string,
  {chunks, hasRecords, run}: Input,
  options: ViewOptions,
): Promise<void> {
  if (run === undefined) warnAboutUnknownInput(file, hasRecords)
  if (options.format === 'raw') for await (const {bytes} of chunks) await print(bytes)
  // The user's own text stays as it is in a pipe; a recording may come from elsewhere.
  else await passThrough(chunks, process.stdout.isTTY || run !== undefined)
  if (run === undefined) return
  if (options.format === 'pretty') await print(describeRun(run, options.verbose))
  const facts = {exitCode: null, signal: null, isUnknownAgent: true}
  const judged = run.record.result ?? judgeRun(initialRunState, facts)
  await reportVerdict(judged, initialRunState, 0, options)
}

function warnAboutUnknownInput(file: string, hasRecords: boolean): void {
  process.exitCode = 2
  logToStderr(
    hasRecords
      ? `${labelOf(file)}: unknown agent, shown unchanged. To parse it, use ${AGENT_HINT}`
      : `${labelOf(file)}: plain text without events, shown unchanged. ${EVENTS_HINT}`,
  )
}

const EVENTS_HINT =
  'To get events, add the flags that vitrine agents lists, or start the agent with vitrine run'

/** Prints the output of an unknown agent, escaped or byte for byte. */
async function passThrough(chunks: AsyncIterable<InputChunk>, isEscaped: boolean): Promise<void> {
  const lines = createLineDecoder((line) => `${escapeControls(line.trimEnd())}\n`)
  const filter = createPassThrough(1)
  for await (const {bytes} of chunks) {
    await print(filter.push(isEscaped ? Buffer.from(lines.push(bytes).join('')) : bytes))
  }
  if (isEscaped) await print(filter.push(Buffer.from(lines.end().join(''))))
  await print(filter.end())
}
