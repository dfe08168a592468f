import type {ToolFailure} from '../../core/events/drafts.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

/**
 * Why a tool failed; `undefined` for a success. For Gemini CLI a failed shell command is a success, and its exit code is in
 * the output only without other output, or with `--debug`.
 */
export function readFailure(
  result: JsonObject,
  output: string,
  name: string,
  isBuiltIn: boolean,
): ToolFailure | undefined {
  const {error} = result
  if (result['status'] === 'error' || textAt(error, 'message') !== undefined) {
    const failure: ToolFailure = {error: textAt(error, 'message') ?? output}
    const kind = textAt(error, 'type')
    // A built-in tool is missing only because the approval mode or the settings removed it.
    const isWithheld = kind === 'tool_not_registered' && isBuiltIn
    if (isWithheld || kind === 'policy_violation') failure.denied = true
    return failure
  }
  return name === 'run_shell_command' ? readCommandFailure(output) : undefined
}

function readCommandFailure(output: string): ToolFailure | undefined {
  // The lines after the output are short, but the output may be megabytes long.
  const tail = output.startsWith('Output: ') ? output.slice(-TAIL) : ''
  const code = (EXITED.exec(output) ?? EXITED_DEBUG.exec(tail))?.[1]
  if (code !== undefined) {
    const exitCode = Number(code)
    return exitCode === 0 ? undefined : {error: output, exitCode}
  }
  return FAILED.test(output) ? {error: output} : undefined
}

/** Instead of the output, when there is none. */
const EXITED = /^Command exited with code: (\d+)$/
const TAIL = 500
/** After the output, among a few other lines. */
const EXITED_DEBUG = /\nExit Code: (\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*$/
const FAILED =
  /^Command (?:failed: |terminated by signal: |cancelled by user\.|was automatically cancelled )/
