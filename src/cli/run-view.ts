import type {RunResult} from '../core/run/run-result.ts'
import {escapeControls} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import type {AgentRun, Notice} from '../runner/agent-run.ts'
import {createPassThrough} from './ci-filter.ts'
import {describeNotice} from './notices.ts'
import {createOutputBuffer, formatJsonLine, print, logToStderr} from './output.ts'
import type {RunView, RunViewOptions} from './show-run.ts'

/** Creates the view of a run for a format. */
export async function createView(run: AgentRun, options: RunViewOptions): Promise<RunView> {
  switch (options.format) {
    case 'json':
      return createJsonView()
    case 'raw':
      return createRawView()
    case 'quiet':
      return createQuietView()
    case 'pretty':
      return process.env['GITHUB_ACTIONS'] === 'true'
        ? (await import('./actions-view.ts')).createActionsView(run, options)
        : (await import('./pretty-view.ts')).createPrettyView(run, options)
    default:
      return options.format satisfies never
  }
}

/** Prints one event per line as JSON, the verdict last. */
function createJsonView(): RunView {
  const out = createOutputBuffer()
  const errors = createPassThrough(2)
  const errorLines = createLineDecoder((line) => `${escapeControls(line.trimEnd())}\n`)
  return {
    onEvent: (event) => out.write(formatJsonLine(event)),
    onStderr(chunk) {
      // Escape sequences of the agent must not reach a terminal.
      if (process.stderr.isTTY) process.stderr.write(errorLines.push(chunk).join(''))
      else process.stderr.write(errors.push(chunk))
    },
    onNotice: logNotice,
    async end(result) {
      process.stderr.write(errorLines.end().join(''))
      process.stderr.write(errors.end())
      out.write(formatJsonLine(toVerdictRecord(result)))
      await out.flush()
    },
  }
}

function toVerdictRecord(result: RunResult): object {
  const {verdict, reason, costUsd, turns, lines, malformed, unknown, text: _text, ...rest} = result
  return {type: 'verdict', verdict, reason, costUsd, turns, lines, malformed, unknown, ...rest}
}

/** Prints the agent's output byte for byte, except for commands in the log of a CI runner. */
function createRawView(): RunView {
  const output = createPassThrough(1)
  const errors = createPassThrough(2)
  return {
    onOutput: (chunk) => print(output.push(chunk)),
    onStderr: (chunk) => void process.stderr.write(errors.push(chunk)),
    onNotice: logNotice,
    async end() {
      await print(output.end())
      process.stderr.write(errors.end())
    },
  }
}

/** Prints only the result. */
function createQuietView(): RunView {
  return {
    onNotice: logNotice,
    async end(result) {
      // Loaded at the end, so that the agent starts sooner.
      const {formatSummaryLine} = await import('../terminal/index.ts')
      await print(`[vitrine] ${formatSummaryLine(result)}\n`)
    },
  }
}

function logNotice(notice: Notice): void {
  const text = describeNotice(notice)
  if (text !== undefined) logToStderr(text)
}
