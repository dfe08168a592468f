import type {OpenTool} from '../../core/events/adapter.ts'
import type {ToolFailure} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'
import {textAt} from '../../core/wire/json.ts'

/** Why a tool failed, from the text of its result, as there is no other field; `undefined` for a success. */
export function readFailure(output: string, tool: OpenTool | undefined): ToolFailure | undefined {
  if (/^Tool "[^"]*" was (?:denied by|not run because) /.test(output)) {
    return {error: output, denied: true}
  }
  if (tool?.tool === 'Bash') {
    const code = EXITED.exec(output)?.[1]
    if (code !== undefined) return {error: output, exitCode: Number(code)}
  }
  return tool !== undefined && hasFailed(output, tool) ? {error: output} : undefined
}

/** The last line, or the line before the notice about truncated output. */
const EXITED = /(?:^|\n)Command failed with exit code: (\d+)\.(?:\ntask_id: [^]*)?$/

function hasFailed(output: string, {name, tool, input}: OpenTool): boolean {
  if (output.startsWith(`Tool "${name}" `)) return true
  if (output.startsWith('Invalid args for tool "')) return true
  // The format of the older program.
  if (output.startsWith('<system>ERROR: ')) return true
  // For these tools every other text is a failure.
  if (name === 'Write') return !/^(?:Wrote|Appended) \d+ bytes to /.test(output)
  if (name === 'Edit') return !/^Replaced \d+ occurrences? in /.test(output)
  // The lines of a file start with numbers.
  if (name === 'Read') return output.startsWith(`"${textAt(input, 'path') ?? ''}" `)
  return FAILURES.get(tool)?.test(output) === true
}

const FAILURES = new Map<ToolKind, RegExp>([
  [
    'Bash',
    /(?:^|\n)(?:Command killed by timeout \(.*\)|Interrupted by user|Session closed)$|^(?:Aborted before command started|Command cannot be empty\.)$/,
  ],
  ['Glob', /^(?:Glob (?:aborted|failed.*)|.* (?:does not exist|is not a directory))$/],
  ['Grep', /^(?:Failed to grep: |Grep aborted$|Grep timed out |Aborted before search started$)/],
  ['WebFetch', /^Failed to fetch URL/],
  ['WebSearch', /^Search (?:failed|timed out|cancelled)\b/],
])
