import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {failTool, readTodos, type ToolFailure} from '../../core/events/drafts.ts'
import {countDiff} from '../../core/text/text.ts'
import {numberAt, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readChange, readReport} from './translate.ts'

/** The end of a tool. */
export interface ToolResult {
  toolId: string
  /** The response for the model. */
  response: JsonObject
  /** The record of the call; sub-agents record less. */
  result: JsonObject
  /** The tool that was called, while it is open. */
  tool: OpenTool | undefined
  durationMs: number | undefined
  at: number | undefined
}

/** The end of a tool with its effects; `undefined` for a tool that was interrupted, so that it stays open. */
export function endTool(ended: ToolResult): Draft[] | undefined {
  const {toolId, response, result, tool, durationMs, at} = ended
  const error = textAt(response, 'error')
  const text = textAt(response, 'output') ?? error ?? toText(response)
  const display = objectAt(result, 'resultDisplay')
  const isRefused = REFUSED.test(error ?? '')
  const isCancelled =
    result['status'] === 'cancelled' ||
    error?.startsWith(CANCELLED) === true ||
    (display['type'] === 'task_execution' && display['status'] === 'cancelled')
  if (isCancelled && !isRefused) return undefined
  const report = readReport(text)
  const isCommand = tool?.tool === 'Bash' || display['type'] === 'shell_result'
  const output = isCommand ? (textAt(display, 'output') ?? report.output ?? text) : text
  const exitCode = isCommand ? (numberAt(display, 'exitCode') ?? report.exitCode) : undefined
  const failure = isRefused
    ? {error: error ?? text, denied: true}
    : readFailure(result, display, error, {output, exitCode})
  const details = durationMs === undefined ? {} : {durationMs}
  if (failure !== undefined) {
    return failTool({toolId, output, at}, failure, tool).map((draft) =>
      draft.type === 'tool-end' ? Object.assign(draft, details) : draft,
    )
  }
  const end: Draft = {type: 'tool-end', toolId, ok: true, output, at, ...details}
  if (exitCode !== undefined) end.exitCode = exitCode
  const plan = tool?.tool === 'Todo' ? readTodos(tool.input, at) : []
  return [...readChanges(toolId, tool, display, text, at), ...plan, end]
}

const CANCELLED = '[Operation Cancelled]'
const REFUSED = /User did not allow tool call|^Qwen Code requires permission to use /

function readFailure(
  {status}: JsonObject,
  display: JsonObject,
  error: string | undefined,
  {output, exitCode}: {output: string; exitCode: number | undefined},
): ToolFailure | undefined {
  if (exitCode !== undefined && exitCode !== 0) {
    return {error: output || `exit code ${exitCode}`, exitCode}
  }
  const signal = toText(display['signal'])
  if (error !== undefined || status === 'error') {
    return {error: output || (signal === '' ? 'no reason given' : `terminated by signal ${signal}`)}
  }
  // The call of a sub-agent that failed is a success.
  if (display['type'] !== 'task_execution' || display['status'] !== 'failed') return undefined
  return {error: textAt(display, 'terminateReason') || output}
}

function readChanges(
  toolId: string,
  tool: OpenTool | undefined,
  display: JsonObject,
  output: string,
  at: number | undefined,
): Draft[] {
  const diff = textAt(display, 'fileDiff')
  const hunks = diff === undefined ? [] : diff.slice(diff.indexOf('\n@@') + 1).split('\n')
  const lines = diff === undefined ? {} : countDiff(hunks)
  return readChange(toolId, tool, output).map((draft) => Object.assign(draft, {at}, lines))
}
