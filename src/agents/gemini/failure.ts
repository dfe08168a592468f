import {textAt, type JsonObject} from '../../core/wire/json.ts'

/** Why a tool did not do what it should. */
export interface Failure {
  error: string
  exitCode?: number
  denied?: boolean
}

/**
 * What went wrong with a tool of Gemini's; `undefined` when nothing did, as far as is told: a shell command
 * that fails is a success to it, and its exit code is told only when it has printed nothing, or with `--debug`.
 */
export function readFailure(
  result: JsonObject,
  output: string,
  name: string,
  isBuiltIn: boolean,
): Failure | undefined {
  const {error} = result
  if (result['status'] === 'error' || textAt(error, 'message') !== undefined) {
    const failure: Failure = {error: textAt(error, 'message') ?? output}
    const kind = textAt(error, 'type')
    // A tool of its own is missing only because the approval mode or the settings took it away.
    const isWithheld = kind === 'tool_not_registered' && isBuiltIn
    if (isWithheld || kind === 'policy_violation') failure.denied = true
    return failure
  }
  return name === 'run_shell_command' ? readCommandFailure(output) : undefined
}

function readCommandFailure(output: string): Failure | undefined {
  // What is said after the output is short; what comes before may be megabytes.
  const tail = output.startsWith('Output: ') ? output.slice(-TAIL) : ''
  const code = (EXITED.exec(output) ?? EXITED_DEBUG.exec(tail))?.[1]
  if (code !== undefined) {
    const exitCode = Number(code)
    return exitCode === 0 ? undefined : {error: output, exitCode}
  }
  return FAILED.test(output) ? {error: output} : undefined
}

/** In place of the output, when there is none. */
const EXITED = /^Command exited with code: (\d+)$/
const TAIL = 500
/** After the output, among a few more lines of the kind. */
const EXITED_DEBUG = /\nExit Code: (\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*$/
const FAILED =
  /^Command (?:failed: |terminated by signal: |cancelled by user\.|was automatically cancelled )/
