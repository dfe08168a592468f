import type {Draft} from '../../core/events/adapter.ts'
import {countLines} from '../../core/text/text.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** The files that a tool changed, from its final state. */
export function readFileChanges(toolId: string, name: string, state: JsonObject): Draft[] {
  const at = timeAt(state['time'], 'end')
  const metadata = objectAt(state, 'metadata')
  const {input} = state
  switch (name) {
    case 'write': {
      const path = textAt(metadata, 'filepath') ?? textAt(input, 'filePath')
      if (path === undefined) return []
      if (metadata['exists'] === true) {
        return [{type: 'file-change', path, action: 'modified', toolId, at}]
      }
      const added = countLines(textAt(input, 'content') ?? '')
      return [{type: 'file-change', path, action: 'created', toolId, added, at}]
    }
    case 'edit': {
      const diff = objectAt(metadata, 'filediff')
      const path = textAt(diff, 'file') ?? textAt(input, 'filePath')
      if (path === undefined) return []
      // An empty old text means a new file.
      const action = textAt(input, 'oldString') === '' ? 'created' : 'modified'
      return [{type: 'file-change', path, action, toolId, ...readCounts(diff), at}]
    }
    case 'apply_patch':
    case 'patch':
      return objectsAt(metadata, 'files').flatMap((file) => readPatched(toolId, file, at))
    default:
      return []
  }
}

function readPatched(toolId: string, file: JsonObject, at: number | undefined): Draft[] {
  const path = textAt(file, 'filePath') ?? textAt(file, 'relativePath')
  if (path === undefined) return []
  const counts = readCounts(file)
  const target = textAt(file, 'movePath')
  if (file['type'] === 'move' && target !== undefined) {
    return [
      {type: 'file-change', path, action: 'deleted', toolId, at},
      {type: 'file-change', path: target, action: 'created', toolId, ...counts, at},
    ]
  }
  const {type} = file
  const action = type === 'add' ? 'created' : type === 'delete' ? 'deleted' : 'modified'
  return [{type: 'file-change', path, action, toolId, ...counts, at}]
}

function readCounts(diff: JsonObject): {added?: number | undefined; removed?: number | undefined} {
  return {added: numberAt(diff, 'additions'), removed: numberAt(diff, 'deletions')}
}
