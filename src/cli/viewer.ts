import {readFileSync} from 'node:fs'
import type {AgentEvent} from '../core/events/events.ts'
import {initialRunState, reduceRunState, type RunState} from '../core/run/run-state.ts'
import {exitCodeOf, judgeStream, type Verdict} from '../core/run/verdict.ts'
import {formatCount} from '../core/text/figures.ts'
import {cutText, escapeControls} from '../core/text/text.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {recordingAt} from '../recording/recording.ts'
import {createFormatter} from '../terminal/format.ts'
import {formatStderr} from '../terminal/log-lines.ts'
import {formatSummaryLine} from '../terminal/summary.ts'
import {createOutputBuffer, formatJsonLine, logToStderr, print} from './output.ts'
import {createResultTextInserter} from './result-text.ts'
import {getStdoutStyle} from './style.ts'

/** The options of `vitrine view`. */
export interface ViewOptions {
  format: 'pretty' | 'json' | 'raw'
  agent?: string
  verdict?: true
  exitCode?: true
  follow?: true
  speed?: number
  verbose: number
  text: boolean
  /** Milliseconds from the start; earlier events are not printed. */
  at?: number
  dataDir?: string
}

/** Facts about the shown run or session, besides its events. */
export interface Viewed {
  run?: RecordedRun | undefined
  /** Whether it is a session, which has no verdict. */
  isSession?: boolean | undefined
  cwd?: string | undefined
  agentVersion?: string | undefined
  startedAt?: number | undefined
}

/** Creates a viewer that prints events and, at the end, the verdict. */
export function createViewer(options: ViewOptions, viewed: Viewed = {}) {
  const {format, verbose, text} = options
  const {run, isSession = false} = viewed
  const {cwd, agentVersion, startedAt} = {...viewed, ...run?.record}
  const result = run?.record.result
  const session = run === undefined && !isSession ? undefined : {agentVersion}
  const formatter = createFormatter({...getStdoutStyle(), verbose, text, cwd, session})
  const withAnswer = createResultTextInserter()
  const out = createOutputBuffer()
  let state: RunState = initialRunState
  let firstAt: number | undefined
  return {
    flush: out.flush,
    see(event: AgentEvent): void {
      state = reduceRunState(state, event)
      firstAt ??= startedAt ?? event.at
      if (options.at !== undefined && event.at < firstAt + options.at) return
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
        else if (!isSession && judged.verdict === 'truncated') {
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
export async function reportVerdict(
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
export function describeRun({dir, record}: RecordedRun, verbose: number): string {
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
