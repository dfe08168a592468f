import {readFileSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {Command, Option} from 'commander'
import {agents} from '../../agents/list.ts'
import {createEventDecoder, type EventDecoder} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {initialRunState, reduceRunState, type RunState} from '../../core/run/run-state.ts'
import {
  exitCodeOf,
  judgeRun,
  judgeStream,
  type ProcessFacts,
  type Verdict,
} from '../../core/run/verdict.ts'
import {formatCount} from '../../core/text/figures.ts'
import {cutText, escapeControls} from '../../core/text/text.ts'
import {createLineDecoder} from '../../core/wire/lines.ts'
import {labelOf, openInput, type InputChunk} from '../input.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RecordedRun} from '../../recording/list-runs.ts'
import {createFormatter} from '../../terminal/format.ts'
import {formatStderr} from '../../terminal/log-lines.ts'
import {formatSummaryLine} from '../../terminal/summary.ts'
import {createPassThrough} from '../ci-filter.ts'
import {createAnswerAdder} from '../lone-answer.ts'
import {jsonLine, print, remark} from '../output.ts'
import {stdoutStyle} from '../style.ts'
import {parseSpeed} from '../values.ts'

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

/** `vitrine view`: what an agent did, a line for each step. */
export const view: Command = new Command('view')
  .description('show what an agent printed, a line for each step')
  .argument('[file]', "a recording of an agent's output, the id of a run, or - for stdin", '-')
  .addOption(
    new Option('-f, --format <format>', 'lines for people, events as JSON, or the input as it came')
      .choices(['pretty', 'json', 'raw'])
      .default('pretty'),
  )
  .option('-a, --agent <name>', `whose output it is (found out by default)`)
  .option('--verdict', 'end with a line of JSON on how it ended')
  .option('--exit-code', 'exit with the code of the verdict, as vitrine run does')
  .option('--follow', 'wait for more at the end of the file, until Ctrl-C')
  .option(
    '--speed <factor>',
    'replay by the times the agent tells: 1 as it was, 10 faster',
    parseSpeed,
  )
  .option(
    '-v, --verbose',
    'more: thoughts, whole texts, output of tools; -vv all of it',
    (_, n) => n + 1,
    0,
  )
  .option('--no-text', 'leave out what the agent says')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Agents: ${agents.map(({id}) => id).join(' ')}

Examples:
  vitrine view run.jsonl
  vitrine view 7f3a                               a run of vitrine run
  vitrine view -v run.jsonl                       with thoughts and output
  vitrine view --format json run.jsonl | jq .     one event per line
  claude -p "Fix the tests" --output-format stream-json --verbose | vitrine view
  codex exec --json "Fix the tests" | vitrine view --verdict
  claude -p "…" --output-format stream-json --verbose | vitrine --exit-code || echo failed

Exit code with --exit-code: 0 succeeded, 1 failed or truncated, 124 timed out, 125 over budget or stuck,
130 stopped; 2 when no agent is known to print the input.`,
  )
  .action(async (file: string, options: ViewOptions) => {
    const interrupt = new AbortController()
    const {signal} = interrupt
    const input = await openInput(file, {...options, signal})
    const {agent, hasRecords, chunks, writtenAt, run} = input
    if (options.follow === true) process.once('SIGINT', () => interrupt.abort())
    if (agent === null) {
      if (run === undefined) warnOfUnknown(file, hasRecords)
      // The user's own text stays as it is in a pipe; a recording may come from elsewhere.
      const isForeign = process.stdout.isTTY || run !== undefined
      if (options.format === 'raw') for await (const {bytes} of chunks) await print(bytes)
      else await passThrough(chunks, isForeign)
      if (run !== undefined && options.format === 'pretty') {
        await print(describeRun(run, options.verbose).join(''))
      }
      if (run === undefined) return
      const judged = judgeText(run)
      if (options.verdict === true) await print(verdictLine(judged))
      if (options.exitCode === true) process.exitCode = exitCodeOf(judged.verdict)
      return
    }
    // In a file a line without a time of its own is as old as the line before it.
    let clock = run?.record.startedAt ?? writtenAt
    const decoder = createEventDecoder(agent, {
      now: () => clock ?? Date.now(),
      maxLineBytes: run?.record.limits?.maxLineBytes,
    })
    const viewer = createViewer(options, decoder, run)
    for await (const {bytes, at} of chunks) {
      // The recorded time of a line wins over the time that the line reports.
      if (clock !== undefined && at !== undefined) {
        await pace(clock, at, options.speed, signal)
        clock = at
      }
      if (options.format === 'raw') viewer.pass(bytes)
      for (const event of decoder.push(bytes)) {
        if (clock !== undefined) await pace(clock, event.at, options.speed, signal)
        clock &&= event.at
        viewer.see(event)
        if (options.speed !== undefined) await viewer.flush()
      }
      await viewer.flush()
    }
    for (const event of decoder.end()) viewer.see(event)
    await viewer.end()
    // A pending read of a pipe would keep the process alive.
    if (signal.aborted) process.exit()
  })

/** The longest that a timer can wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Waits as long as the agent took from one event to the next. */
async function pace(
  before: number,
  at: number,
  speed: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (speed === undefined || at <= before) return
  const wait = Math.min((at - before) / speed, LONGEST_WAIT_MS)
  await setTimeout(wait, undefined, {signal}).catch(() => {})
}

/** Shows events one way or the other, and knows in the end how it ended. */
function createViewer(
  {format, verdict, exitCode, verbose, text}: ViewOptions,
  decoder: EventDecoder,
  run: RecordedRun | undefined,
) {
  // More is known of a run that was looked after than its stream tells.
  const result = run?.record.result
  const {cwd, agentVersion} = run?.record ?? {}
  const session = run === undefined ? undefined : {agentVersion}
  const formatter = createFormatter({...stdoutStyle(), verbose, text, cwd, session})
  const withAnswer = createAnswerAdder()
  let state: RunState = initialRunState
  let out: (string | Uint8Array)[] = []
  let lastByte: number | undefined
  return {
    see(event: AgentEvent): void {
      state = reduceRunState(state, event)
      if (format === 'json') out.push(jsonLine(event))
      else if (format === 'pretty' && event.type === 'malformed') remark(describeMalformed(event))
      else if (format === 'pretty') out.push(...withAnswer(event).map(formatter.format))
    },
    /** Gives the input on as it came. */
    pass(chunk: Uint8Array): void {
      out.push(chunk)
      lastByte = chunk.at(-1)
    },
    async flush(): Promise<void> {
      const [first, ...rest] = out
      out = []
      if (first instanceof Uint8Array) await print(first)
      else if (first !== undefined) await print([first, ...rest].join(''))
    },
    async end(): Promise<void> {
      const judged = result === undefined ? judgeStream(state) : pickVerdict(result)
      if (exitCode === true) process.exitCode = exitCodeOf(judged.verdict)
      if (format === 'pretty') {
        out.push(formatter.end())
        if (run !== undefined) out.push(...describeRun(run, verbose))
        else if (judged.verdict === 'truncated') {
          const [reason = ''] = judged.reason.split('\n')
          out.push(`[vitrine] Truncated: ${cutText(escapeControls(reason), 200)}\n`)
        }
        const unknown = state.unknownCount
        if (unknown > 0) {
          const records = formatCount(unknown, 'record')
          remark(`${records} of a kind this version does not know. vitrine drift lists them`)
        }
      }
      if (verdict === true) {
        const {ledger, turns, malformedCount: malformed, unknownCount: unknown} = state
        const {costUsd = null} = ledger
        const {lineCount: lines} = decoder
        // What is passed on may end in the middle of a line.
        if (lastByte !== undefined && lastByte !== NEWLINE) out.push('\n')
        out.push(jsonLine({type: 'verdict', ...judged, costUsd, turns, lines, malformed, unknown}))
      }
      await this.flush()
    },
  }
}

/** Without `--verbose` nobody sees more lines of stderr than this. */
const MOST_ERRORS = 20

/** What a run has besides its stream: what it said on stderr, and how it ended. */
function describeRun({dir, record}: RecordedRun, verbose: number): string[] {
  const {agent, result} = record
  const errors = readErrors(dir)
  const shown = verbose > 0 ? errors : errors.slice(0, MOST_ERRORS)
  const rest = errors.length - shown.length
  return [
    ...shown.map((line) => `${formatStderr(agent ?? 'agent', line, stdoutStyle())}\n`),
    ...(rest > 0 ? [`[vitrine] ${formatCount(rest, 'more line')} on stderr; -v shows them\n`] : []),
    ...(result === undefined
      ? [`[vitrine] It was not seen to end. vitrine attach ${record.runId}\n`]
      : [`[vitrine] ${formatSummaryLine({...result, dir, text: ''})}\n`]),
  ]
}

function readErrors(dir: string): string[] {
  try {
    const text = readFileSync(recordingAt(dir).stderr, 'utf8')
    return text.split('\n').filter((line) => line.trim() !== '')
  } catch {
    return []
  }
}

function pickVerdict({verdict, reason}: Verdict): Verdict {
  return {verdict, reason}
}

const NEWLINE = 0x0a

function describeMalformed({
  line,
  raw,
  reason,
  size,
}: Extract<AgentEvent, {type: 'malformed'}>): string {
  const bytes = formatCount(size, 'byte')
  if (reason === 'line-too-long') return `line ${line}: too long (${bytes}). Skipped; going on`
  const isCut = raw.startsWith('{') && !raw.endsWith('\n')
  const how = isCut ? `ends in the middle, ${bytes}` : bytes
  return `line ${line}: not JSON (${how}). Kept as malformed; going on`
}

function warnOfUnknown(file: string, hasRecords: boolean): void {
  process.exitCode = 2
  const names = agents.map(({id}) => id).join('|')
  remark(
    hasRecords
      ? `${labelOf(file)}: no agent is known to print this; showing it as it is. Name one with --agent ${names}`
      : `${labelOf(file)}: text, no events; showing it as it is. ${HOW_TO_GET_EVENTS}`,
  )
}

const HOW_TO_GET_EVENTS =
  'An agent prints events when told to: claude -p "…" --output-format stream-json --verbose. vitrine agents lists the flags of all, vitrine run adds them'

/** Shows output that is of no known agent, with its control characters escaped or, but for a CI runner, byte for byte. */
async function passThrough(chunks: AsyncIterable<InputChunk>, isEscaped: boolean): Promise<void> {
  const lines = createLineDecoder((line) => `${escapeControls(line.trimEnd())}\n`)
  const filter = createPassThrough(1)
  for await (const {bytes} of chunks) {
    await print(filter.push(isEscaped ? Buffer.from(lines.push(bytes).join('')) : bytes))
  }
  if (isEscaped) await print(filter.push(Buffer.from(lines.end().join(''))))
  await print(filter.end())
}

/** The verdict on a run of a command that is no known agent. */
function judgeText({record: {result}}: RecordedRun): Verdict {
  const facts: ProcessFacts = {exitCode: null, signal: null, isUnknownAgent: true}
  return pickVerdict(result ?? judgeRun(initialRunState, facts))
}

function verdictLine(judged: Verdict): string {
  const counts = {costUsd: null, turns: 0, lines: 0, malformed: 0, unknown: 0}
  return jsonLine({type: 'verdict', ...judged, ...counts})
}
