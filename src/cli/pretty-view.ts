import type {RunResult} from '../core/run/run-result.ts'
import {formatCount, formatMoney} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {describeProcess} from '../runner/describe-process.ts'
import {createFormatter, type FormatterOptions} from '../terminal/format.ts'
import {formatHeartbeat, formatStderr} from '../terminal/log-lines.ts'
import {formatAnswer} from '../terminal/permission-box.ts'
import {formatStatus} from '../terminal/status-line.ts'
import {formatStuck} from '../terminal/stuck.ts'
import {formatSummary, formatSummaryLine} from '../terminal/summary.ts'
import {createPassThrough} from './ci-filter.ts'
import {createOutputBuffer, print} from './output.ts'
import {getScreenStyle, getStdoutStyle} from './style.ts'
import {formatCommand} from './format-command.ts'
import {createPermissionPrompt} from './permission-prompt.ts'
import {createResultTextInserter} from './result-text.ts'
import {describeAnswer, describeNotice} from './notices.ts'
import {createScreen} from './screen.ts'
import type {RunView, RunViewOptions} from './show-run.ts'

/** Without `--verbose`, further lines of stderr are not shown. */
const MAX_STDERR_LINES = 20
/** A heartbeat is printed after this time without output. */
const HEARTBEAT_INTERVAL_MS = 60_000
const REDRAW_INTERVAL_MS = 100

/** Creates the readable view, with a status line on a terminal. */
export function createPrettyView(run: AgentRun, options: RunViewOptions): RunView {
  const screen = getScreenStyle() === undefined ? undefined : createScreen()
  const sink = screen ?? createOutputBuffer()
  const facts = readSessionFacts(run, options)
  const formatter = createFormatter({...getStdoutStyle(), ...options, ...facts})
  const asker = screen && createPermissionPrompt(run, process.cwd(), draw)
  const timer = setInterval(onSecond, 1000)
  let redraw: NodeJS.Timeout | undefined
  let lastAt = Date.now()
  let errorCount = 0
  const handled = new Set<string | undefined>()
  const bytes = createPassThrough(1)
  const errors = createPassThrough(2)
  const errorLines = createLineDecoder((line) => line)
  const plainLines = createLineDecoder((line) => line)
  const withAnswer = createResultTextInserter()

  for (const line of describeStart(run, options)) writeOwn(`[vitrine] ${line}\n`)
  draw()

  return {
    onEvent(event) {
      // The prompt shows the request, and only its answer stays on the screen.
      const isAnswered = event.type === 'permission-request' && handled.has(event.requestId)
      if (!isAnswered) for (const shown of withAnswer(event)) write(formatter.format(shown))
      drawSoon()
    },
    onOutput(chunk) {
      if (run.agent === null) showBytes(chunk)
    },
    onStderr(chunk) {
      // Escape sequences of the program must not reach a terminal, even if only stdout is a pipe.
      if (isTransparent() && !process.stderr.isTTY) process.stderr.write(errors.push(chunk))
      else for (const line of errorLines.push(chunk)) showError(line)
    },
    onNotice(notice) {
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
        const answer = describeAnswer(run.agent ?? 'agent', notice.answer)
        return write(`${formatAnswer(answer, getStdoutStyle())}\n`)
      }
      if (notice.type !== 'stuck') {
        const text = describeNotice(notice)
        return text === undefined ? undefined : writeOwn(`[vitrine] ${text}\n`)
      }
      const {breach, process: state, isStopping} = notice
      const report = {reason: breach.reason, ...describeProcess(state), isStopping}
      writeOwn(
        formatStuck(report, getStdoutStyle())
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
      for (const line of describeStream(result, options)) writeOwn(`[vitrine] ${line}\n`)
      screen?.draw([])
      const style = getScreenStyle()
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

  /** Whether stdout passes the bytes of an unknown program through unchanged. */
  function isTransparent(): boolean {
    return run.agent === null && screen === undefined && options.escapes !== true
  }

  /** Writes a line of Vitrine itself, to stderr if stdout passes bytes through. */
  function writeOwn(text: string): void {
    if (!isTransparent()) return write(text)
    lastAt = Date.now()
    process.stderr.write(text)
  }

  function onSecond(): void {
    if (screen !== undefined) return draw()
    const now = Date.now()
    if (run.agent !== null) write(formatter.begin(run.agent))
    if (now - lastAt < HEARTBEAT_INTERVAL_MS) return
    const {waiting, state} = run.status()
    writeOwn(`${formatHeartbeat(waiting, now, state)}\n`)
  }

  function drawSoon(): void {
    if (screen === undefined) return
    redraw ??= setTimeout(() => {
      redraw = undefined
      draw()
    }, REDRAW_INTERVAL_MS)
  }

  function draw(): void {
    const style = getScreenStyle()
    if (screen === undefined || style === undefined) return
    const {stuck, ...status} = run.status()
    const signs = stuck === undefined ? undefined : describeProcess(stuck.process)
    const shown = {...status, stuck: signs, now: Date.now()}
    screen.draw(asker?.rows(shown, style) ?? formatStatus(shown, style))
  }

  /** Shows the output of an unknown program, escaped on a terminal. */
  function showBytes(chunk: Uint8Array): void {
    if (isTransparent()) return void print(bytes.push(chunk))
    for (const line of plainLines.push(chunk)) write(`${escapeControls(line.trimEnd())}\n`)
  }

  function showError(line: string): void {
    const text = line.trimEnd()
    if (text === '' || (errorCount === MAX_STDERR_LINES && options.verbose === 0)) return
    writeError(`${formatStderr(run.agent ?? 'agent', text, getStdoutStyle())}\n`)
    errorCount++
    if (errorCount === MAX_STDERR_LINES && options.verbose === 0) {
      writeError('[vitrine] Further stderr output is in the recording; -v shows it\n')
    }
  }

  /** If the terminal shows both streams, the status line has to be redrawn below. */
  function writeError(text: string): void {
    if (screen !== undefined && process.stderr.isTTY) return write(text)
    lastAt = Date.now()
    process.stderr.write(text)
  }
}

/** Reads facts about a run that its stream does not contain. */
export function readSessionFacts(
  {runId, dir}: AgentRun,
  {maxCost}: RunViewOptions,
): Pick<FormatterOptions, 'session' | 'cwd'> {
  const budget = maxCost === undefined ? undefined : formatMoney(maxCost)
  const {agentVersion, cwd} = readRunRecord(dir) ?? {}
  return {session: {recording: runId, budget, agentVersion}, cwd}
}

/** With `-v`, the command with the flags that Vitrine added. */
export function describeStart({dir}: AgentRun, {verbose}: RunViewOptions): string[] {
  const words = verbose > 0 ? readRunRecord(dir)?.ranArgv : undefined
  return words === undefined ? [] : [`Agent command: ${formatCommand(words)}`]
}

/** With `-v`, how many lines were parsed. */
export function describeStream(result: RunResult, {verbose}: RunViewOptions): string[] {
  const {agent, lines, malformed, unknown} = result
  if (verbose === 0 || agent === null) return []
  return [`Stream: ${formatCount(lines, 'line')}, ${malformed} malformed, ${unknown} unknown`]
}
