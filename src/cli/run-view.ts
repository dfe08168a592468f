import type {RunResult} from '../core/run/run-result.ts'
import {escapeControls} from '../core/text/text.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import type {Notice} from '../runner/agent-run.ts'
import {createPassThrough} from './ci-filter.ts'
import {describeNotice} from './notices.ts'
import type {RunView, RunViewOptions} from './run-view-types.ts'
import {createBuffer, jsonLine, print, remark} from './output.ts'

/** Makes the view that a format asks for. */
export async function createView(options: RunViewOptions): Promise<RunView> {
  switch (options.format) {
    case 'json':
      return createJsonView()
    case 'raw':
      return createRawView()
    case 'quiet':
      return createQuietView()
    case 'pretty':
      return process.env['GITHUB_ACTIONS'] === 'true'
        ? (await import('./actions-view.ts')).createActionsView(options)
        : (await import('./pretty-view.ts')).createPrettyView(options)
    default:
      return options.format satisfies never
  }
}

/** Events as lines of JSON, the verdict last. */
function createJsonView(): RunView {
  const out = createBuffer()
  const errors = createPassThrough(2)
  const errorLines = createLineDecoder((line) => `${escapeControls(line.trimEnd())}\n`)
  return {
    begin() {},
    see: (event) => out.write(jsonLine(event)),
    stderr(chunk) {
      // No terminal obeys an agent.
      if (process.stderr.isTTY) process.stderr.write(errorLines.push(chunk).join(''))
      else process.stderr.write(errors.push(chunk))
    },
    notice: remarkOn,
    async end(result) {
      process.stderr.write(errorLines.end().join(''))
      process.stderr.write(errors.end())
      out.write(jsonLine(verdictLine(result)))
      await out.flush()
    },
  }
}

/** The last line of JSON of a run. */
function verdictLine(result: RunResult): object {
  const {verdict, reason, costUsd, turns, lines, malformed, unknown, text: _text, ...rest} = result
  return {type: 'verdict', verdict, reason, costUsd, turns, lines, malformed, unknown, ...rest}
}

/** The agent's own output, byte for byte but for commands of a CI runner in its log. */
function createRawView(): RunView {
  const output = createPassThrough(1)
  const errors = createPassThrough(2)
  return {
    begin() {},
    see() {},
    output: (chunk) => print(output.push(chunk)),
    stderr: (chunk) => void process.stderr.write(errors.push(chunk)),
    notice: remarkOn,
    async end() {
      await print(output.end())
      process.stderr.write(errors.end())
    },
  }
}

/** Nothing but how it ended. */
function createQuietView(): RunView {
  return {
    begin() {},
    see() {},
    notice: remarkOn,
    async end(result) {
      // Loaded when it is over: until then the machine is the agent's.
      const {formatSummaryLine} = await import('../terminal/index.ts')
      await print(`[vitrine] ${formatSummaryLine(result)}\n`)
    },
  }
}

function remarkOn(notice: Notice): void {
  const text = describeNotice(notice)
  if (text !== undefined) remark(text)
}
