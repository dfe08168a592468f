import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {defineTools} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'
import {isRecord, numberAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readFileChanges} from './file-changes.ts'

/** Common names of the tools of Cline. */
const TOOLS = defineTools({
  Read: 'read_files',
  Edit: 'editor apply_patch',
  Bash: 'run_commands',
  Grep: 'search_codebase',
  WebFetch: 'fetch_web_content',
  Task: 'spawn_agent team_run_task',
})

/** The common name of a tool. */
export function toolKind(name: string): ToolKind {
  return TOOLS.get(name) ?? (name.includes('__') ? 'Mcp' : 'Other')
}

/** Reads the end of a tool, which has one result, or one for each part of its input. */
export function readToolEnd(
  toolId: string,
  event: JsonObject,
  tool: OpenTool | undefined,
  at: number | undefined,
): Draft[] {
  const {output: results} = event
  const parts: unknown[] = Array.isArray(results) ? results : [results]
  const failures = parts.filter(hasFailed).map((part) => textAt(part, 'error') ?? '')
  const ok = failures.length === 0 && textAt(event, 'error') === undefined
  const output = parts.map((part) => partText(part)).join('\n')
  const end: Draft = {type: 'tool-end', toolId, ok, output, at}
  const durationMs = numberAt(event, 'durationMs')
  if (durationMs !== undefined) end.durationMs = durationMs
  if (ok) return [...readFileChanges(toolId, tool, output, at), end]
  end.error = failures.filter(Boolean).join('\n') || textAt(event, 'error') || output || 'failed'
  const code = /\bexited with code (\d+)/.exec(end.error)?.[1]
  if (tool?.tool === 'Bash' && code !== undefined) end.exitCode = Number(code)
  if (!DENIED.test(end.error)) return [end]
  end.denied = true
  const {name = textAt(event, 'toolName') ?? '', input} = tool ?? {}
  return [{type: 'permission-denied', toolId, name, input, reason: end.error, at}, end]
}

/** The text of a denial. */
const DENIED =
  /^Tool .* requires approval|NOT a tool or system failure|^Tool execution (?:was )?denied/

function hasFailed(part: unknown): boolean {
  return isRecord(part) && (part['success'] === false || textAt(part, 'error') !== undefined)
}

/** Results may contain results. */
const MAX_DEPTH = 8

function partText(part: unknown, depth = 0): string {
  if (!isRecord(part)) return toText(part)
  const {result} = part
  const isList = Array.isArray(result) && depth < MAX_DEPTH
  const text = isList ? result.map((inner) => partText(inner, depth + 1)).join('\n') : result
  if (typeof text === 'string' && text !== '') return text
  return textAt(part, 'error') ?? textAt(part, 'text') ?? (text === '' ? '' : toText(part))
}
