import type {Draft} from '../../core/events/adapter.ts'
import {failTool} from '../../core/events/drafts.ts'
import {countDiff} from '../../core/text/text.ts'
import {isRecord, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readFailure} from './failure.ts'
import {TOOLS} from './tools.ts'
import {partsOf, type Call} from './transcript-rows.ts'
import {readEffects} from './translate.ts'

/** The end of a call with its effects; `undefined` for a call that was interrupted, so that it stays open. */
export function endCall(
  toolId: string,
  {name, input}: Pick<Call, 'name' | 'input'>,
  ended: JsonObject,
  at: number | undefined,
): Draft[] | undefined {
  const response = objectAt(
    partsOf(ended['result']).find((part) => isRecord(part['functionResponse'])),
    'functionResponse',
  )['response']
  const error = textAt(response, 'error')
  const text = textAt(response, 'output') ?? error ?? readText(ended['result'], response)
  const tool = {name, input}
  if (ended['status'] === 'cancelled' || error?.startsWith(CANCELLED) === true) {
    const isRefused = REFUSED.test(error ?? text)
    return isRefused
      ? failTool({toolId, output: text, at}, {error: error ?? text, denied: true}, tool)
      : undefined
  }
  if (name === 'run_shell_command') return endCommand(toolId, ended, unwrap(text), at)
  const message = error ?? readAgentFailure(ended, text)
  const reported = {
    status: ended['status'],
    error: message === undefined ? undefined : {message, type: errorTypeOf(message)},
  }
  const failure = readFailure(reported, text, name, TOOLS.has(name))
  if (failure !== undefined) return failTool({toolId, output: text, at}, failure, tool)
  const change = readChange(toolId, tool, objectAt(ended, 'resultDisplay'), text, at)
  const effects = change === undefined ? readEffects(toolId, tool, at) : [change]
  return [...effects, {type: 'tool-end', toolId, ok: true, output: text, at}]
}

const CANCELLED = '[Operation Cancelled]'
const REFUSED = /User (?:denied execution|did not allow tool call)/

function readText(result: unknown, response: unknown): string {
  if (response !== undefined) return toText(response)
  return partsOf(result)
    .flatMap((part) => textAt(part, 'text') ?? [])
    .join('')
}

function endCommand(
  toolId: string,
  {status}: JsonObject,
  report: string,
  at: number | undefined,
): Draft[] | undefined {
  if (report.startsWith('Command was cancelled by user')) return undefined
  const details = DETAILS.exec(report.slice(-MAX_DETAILS_LENGTH))?.[0] ?? ''
  const body = details === '' ? report : report.slice(0, -details.length)
  const output = body.replace(OUTPUT, '')
  const shown = output === '(empty)' ? '' : output
  const failure = readFailure({status}, report, 'run_shell_command', true)
  const signal = SIGNAL.exec(details)?.[1]
  if (failure !== undefined) {
    const error = shown || (details.trim() === '' ? failure.error : details.trim())
    return failTool({toolId, output: shown, at}, {...failure, error}, undefined)
  }
  if (signal === undefined) return [{type: 'tool-end', toolId, ok: true, output: shown, at}]
  return failTool({toolId, output: shown, at}, {error: `terminated by signal ${signal}`}, undefined)
}

/** The report that the model gets about a command: its output and a few lines. Older versions begin with two lines more. */
function unwrap(text: string): string {
  const report = text.replace(TRUNCATION, '').replace(OPENING, '').replace(CLOSING, '')
  return report.replace(COMMAND, 'Output: ')
}

const TRUNCATION = /^Output too large\. Showing first .*\n/
const OPENING = /^<untrusted_context>\n/
const CLOSING = /\n<\/untrusted_context>$/
const COMMAND = /^Command: [\s\S]{0,20000}?\nDirectory: .*\nOutput: /
const OUTPUT = /^Output: /
const MAX_DETAILS_LENGTH = 500
const DETAILS =
  /(?:\n(?:Error: \(none\)|(?:Exit Code|Signal|Background PIDs|Process Group PGID): .*))+$/
const SIGNAL = /\nSignal: (?!\(none\))(.+)/

/** The call of a sub-agent that failed is a success. */
function readAgentFailure({resultDisplay}: JsonObject, text: string): string | undefined {
  if (!isRecord(resultDisplay) || resultDisplay['isSubagentProgress'] !== true) return undefined
  const {state, terminateReason} = resultDisplay
  const hasFailed = state === 'error' || toText(terminateReason).startsWith('ERROR')
  return hasFailed ? text || 'no reason given' : undefined
}

/** The type of an error, which is only in its text. */
function errorTypeOf(message: string): string | undefined {
  if (message.includes('denied by policy')) return 'policy_violation'
  return /^Tool "[^"]*" not found/.test(message) ? 'tool_not_registered' : undefined
}

/** The file that a tool changed, from the diff that was shown. */
function readChange(
  toolId: string,
  {input}: Pick<Call, 'input'>,
  display: JsonObject,
  output: string,
  at: number | undefined,
): Draft | undefined {
  const diff = textAt(display, 'fileDiff')
  const path = textAt(display, 'filePath') ?? textAt(input, 'file_path')
  if (diff === undefined || path === undefined) return undefined
  const isNew = display['isNewFile'] === true || output.startsWith('Successfully created')
  const hunks = diff.slice(diff.indexOf('\n@@') + 1).split('\n')
  const action = isNew ? 'created' : 'modified'
  return {type: 'file-change', path, action, toolId, ...countDiff(hunks), at}
}
