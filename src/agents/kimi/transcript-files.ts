import type {Draft} from '../../core/events/adapter.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** The files that a session has changed. */
export interface FileTable {
  /** Reads a `file_history.tracked`, which precedes the first change of a file. */
  track(record: JsonObject): void
  /** Corrects whether a written file existed before. */
  correct(drafts: Draft[]): Draft[]
}

/** Creates the table of the files of a session. */
export function createFileTable(): FileTable {
  /** Whether a file exists, by its path, which may be relative to the folder of the session. */
  const existing = new Map<string, boolean>()
  return {
    track(record) {
      const path = textAt(record, 'path')
      const {entry} = record
      // A file that does not exist has no copy.
      if (path !== undefined && isRecord(entry)) {
        existing.set(path, objectAt(record, 'entry')['key'] !== null)
      }
    },
    correct(drafts) {
      for (const draft of drafts) {
        if (draft.type !== 'file-change') continue
        const path = findPath(draft.path)
        if (path === undefined) continue
        draft.action = existing.get(path) === true ? 'modified' : 'created'
        existing.set(path, true)
      }
      return drafts
    },
  }

  function findPath(path: string): string | undefined {
    if (existing.has(path)) return path
    return [...existing.keys()].find((known) => path.endsWith(`/${known}`))
  }
}
