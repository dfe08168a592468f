import {statSync} from 'node:fs'
import type {Session} from '../../history/sessions.ts'
import {pathOf} from '../../history/transcripts.ts'

/** The facts of a file that detect a change. */
export interface FileState {
  path: string
  /** Whether it only grows, unless another session replaces it. */
  isAppended: boolean
  ino: number
  size: number
  mtimeMs: number
}

/** The files of a session that exist, with the logs of databases. */
export function measureFiles(session: Session): FileState[] {
  return session.transcripts.flatMap(({transcript}) => {
    const path = pathOf(transcript)
    const isAppended = transcript.file.storage === 'lines'
    return [path, `${path}-wal`].flatMap((name) => {
      const stats = statSync(name, {throwIfNoEntry: false})
      if (stats === undefined) return []
      const {ino, size, mtimeMs} = stats
      return {path: name, isAppended, ino, size, mtimeMs}
    })
  })
}

/** Whether nothing was written in between. */
export function areSame(files: readonly FileState[], before: readonly FileState[]): boolean {
  return JSON.stringify(files) === JSON.stringify(before)
}

/** Whether a file that only grows was truncated or replaced. */
export function hasRewritten(files: readonly FileState[], before: readonly FileState[]): boolean {
  return files.some(({path, isAppended, ino, size}) => {
    const known = before.find((file) => file.path === path)
    return isAppended && known !== undefined && (known.ino !== ino || known.size > size)
  })
}
