import {appendFileSync} from 'node:fs'
import {firstLine} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {createActionsFormatter} from '../terminal/github.ts'
import {formatHeartbeat, formatStderr} from '../terminal/log-lines.ts'
import {createPassThrough} from './ci-filter.ts'
import {createAnswerAdder} from './lone-answer.ts'
import {describeNotice} from './notices.ts'
import {createBuffer, print, remark} from './output.ts'
import {describeRun, tellBeginning, tellStream} from './pretty-view.ts'
import type {RunView, RunViewOptions} from './run-view-types.ts'

/** How long nothing may come before a line says that all is well. */
const HEARTBEAT_MS = 60_000

/** The log of a GitHub Actions job: turns that can be unfolded, an annotation, and a page for the job. */
export function createActionsView(options: RunViewOptions): RunView {
  const out = createBuffer()
  const bytes = createPassThrough(1)
  const errorLines = createLineDecoder((line) => line)
  const withAnswer = createAnswerAdder()
  let formatter = createActionsFormatter(options)
  let run: AgentRun | undefined
  let timer: NodeJS.Timeout | undefined
  let lastAt = Date.now()

  return {
    begin(begun) {
      run = begun
      formatter = createActionsFormatter({...options, ...describeRun(run, options)})
      tell(tellBeginning(run, options))
      timer = setInterval(beat, 1000)
    },
    see(event) {
      for (const shown of withAnswer(event)) write(formatter.format(shown))
    },
    output(chunk) {
      if (run?.agent === null) void print(bytes.push(chunk))
    },
    stderr(chunk) {
      for (const line of errorLines.push(chunk)) showError(line)
    },
    notice(notice) {
      const text = describeNotice(notice)
      if (text !== undefined) write(formatter.formatLine(`[vitrine] ${text}`))
    },
    async end(result) {
      clearInterval(timer)
      await print(bytes.end())
      for (const line of errorLines.end()) showError(line)
      tell(tellStream(result, options))
      write(formatter.end(result))
      await out.flush()
      writePage(formatter.summarize(result))
    },
  }

  function write(text: string): void {
    if (text === '') return
    lastAt = Date.now()
    out.write(text)
  }

  function tell(lines: string[]): void {
    for (const line of lines) write(formatter.formatLine(`[vitrine] ${line}`))
  }

  function beat(): void {
    const now = Date.now()
    if (run?.agent != null) write(formatter.begin(run.agent))
    if (run === undefined || now - lastAt < HEARTBEAT_MS) return
    const {waiting, state} = run.status()
    write(formatter.formatLine(formatHeartbeat(waiting, now, state)))
  }

  function showError(line: string): void {
    if (firstLine(line) === '') return
    write(formatter.formatLine(formatStderr(run?.agent ?? 'agent', line)))
  }
}

function writePage(markdown: string): void {
  const {GITHUB_STEP_SUMMARY: path} = process.env
  if (path === undefined || path === '') return
  try {
    appendFileSync(path, `${markdown}\n`)
  } catch (error) {
    remark(`cannot write the summary of the job: ${(error as Error).message}`)
  }
}
