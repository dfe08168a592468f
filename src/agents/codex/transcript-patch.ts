import type {Draft} from '../../core/events/adapter.ts'
import {isRecord, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readPatch} from './legacy/patch.ts'

/** The files that a patch changed, as events describe them: `{type: 'update', unified_diff}` by path. */
export function readChanges(toolId: string, changes: JsonObject): Draft[] {
  const byType = Object.entries(changes).map(([path, change]): [string, unknown] => {
    const type = textAt(change, 'type')
    return [path, type === undefined ? change : {[type]: change}]
  })
  return readPatch(toolId, Object.fromEntries(byType))
}

/** The text of the patch in the input of a call, which can be that of a shell. */
export function findPatch(input: unknown): string | undefined {
  const patch = textAt(input, 'patch')
  if (patch !== undefined || !isRecord(input)) return patch
  const {command} = input
  const words = (Array.isArray(command) ? command : [command]).map((word) => toText(word))
  const text = words.find((word) => word.includes(BEGIN))
  return text !== undefined &&
    /^\s*(?:apply_patch|applypatch)\b/.test(words.length === 2 ? (words[0] ?? '') : text)
    ? text.slice(text.indexOf(BEGIN))
    : undefined
}

const BEGIN = '*** Begin Patch'

/** The files in the text of a patch. */
export function readPatchText(toolId: string, patch: string): Draft[] {
  const drafts: Draft[] = []
  let file: (Draft & {type: 'file-change'}) | undefined
  for (const line of patch.split('\n')) {
    const [, verb = '', path = ''] = HEADER.exec(line.trimEnd()) ?? []
    const action = ACTIONS[verb]
    if (action !== undefined) {
      file = {type: 'file-change', path, action, toolId}
      if (action !== 'deleted') Object.assign(file, {added: 0, removed: 0})
      drafts.push(file)
    } else if (verb === 'Move to' && file !== undefined) {
      drafts.splice(-1, 0, {type: 'file-change', path: file.path, action: 'deleted', toolId})
      Object.assign(file, {path, action: 'created'})
    } else if (line.startsWith('*** End Patch')) break
    else if (file?.added !== undefined && line.startsWith('+')) file.added++
    else if (file?.removed !== undefined && line.startsWith('-')) file.removed++
  }
  return drafts
}

/** The paths in the text of a patch. */
export function pathsOf(patch: string): string[] {
  return readPatchText('', patch).flatMap((draft) =>
    draft.type === 'file-change' ? [draft.path] : [],
  )
}

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/

const ACTIONS: Readonly<Record<string, 'created' | 'modified' | 'deleted'>> = {
  'Add File': 'created',
  'Update File': 'modified',
  'Delete File': 'deleted',
}
