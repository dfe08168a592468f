import {reportIncomplete, type Draft, type OpenTool} from '../../core/events/adapter.ts'
import {defineTools} from '../../core/events/drafts.ts'
import {countDiff, countLines} from '../../core/text/text.ts'
import {objectAt, objectsAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** Common names of the tools of Pi. */
const TOOLS = defineTools({
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  Bash: 'bash',
  Grep: 'grep',
  Glob: 'find ls',
})

/** Reads the start of a tool. */
export function readToolStart(record: JsonObject): Draft[] {
  const toolId = textAt(record, 'toolCallId')
  if (toolId === undefined) return [reportIncomplete('tool_execution_start without toolCallId')]
  const name = textAt(record, 'toolName') ?? ''
  const tool = TOOLS.get(name) ?? 'Other'
  return [{type: 'tool-start', toolId, name, tool, input: record['args']}]
}

/** Reads the end of a tool and the file that it changed. */
export function readToolEnd(
  toolId: string,
  record: JsonObject,
  tool: OpenTool | undefined,
): Draft[] {
  const result = objectAt(record, 'result')
  const output = resultText(result)
  const failed = record['isError'] === true
  const end: Draft = {type: 'tool-end', toolId, ok: !failed, output}
  if (!failed) {
    if (tool?.tool === 'Bash') end.exitCode = 0
    return [...readFileChange(toolId, tool, result), end]
  }
  end.error = output
  const code = /\bCommand exited with code (\d+)\s*$/.exec(output)?.[1]
  if (tool?.tool === 'Bash' && code !== undefined) end.exitCode = Number(code)
  return [end]
}

/** The result of a tool as text, also a partial one. */
export function resultText(result: JsonObject): string {
  return objectsAt(result, 'content')
    .map((part) => textAt(part, 'text') ?? `[${textAt(part, 'type') ?? 'unknown'}]`)
    .join('\n')
}

/** Pi does not report whether a written file existed before. */
function readFileChange(toolId: string, tool: OpenTool | undefined, result: JsonObject): Draft[] {
  const path = textAt(tool?.input, 'path')
  if (path === undefined) return []
  if (tool?.tool === 'Write') {
    const added = countLines(textAt(tool.input, 'content') ?? '')
    return [{type: 'file-change', path, action: 'created', toolId, added}]
  }
  if (tool?.tool !== 'Edit') return []
  const diff = textAt(result['details'], 'diff')
  const lines = diff === undefined ? {} : countDiff(diff.split('\n'))
  return [{type: 'file-change', path, action: 'modified', toolId, ...lines}]
}
