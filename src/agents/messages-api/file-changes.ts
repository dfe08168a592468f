import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {countDiff, countLines} from '../../core/text/text.ts'
import {isRecord, objectsAt, textAt} from '../../core/wire/json.ts'

/**
 * The file that a tool of Claude Code changed. Newer versions report the change beside the result; for older ones only the
 * input of the tool is known.
 */
export function readFileChanges(
  toolId: string,
  tool: OpenTool | undefined,
  result: unknown,
): Draft[] {
  if (tool?.tool !== 'Write' && tool?.tool !== 'Edit') return []
  const path =
    textAt(result, 'filePath') ??
    textAt(result, 'notebook_path') ??
    textAt(tool.input, 'file_path') ??
    textAt(tool.input, 'notebook_path')
  if (path === undefined) return []
  const isNew = textAt(result, 'type') === 'create' || (tool.tool === 'Write' && !isRecord(result))
  const lines = isNew
    ? {added: countLines(textAt(tool.input, 'content') ?? '')}
    : countPatch(result)
  return [{type: 'file-change', path, action: isNew ? 'created' : 'modified', toolId, ...lines}]
}

function countPatch(result: unknown): {added?: number; removed?: number} {
  const lines = objectsAt(result, 'structuredPatch').flatMap(({lines: list}) =>
    Array.isArray(list) ? list : [],
  )
  if (lines.length === 0) return {}
  return countDiff(lines)
}
