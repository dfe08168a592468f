import type {RunResult} from '../core/run/run-result.ts'
import {formatCount, formatMoney} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {describeProcess} from '../runner/describe-process.ts'
import {createFormatter, type Formatter, type FormatterOptions} from '../terminal/format.ts'
import {formatHeartbeat, formatStderr} from '../terminal/log-lines.ts'
import {formatAnswer} from '../terminal/permission-box.ts'
import {formatStatus} from '../terminal/status-line.ts'
import {formatStuck} from '../terminal/stuck.ts'
import {formatSummary, formatSummaryLine} from '../terminal/summary.ts'
import {createPassThrough} from './ci-filter.ts'
import {createBuffer, print} from './output.ts'
import {screenStyle, stdoutStyle} from './style.ts'
import {describeCommand} from './describe-command.ts'
import {createAsker, type Asker} from './asker.ts'
import {createAnswerAdder} from './lone-answer.ts'
import {describeAnswer, describeNotice} from './notices.ts'
import type {RunView, RunViewOptions} from './run-view-types.ts'
import {createScreen} from './screen.ts'

/** Without `--verbose` nobody sees more lines of stderr than this. */
const MOST_ERRORS = 20
/** How long nothing may come before a line says that all is well. */
const HEARTBEAT_MS = 60_000
/** The status line is redrawn no more often than this. */
const REDRAW_MS = 100

/** Lines for people: on a terminal with a status line below, else as they come. */
export function createPrettyView(options: RunViewOptions): RunView {
  const screen = screenStyle() === undefined ? undefined : createScreen()
  const sink = screen ?? createBuffer()
  let formatter: Formatter = createFormatter({...stdoutStyle(), ...options})
  let run: AgentRun | undefined
  let asker: Asker | undefined
  let timer: NodeJS.Timeout | undefined
  let redraw: NodeJS.Timeout | undefined
  let lastAt = Date.now()
  let errorCount = 0
  const handled = new Set<string | undefined>()
  const bytes = createPassThrough(1)
  const errors = createPassThrough(2)
  const errorLines = createLineDecoder((line) => line)
  const plainLines = createLineDecoder((line) => line)
  const withAnswer = createAnswerAdder()

  return {
    begin(begun) {
      run = begun
      formatter = createFormatter({
        ...stdoutStyle(),
        ...options,
        ...describeRun(run, options),
      })
      for (const line of tellBeginning(run, options)) writeOwn(`[vitrine] ${line}\n`)
      if (screen !== undefined) asker = createAsker(run, process.cwd(), draw)
      timer = setInterval(onSecond, 1000)
      draw()
    },
    see(event) {
      // What is asked here is shown here, and its answer is what stays.
      const isAnswered = event.type === 'permission-request' && handled.has(event.requestId)
      if (!isAnswered) for (const shown of withAnswer(event)) write(formatter.format(shown))
      drawSoon()
    },
    output(chunk) {
      if (run?.agent === null) showBytes(chunk)
    },
    stderr(chunk) {
      // No terminal obeys a program, also not where only stdout is a pipe.
      if (isTransparent() && !process.stderr.isTTY) process.stderr.write(errors.push(chunk))
      else for (const line of errorLines.push(chunk)) showError(line)
    },
    notice(notice) {
      if (notice.type === 'asked') {
        handled.add(notice.request.requestId)
        if (screen !== undefined && options.bell !== false) sink.write('\u0007')
        asker?.ask(notice.request)
        return
      }
      if (notice.type === 'cancelled') return asker?.settle(notice.requestId)
      if (notice.type === 'answered') {
        handled.add(notice.answer.request.requestId)
        asker?.settle(notice.answer.request.requestId)
        const answer = describeAnswer(run?.agent ?? 'agent', notice.answer)
        return write(`${formatAnswer(answer, stdoutStyle())}\n`)
      }
      if (notice.type !== 'stuck') {
        const text = describeNotice(notice)
        return text === undefined ? undefined : writeOwn(`[vitrine] ${text}\n`)
      }
      const {breach, process: state, isStopping} = notice
      const report = {reason: breach.reason, ...describeProcess(state), isStopping}
      writeOwn(
        formatStuck(report, stdoutStyle())
          .map((line) => `${line}\n`)
          .join(''),
      )
    },
    leave: () => screen?.draw([]),
    async end(result) {
      asker?.close()
      clearInterval(timer)
      clearTimeout(redraw)
      for (const line of errorLines.end()) showError(line)
      for (const line of plainLines.end()) write(`${escapeControls(line)}\n`)
      await print(bytes.end())
      process.stderr.write(errors.end())
      write(formatter.end())
      for (const line of tellStream(result, options)) writeOwn(`[vitrine] ${line}\n`)
      screen?.draw([])
      const style = screenStyle()
      if (style === undefined) writeOwn(`[vitrine] ${formatSummaryLine(result)}\n`)
      else {
        const hints = [`vitrine view ${result.runId}`]
        const lines = formatSummary(result, {maxCostUsd: options.maxCost, hints}, style)
        write(`${lines.join('\n')}\n`)
      }
      if ('flush' in sink) await sink.flush()
    },
  }

  function write(text: string): void {
    if (text === '') return
    lastAt = Date.now()
    sink.write(text)
  }

  /** Whether stdout belongs to a program that Vitrine does not understand: then it has the bytes of the program alone. */
  function isTransparent(): boolean {
    return run?.agent === null && screen === undefined && options.escapes !== true
  }

  /** Writes a line of Vitrine's own. */
  function writeOwn(text: string): void {
    if (!isTransparent()) return write(text)
    lastAt = Date.now()
    process.stderr.write(text)
  }

  function onSecond(): void {
    if (screen !== undefined) return draw()
    const now = Date.now()
    if (run?.agent != null) write(formatter.begin(run.agent))
    if (run === undefined || now - lastAt < HEARTBEAT_MS) return
    const {waiting, state} = run.status()
    writeOwn(`${formatHeartbeat(waiting, now, state)}\n`)
  }

  function drawSoon(): void {
    if (screen === undefined) return
    redraw ??= setTimeout(() => {
      redraw = undefined
      draw()
    }, REDRAW_MS)
  }

  function draw(): void {
    const style = screenStyle()
    if (screen === undefined || style === undefined || run === undefined) return
    const {stuck, ...status} = run.status()
    const signs = stuck === undefined ? undefined : describeProcess(stuck.process)
    const shown = {...status, stuck: signs, now: Date.now()}
    screen.draw(asker?.rows(shown, style) ?? formatStatus(shown, style))
  }

  /** Of an agent that nobody understands all is shown, but a terminal obeys none of it. */
  function showBytes(chunk: Uint8Array): void {
    if (isTransparent()) return void print(bytes.push(chunk))
    for (const line of plainLines.push(chunk)) write(`${escapeControls(line.trimEnd())}\n`)
  }

  function showError(line: string): void {
    const text = line.trimEnd()
    if (text === '' || (errorCount === MOST_ERRORS && options.verbose === 0)) return
    writeError(`${formatStderr(run?.agent ?? 'agent', text, stdoutStyle())}\n`)
    errorCount++
    if (errorCount === MOST_ERRORS && options.verbose === 0) {
      writeError('[vitrine] more on stderr is in the recording; -v shows it\n')
    }
  }

  /** On a terminal that shows both streams, the status line must make room. */
  function writeError(text: string): void {
    if (screen !== undefined && process.stderr.isTTY) return write(text)
    lastAt = Date.now()
    process.stderr.write(text)
  }
}

/** What is known of a run beside its stream. */
export function describeRun(
  {runId, dir}: AgentRun,
  {maxCost}: RunViewOptions,
): Pick<FormatterOptions, 'session' | 'cwd'> {
  const budget = maxCost === undefined ? undefined : formatMoney(maxCost)
  const {agentVersion, cwd} = readRunRecord(dir) ?? {}
  return {session: {recording: runId, budget, agentVersion}, cwd}
}

/** With `-v`, the command as it is run. */
export function tellBeginning({dir}: AgentRun, {verbose}: RunViewOptions): string[] {
  const words = verbose > 0 ? readRunRecord(dir)?.ranArgv : undefined
  return words === undefined ? [] : [`Agent command: ${describeCommand(words)}`]
}

/** With `-v`, how much of the stream was understood. */
export function tellStream(result: RunResult, {verbose}: RunViewOptions): string[] {
  const {agent, lines, malformed, unknown} = result
  if (verbose === 0 || agent === null) return []
  return [`Stream: ${formatCount(lines, 'line')}, ${malformed} malformed, ${unknown} unknown`]
}
