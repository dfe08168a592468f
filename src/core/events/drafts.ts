import type {Draft} from './adapter.ts'
import type {StatusKind, ToolKind} from './events.ts'
import {readPlan} from './plan.ts'
import {isRecord, toText} from '../wire/json.ts'

/** Why a tool failed. */
export interface ToolFailure {
  error: string
  exitCode?: number | undefined
  /** Whether the call was denied, so that the tool did not run. */
  denied?: boolean | undefined
}

/** The end of a failed tool, preceded by the one `permission-denied` that a denied call of a known tool needs. */
export function failTool(
  {toolId, output, at}: {toolId: string; output: string; at?: number | undefined},
  failure: ToolFailure,
  tool: {name: string; input: unknown} | undefined,
): Draft[] {
  const end: Draft = {type: 'tool-end', toolId, ok: false, output, ...failure}
  if (at !== undefined) end.at = at
  if (failure.denied !== true || tool === undefined) return [end]
  const {name, input} = tool
  return [{type: 'permission-denied', toolId, name, input, reason: failure.error, at}, end]
}

/** A status event, or none when the text is empty. */
export function reportStatus(status: StatusKind, text: unknown, at?: number): Draft[] {
  const detail = toText(text)
  if (detail === '') return []
  return [
    at === undefined ? {type: 'status', status, detail} : {type: 'status', status, detail, at},
  ]
}

/** The start of the detail of a status event that reports a prompt. */
export const PROMPT_PREFIX = 'prompt: '
/** How much of a prompt is kept: lists show its first line, and a search finds the rest. */
const MAX_PROMPT_LENGTH = 10_000

/** The status event of a prompt, or none when it is empty. */
export function reportPrompt(text: string, at?: number): Draft[] {
  const prompt = text.trim().slice(0, MAX_PROMPT_LENGTH)
  return prompt === '' ? [] : reportStatus('notice', PROMPT_PREFIX + prompt, at)
}

/** The plan in the input of a to-do tool; none when the input has no list. */
export function readTodos(input: unknown, at?: number): Draft[] {
  const items = isRecord(input) ? readPlan(input['todos']) : undefined
  return items === undefined ? [] : [{type: 'plan', items, at}]
}

/** The names of an agent's tools by their common name: `{Read: 'read_file read_many_files'}`. */
export function defineTools(
  table: Readonly<Partial<Record<ToolKind, string>>>,
): ReadonlyMap<string, ToolKind> {
  const kinds = Object.entries(table) as [ToolKind, string][]
  return new Map(kinds.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])))
}

/** The common name of a tool; a tool that is not in the table is of an MCP server if its name has the prefix. */
export function findToolKind(
  table: ReadonlyMap<string, ToolKind>,
  name: string,
  mcpPrefix = 'mcp__',
): ToolKind {
  return table.get(name) ?? (name.startsWith(mcpPrefix) ? 'Mcp' : 'Other')
}
