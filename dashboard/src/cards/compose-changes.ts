import type {ToolKind} from '../../../src/core/events/events.ts'
import {countLines} from '../../../src/core/text/text.ts'
import {countHunks, diffLines, toHunks, type Hunk} from './diff-lines.ts'
import {mergeEdits, type FilePart} from './merge-edits.ts'
import {readFileChanges} from './read-file-changes.ts'
import type {FileEdit} from './file-edit.ts'

/** All changes of a run to a file. */
export interface FileDiff {
  hunks: Hunk[]
  added: number
  removed: number
}

/** A tool call that changes files. */
export interface FileCall {
  tool: ToolKind
  input: unknown
}

/** The combined changes of calls, in order. With a path, only the changes to that file: a patch can cover many. */
export function composeChanges(calls: readonly FileCall[], path?: string): FileDiff {
  const edits = calls.flatMap(({tool, input}) => readFileChanges(tool, input))
  const own = path === undefined ? edits : edits.filter((edit) => isSameFile(edit.path, path))
  return composeEdits(own)
}

/** Combines the edits of one file. */
export function composeEdits(edits: readonly FileEdit[]): FileDiff {
  const {text: content, parts} = mergeEdits(edits)
  const hunks = [
    ...(content === undefined ? [] : showPart(content, 1)),
    ...showParts(parts, content === undefined),
  ]
  return {hunks, ...countHunks(hunks)}
}

/** Agents name a file by its full path or by the end of it. */
function isSameFile(a: string, b: string): boolean {
  return (
    a === b || a.endsWith(`/${b.replace(/^\.\//, '')}`) || b.endsWith(`/${a.replace(/^\.\//, '')}`)
  )
}

function showParts(parts: FilePart[], mayNumber: boolean): Hunk[] {
  // One change at an unknown line makes all line numbers unreliable.
  const isPlaced = parts.every((part) => part.start !== undefined || growth(part) === 0)
  const sorted = parts.toSorted((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity))
  let grown = 0
  return sorted.flatMap((part) => {
    const {start} = part
    if (!mayNumber || !isPlaced || start === undefined) return showPart(part, undefined)
    const hunks = showPart(part, start - grown)
    grown += growth(part)
    return hunks
  })
}

function growth({before, after}: FilePart): number {
  return countLines(after) - countLines(before)
}

function showPart({before, after, start}: FilePart, old: number | undefined): Hunk[] {
  const where = old === undefined ? undefined : {before: old, after: start ?? old}
  return toHunks(diffLines(before, after, where))
}
