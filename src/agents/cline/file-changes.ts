import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import type {FileAction} from '../../core/events/events.ts'
import {countLines} from '../../core/text/text.ts'
import {textAt} from '../../core/wire/json.ts'

/** The files that a tool changed, from its input and its output. */
export function readFileChanges(
  toolId: string,
  tool: OpenTool | undefined,
  output: string,
  at: number | undefined,
): Draft[] {
  if (tool?.name === 'apply_patch') return readPatch(toolId, tool.input, at)
  const path = textAt(tool?.input, 'path')
  if (tool?.name !== 'editor' || path === undefined) return []
  const isNew = output.startsWith('File created')
  const lines = isNew
    ? {added: countLines(textAt(tool.input, 'new_text') ?? '')}
    : countDiff(output.split('\n'), /^\+\d+:/, /^-\d+:/)
  return [{type: 'file-change', path, action: isNew ? 'created' : 'modified', toolId, ...lines, at}]
}

function readPatch(toolId: string, input: unknown, at: number | undefined): Draft[] {
  const patch = typeof input === 'string' ? input : (textAt(input, 'input') ?? '')
  const [, ...files] = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m)
  return files.flatMap((text): Draft[] => {
    const [head = '', ...lines] = text.split('\n')
    const [verb = ''] = head.split(' ', 1)
    const path = head.slice(`${verb} File: `.length).trim()
    const action = ACTIONS.get(verb) ?? 'modified'
    const change: Draft = {type: 'file-change', path, action, toolId, at}
    if (action === 'deleted') return [change]
    const counts = countDiff(lines, /^\+/, /^-/)
    const target = /^\*\*\* Move to: (.*)$/.exec(lines[0] ?? '')?.[1]?.trim()
    if (target === undefined) return [{...change, ...counts}]
    return [
      {...change, action: 'deleted'},
      {...change, path: target, action: 'created', ...counts},
    ]
  })
}

const ACTIONS = new Map<string, FileAction>([
  ['Add', 'created'],
  ['Update', 'modified'],
  ['Delete', 'deleted'],
])

function countDiff(
  lines: string[],
  isAdded: RegExp,
  isRemoved: RegExp,
): {added: number; removed: number} {
  return {
    added: lines.filter((line) => isAdded.test(line)).length,
    removed: lines.filter((line) => isRemoved.test(line)).length,
  }
}
