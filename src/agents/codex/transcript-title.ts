import type {TranscriptSource} from '../../core/events/transcript.ts'
import {parseText, textAt} from '../../core/wire/json.ts'

/** The name that a thread was given: the last one in the list of names, which only grows. */
export function findTitle(source: TranscriptSource, threadId = ''): string | undefined {
  const names = source.readText('session_index.jsonl') ?? ''
  const found = threadId === '' ? -1 : names.lastIndexOf(`"${threadId}"`)
  if (found === -1) return undefined
  const start = names.lastIndexOf('\n', found) + 1
  const end = names.indexOf('\n', found)
  const entry = parseText(names.slice(start, end === -1 ? undefined : end))
  return textAt(entry, 'thread_name')?.trim() || undefined
}
