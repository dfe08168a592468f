import {appendFileSync} from 'node:fs'
import {firstLine} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {createActionsFormatter} from '../terminal/github.ts'
import {formatHeartbeat, formatStderr} from '../terminal/log-lines.ts'
import {createPassThrough} from './ci-filter.ts'
import {createResultTextInserter} from './result-text.ts'
import {describeNotice} from './notices.ts'
import {createOutputBuffer, print, logToStderr} from './output.ts'
import {readSessionFacts, describeStart, describeStream} from './pretty-view.ts'
import type {RunView, RunViewOptions} from './show-run.ts'

/** A heartbeat is printed after this time without output. */
const HEARTBEAT_INTERVAL_MS = 60_000

/** Creates the view for the log of a GitHub Actions job: folded turns, an annotation and a job summary. */
export function createActionsView(run: AgentRun, options: RunViewOptions): RunView {
  const out = createOutputBuffer()
  const bytes = createPassThrough(1)
  const errorLines = createLineDecoder((line) => line)
  const withAnswer = createResultTextInserter()
  const formatter = createActionsFormatter({...options, ...readSessionFacts(run, options)})
  const timer = setInterval(writeHeartbeat, 1000)
  let lastAt = Date.now()
  writeLines(describeStart(run, options))

  return {
    onEvent(event) {
      for (const shown of withAnswer(event)) write(formatter.format(shown))
    },
    onOutput(chunk) {
      if (run.agent === null) void print(bytes.push(chunk))
    },
    onStderr(chunk) {
      for (const line of errorLines.push(chunk)) showError(line)
    },
    onNotice(notice) {
      const text = describeNotice(notice)
      if (text !== undefined) write(formatter.formatLine(`[vitrine] ${text}`))
    },
    async end(result) {
      clearInterval(timer)
      await print(bytes.end())
      for (const line of errorLines.end()) showError(line)
      writeLines(describeStream(result, options))
      write(formatter.end(result))
      await out.flush()
      writeJobSummary(formatter.summarize(result))
    },
  }

  function write(text: string): void {
    if (text === '') return
    lastAt = Date.now()
    out.write(text)
  }

  function writeLines(lines: string[]): void {
    for (const line of lines) write(formatter.formatLine(`[vitrine] ${line}`))
  }

  function writeHeartbeat(): void {
    const now = Date.now()
    if (run.agent !== null) write(formatter.begin(run.agent))
    if (now - lastAt < HEARTBEAT_INTERVAL_MS) return
    const {waiting, state} = run.status()
    write(formatter.formatLine(formatHeartbeat(waiting, now, state)))
  }

  function showError(line: string): void {
    if (firstLine(line) === '') return
    write(formatter.formatLine(formatStderr(run.agent ?? 'agent', line)))
  }
}

function writeJobSummary(markdown: string): void {
  const {GITHUB_STEP_SUMMARY: path} = process.env
  if (path === undefined || path === '') return
  try {
    appendFileSync(path, `${markdown}\n`)
  } catch (error) {
    logToStderr(`cannot write the job summary to ${path}: ${(error as Error).message}`)
  }
}
