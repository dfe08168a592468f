import type {Draft} from '../../../core/events/adapter.ts'
import {countDiff, countLines} from '../../../core/text/text.ts'
import {isRecord, textAt, type JsonObject} from '../../../core/wire/json.ts'

/** The files that a patch changed, by path: `{add}`, `{delete}` or `{update}`, which may include a move. */
export function readPatch(toolId: string, changes: JsonObject): Draft[] {
  return Object.entries(changes).flatMap(([path, change]): Draft[] => {
    if (!isRecord(change)) return []
    const {add, delete: gone, update} = change
    if (isRecord(add)) {
      const added = countLines(textAt(add, 'content') ?? '')
      return [{type: 'file-change', path, action: 'created', toolId, added}]
    }
    if (isRecord(gone)) {
      const removed = countLines(textAt(gone, 'content') ?? '')
      return [{type: 'file-change', path, action: 'deleted', toolId, removed}]
    }
    if (!isRecord(update)) return []
    // The diff begins with its first hunk, without lines for file names.
    const lines = countDiff((textAt(update, 'unified_diff') ?? '').split('\n'))
    const target = textAt(update, 'move_path')
    if (target === undefined || target === path) {
      return [{type: 'file-change', path, action: 'modified', toolId, ...lines}]
    }
    return [
      {type: 'file-change', path, action: 'deleted', toolId},
      {type: 'file-change', path: target, action: 'created', toolId, ...lines},
    ]
  })
}
