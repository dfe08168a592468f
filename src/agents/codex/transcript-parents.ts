import type {TranscriptSource} from '../../core/events/transcript.ts'
import {numberAt, objectAt, parseText, textAt, type JsonObject} from '../../core/wire/json.ts'

/** The thread that started this one as a sub-agent. */
export function parentOf(payload: JsonObject): string | undefined {
  return textAt(payload, 'parent_thread_id') ?? textAt(spawnOf(payload), 'parent_thread_id')
}

/**
 * The main thread above a sub-agent; `undefined` for a main thread. Older versions only name the parent, which can be a
 * sub-agent too: its file is in the same folder, unless a day has ended.
 */
export function findMainThread(source: TranscriptSource, payload: JsonObject): string | undefined {
  const parentId = parentOf(payload)
  if (parentId === undefined) return undefined
  const depth = numberAt(spawnOf(payload), 'depth') ?? 1
  return depth > 1 ? findAncestor(source, parentId, Math.min(depth, MAX_DEPTH)) : parentId
}

const MAX_DEPTH = 10

function findAncestor(source: TranscriptSource, threadId: string, depth: number): string {
  const folder = source.path.slice(0, source.path.lastIndexOf('/'))
  const name = source.listFiles(folder).find((file) => file.endsWith(`-${threadId}.jsonl`))
  if (name === undefined || depth === 0) return threadId
  const [first = ''] = (source.readText(`${folder}/${name}`) ?? '').split('\n', 1)
  const parentId = parentOf(objectAt(parseText(first), 'payload'))
  return parentId === undefined ? threadId : findAncestor(source, parentId, depth - 1)
}

function spawnOf(payload: JsonObject): JsonObject {
  return objectAt(objectAt(objectAt(payload, 'source'), 'subagent'), 'thread_spawn')
}
