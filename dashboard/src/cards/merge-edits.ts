import {countLines} from '../../../src/core/text/text.ts'
import {findOverlap} from './find-overlap.ts'
import type {FileEdit} from './file-edit.ts'

/** A part of a file: its first and its current text. */
export interface FilePart {
  before: string
  after: string
  /** Its current first line, if known. */
  start?: number | undefined
}

/** The known content of a file after some changes. */
export interface FileParts {
  /** The complete text, once the file was written completely; before that, it counts as empty. */
  text?: FilePart | undefined
  /** Parts of the file whose surroundings are unknown, and misplaced ones. */
  parts: FilePart[]
}

/** Merges changes of one file: a later change to the text of an earlier one becomes one change. */
export function mergeEdits(edits: readonly FileEdit[]): FileParts {
  let state: FileParts = {parts: []}
  for (const edit of edits) state = mergeEdit(state, edit)
  const parts = state.parts.filter(({before, after}) => before !== after)
  return {...state, parts}
}

function mergeEdit({text: content, parts}: FileParts, edit: FileEdit): FileParts {
  const {kind, before, after = ''} = edit
  switch (kind) {
    case 'write':
      return {text: {before: content?.before ?? '', after, start: 1}, parts: []}
    case 'delete':
      return removeFile({text: content, parts}, before)
    case 'unknown':
      return {text: content, parts}
    case 'replace': {
      if (before === undefined) return {text: content, parts: [...parts, {before: '', after}]}
      const text = content === undefined ? undefined : replaceIn(content.after, edit)
      if (content !== undefined && text !== undefined)
        return {text: {...content, after: text}, parts}
      return {text: content, parts: mergePart(parts, edit)}
    }
    default:
      return kind satisfies never
  }
}

function removeFile({text: current, parts}: FileParts, content: string | undefined): FileParts {
  if (current !== undefined) return {text: {...current, after: ''}, parts: []}
  if (content === undefined) return {parts: parts.map((part) => ({...part, after: ''}))}
  let before = content
  for (const part of parts.toReversed()) {
    before = replaceIn(before, {before: part.after, after: part.before}) ?? before
  }
  return {text: {before, after: '', start: 1}, parts: []}
}

/** A text after an edit; undefined when the replaced text is not found. */
function replaceIn(
  text: string,
  {before = '', after = '', isEverywhere, start}: Omit<FileEdit, 'kind' | 'path'>,
): string | undefined {
  const line = start === undefined ? undefined : findLine(text, start)
  if (line !== undefined && text.startsWith(before, line)) return splice(text, line, before, after)
  if (before === '') return undefined
  const at = text.indexOf(before)
  if (at === -1) return undefined
  return isEverywhere === true
    ? text.replaceAll(before, () => after)
    : splice(text, at, before, after)
}

function splice(text: string, at: number, before: string, after: string): string {
  return text.slice(0, at) + after + text.slice(at + before.length)
}

function findLine(text: string, line: number): number | undefined {
  let at = 0
  for (let count = 1; count < line; count++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return undefined
    at = end + 1
  }
  return at
}

function mergePart(parts: FilePart[], edit: FileEdit): FilePart[] {
  const {before = '', after = '', isEverywhere} = edit
  if (before === '') return placePart(parts, {before, after, start: edit.start})
  if (isEverywhere === true && parts.some((part) => part.after.includes(before))) {
    return parts.map((part) => ({...part, after: part.after.replaceAll(before, () => after)}))
  }
  // The latest, if several match.
  const within = parts.findLastIndex((part) => part.after.includes(before))
  const holder = parts[within]
  if (holder !== undefined) {
    return parts.with(within, {...holder, after: replaceIn(holder.after, {before, after}) ?? after})
  }
  return absorb(parts, edit)
}

/** A segment of the text that an edit replaces: its current and its first text. */
interface Segment {
  now: string
  before: string
  /** Whether no earlier edit touched it. */
  isFirst: boolean
}

/** Merges an edit with all parts whose text it replaces, completely or at its ends. */
function absorb(parts: FilePart[], {before = '', after = '', start}: FileEdit): FilePart[] {
  let segments: Segment[] = [{now: before, before, isFirst: true}]
  let head = ''
  let tail = ''
  const rest: FilePart[] = []
  for (const part of parts) {
    const covered = coverPart(segments, part)
    const first = segments[0]
    const last = segments.at(-1)
    if (covered !== undefined) {
      segments = covered
      continue
    }
    const atStart = first?.isFirst === true ? findOverlap(part.after, first.now) : 0
    const atEnd = last?.isFirst === true ? findOverlap(last.now, part.after) : 0
    const touched = {now: part.after, before: part.before, isFirst: false}
    if (first !== undefined && atStart > 0) {
      const text = first.now.slice(atStart)
      segments = [touched, {now: text, before: text, isFirst: true}, ...segments.slice(1)]
      head = part.after.slice(0, -atStart)
    } else if (last !== undefined && atEnd > 0) {
      const text = last.now.slice(0, -atEnd)
      segments = [...segments.slice(0, -1), {now: text, before: text, isFirst: true}, touched]
      tail = part.after.slice(atEnd)
    } else rest.push(part)
  }
  const original = segments.map((segment) => segment.before).join('')
  const isAlone = rest.length === parts.length
  return placePart(rest, {
    before: original,
    after: head + after + tail,
    start: isAlone ? start : undefined,
  })
}

/** The segments, with a part inserted that lies within one; only if the position is unique. */
function coverPart(segments: Segment[], {before, after}: FilePart): Segment[] | undefined {
  if (!/\w{3}/.test(after)) return undefined
  const index = segments.findIndex(({now, isFirst}) => isFirst && now.includes(after))
  const text = segments[index]?.now
  const at = text?.indexOf(after)
  if (text === undefined || at === undefined || text.includes(after, at + 1)) return undefined
  const end = at + after.length
  const isLine = isBorder(text, at) && isBorder(text, end)
  if (!isLine && after.length < LEAST_SHARED) return undefined
  const head = text.slice(0, at)
  const tail = text.slice(end)
  return segments.toSpliced(
    index,
    1,
    {now: head, before: head, isFirst: true},
    {now: after, before, isFirst: false},
    {now: tail, before: tail, isFirst: true},
  )
}

const LEAST_SHARED = 16

function isBorder(text: string, at: number): boolean {
  return at === 0 || at === text.length || text[at - 1] === '\n' || text[at] === '\n'
}

/** Adds a part, and moves those below it by the added lines. */
function placePart(parts: FilePart[], part: FilePart): FilePart[] {
  const {start} = part
  if (start === undefined) return [...parts, part]
  const lines = countLines(part.after) - countLines(part.before)
  const moved = parts.map((other) =>
    other.start !== undefined && other.start > start
      ? {...other, start: other.start + lines}
      : other,
  )
  return [...moved, part]
}
