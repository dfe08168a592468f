import type {Draft} from '../../core/events/adapter.ts'
import type {FileAction} from '../../core/events/events.ts'
import {countDiff} from '../../core/text/text.ts'
import {numberAt, objectAt, objectsAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** The files that a tool changed, from its result. */
export function readFileChanges(toolId: string, data: JsonObject, at: number | undefined): Draft[] {
  const edits = new Map<string, FileAction>()
  for (const edit of objectsAt(data, 'fileEdits')) {
    const path = textAt(edit, 'path')
    if (path === undefined) continue
    const action = ACTIONS.get(textAt(edit, 'kind') ?? '') ?? 'modified'
    edits.set(path, edits.get(path) === 'created' && action === 'modified' ? 'created' : action)
  }
  const diff = textAt(data['result'], 'detailedContent') ?? ''
  return Array.from(edits, ([path, action]): Draft => {
    const lines = edits.size === 1 ? readMetrics(data) : countPart(diff, path)
    return {type: 'file-change', path, action, toolId, ...lines, at}
  })
}

const ACTIONS = new Map<string, FileAction>([
  ['create', 'created'],
  ['edit', 'modified'],
  ['delete', 'deleted'],
])

function readMetrics(data: JsonObject): {added?: number | undefined; removed?: number | undefined} {
  const metrics = objectAt(data['toolTelemetry'], 'metrics')
  return {added: numberAt(metrics, 'linesAdded'), removed: numberAt(metrics, 'linesRemoved')}
}

/** Counts lines in the part of a diff for a file. */
function countPart(diff: string, path: string): {added?: number; removed?: number} {
  const name = path.replaceAll('\\', '/').replace(/^\//, '')
  const part = diff
    .split(/^diff --git /m)
    .find((text) => text.slice(0, text.indexOf('\n')).trimEnd().endsWith(`/${name}`))
  const lines = part?.slice(part.indexOf('\n@@')).split('\n')
  if (part?.includes('\n@@') !== true || lines === undefined) return {}
  return countDiff(lines)
}
