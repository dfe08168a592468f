import {reportIncomplete, type Draft, type OpenTool} from '../../core/events/adapter.ts'
import {defineTools} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {readFileChanges} from './file-changes.ts'

/** Common names of the tools of Copilot. */
const TOOLS = defineTools({
  Read: 'view show_file',
  Write: 'create',
  Edit: 'edit str_replace_editor apply_patch',
  Bash: 'bash powershell local_shell',
  Grep: 'grep rg',
  Glob: 'glob',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
  Task: 'task',
  Todo: 'update_todo',
})

/** Reads the start of a tool. */
export function readToolStart(
  data: JsonObject,
  about: {parentToolId?: string | undefined; at?: number | undefined},
): Draft[] {
  const toolId = textAt(data, 'toolCallId')
  if (toolId === undefined) return [reportIncomplete('tool call without toolCallId')]
  const name = textAt(data, 'toolName') ?? ''
  const input = readInput(data['arguments'])
  const isMcp = textAt(data, 'mcpServerName') !== undefined
  const tool = isMcp ? 'Mcp' : toolKind(name, input)
  return [{type: 'tool-start', toolId, name, tool, input, ...about}]
}

function toolKind(name: string, input: unknown): ToolKind {
  // The to-do list is a table.
  if (name === 'sql' && /\btodos\b/i.test(textAt(input, 'query') ?? '')) return 'Todo'
  return TOOLS.get(name) ?? 'Other'
}

/** The input is JSON or plain text such as a patch, depending on the model. */
function readInput(input: unknown): unknown {
  return typeof input === 'string' && /^\s*[[{]/.test(input) ? parseText(input) : input
}

/** Reads the end of a tool and the files that it changed. */
export function readToolEnd(
  toolId: string,
  data: JsonObject,
  tool: OpenTool | undefined,
  at: number | undefined,
): Draft[] {
  const error = objectAt(data, 'error')
  const failed = data['success'] === false || (data['success'] !== true && 'message' in error)
  const output = readOutput(objectAt(data, 'result')) || (textAt(error, 'message') ?? '')
  const exitCode = readExitCode(data, tool, output)
  const ok = !failed && (exitCode ?? 0) === 0
  const end: Draft = {type: 'tool-end', toolId, ok, output, at}
  if (exitCode !== undefined) end.exitCode = exitCode
  if (ok) return [...readFileChanges(toolId, data, at), end]
  end.error = textAt(error, 'message') || output || 'failed'
  if (!failed || !DENIED.has(textAt(error, 'code') ?? '')) return [end]
  end.denied = true
  const {name = '', input} = tool ?? {}
  return [{type: 'permission-denied', toolId, name, input, reason: end.error, at}, end]
}

const DENIED = new Set(['denied', 'rejected'])

function readOutput(result: JsonObject): string {
  const content = textAt(result, 'content') ?? ''
  if (content !== '') return content
  return objectsAt(result, 'contents')
    .map((part) => textAt(part, 'text') ?? textAt(part, 'outputPreview') ?? '')
    .filter(Boolean)
    .join('\n')
}

/** For Copilot a failed command is a success; a shell that ended before it was read has its exit code in the text. */
function readExitCode(
  data: JsonObject,
  tool: OpenTool | undefined,
  output: string,
): number | undefined {
  const exitCode = numberAt(data['shellExecution'], 'exitCode')
  if (exitCode !== undefined || !SHELLS.test(tool?.name ?? '')) return exitCode
  const code = /<shellId: \S+ completed with exit code (\d+)>\s*$/.exec(output)?.[1]
  return code === undefined ? undefined : Number(code)
}

const SHELLS = /(?:bash|powershell)$/
