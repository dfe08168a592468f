import type {ToolKind} from '../../../src/core/events/events.ts'
import {isRecord, numberAt, objectAt, objectsAt, textAt} from '../../../src/core/wire/json.ts'
import {readPatch, readUnifiedDiff} from './read-patch.ts'
import {type FileEdit} from './file-edit.ts'

/** The file changes in the input of a tool of any agent, in order, one per edit. */
export function readFileChanges(tool: ToolKind, input: unknown): FileEdit[] {
  if (tool !== 'Edit' && tool !== 'Write') return []
  const patch = typeof input === 'string' ? input : firstText(input, PATCHES)
  if (patch?.includes('*** ') === true) {
    const edits = readPatch(patch)
    if (edits.length > 0) return edits
  }
  if (!isRecord(input)) return []
  const {changes} = input
  if (isRecord(changes)) {
    return Object.entries(changes).flatMap(([path, change]) => readChange(path, change))
  }
  if (Array.isArray(changes)) {
    return objectsAt(input, 'changes').flatMap((change) => readListed(change))
  }
  const path = firstText(input, PATHS)
  if (path === undefined) return []
  const edits = objectsAt(input, 'edits')
  if (edits.length > 0) return edits.flatMap((edit) => readEdit(path, edit))
  return readEdit(path, input)
}

const PATHS = ['file_path', 'filePath', 'path', 'target_file', 'notebook_path', 'absolute_path']
const PATCHES = ['patchText', 'patch', 'input']
const OLDS = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
const NEWS = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'new_source']
const CONTENTS = ['content', 'file_text', 'fileText', 'contents']
const INSERTS = ['insert_text', 'insertText', ...NEWS]

function firstText(input: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textAt(input, name)
    if (text !== undefined) return text
  }
  return undefined
}

function readEdit(path: string, input: unknown): FileEdit[] {
  const line = numberAt(input, 'insert_line') ?? numberAt(input, 'insertLine')
  if (line !== undefined && Number.isSafeInteger(line) && line >= 0) {
    const text = firstText(input, INSERTS) ?? ''
    const after = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return [{kind: 'replace', path, before: '', after, start: line + 1}]
  }
  const content = firstText(input, CONTENTS)
  const before = firstText(input, OLDS)
  const after = firstText(input, NEWS)
  // Without an old text it is a new file.
  if (before === '' && after !== undefined) return [{kind: 'write', path, after}]
  if (before !== undefined) {
    const isEverywhere = isTrue(input, 'replace_all') || isTrue(input, 'replaceAll') || undefined
    return [{kind: 'replace', path, before, after: after ?? '', isEverywhere}]
  }
  if (content !== undefined) return [{kind: 'write', path, after: content}]
  if (after === undefined) return [{kind: 'unknown', path}]
  const isCell = textAt(input, 'notebook_path') !== undefined
  return [{kind: isCell ? 'replace' : 'write', path, after}]
}

function isTrue(input: unknown, name: string): boolean {
  return isRecord(input) && input[name] === true
}

/** A change in the format of older Codex versions: `{add}`, `{delete}` or `{update}`. */
function readChange(path: string, change: unknown): FileEdit[] {
  const add = textAt(objectAt(change, 'add'), 'content')
  if (add !== undefined) return [{kind: 'write', path, after: add}]
  const {delete: gone, update} = isRecord(change) ? change : {}
  if (isRecord(gone)) return [{kind: 'delete', path, before: textAt(gone, 'content')}]
  const diff = textAt(update, 'unified_diff')
  if (diff === undefined) return [{kind: 'unknown', path}]
  return readUnifiedDiff(textAt(update, 'move_path') ?? path, diff)
}

/** A change in the format of newer Codex versions, often without content. */
function readListed(change: Record<string, unknown>): FileEdit[] {
  const path = textAt(change, 'path')
  if (path === undefined) return []
  const diff = textAt(change, 'diff') ?? textAt(change, 'unified_diff')
  if (diff !== undefined) return readUnifiedDiff(path, diff)
  return [{kind: textAt(change, 'kind') === 'delete' ? 'delete' : 'unknown', path}]
}
