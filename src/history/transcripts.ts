import type {Stats} from 'node:fs'
import type {TranscriptFile, TranscriptFormat} from '../core/events/transcript.ts'

/** A transcript on disk: a file, or a session in a database. */
export interface Transcript {
  format: TranscriptFormat
  /** The folder that the path is relative to. */
  root: string
  /** Relative to the root, with `/`. */
  path: string
  file: TranscriptFile
  stats: FileStats
  /** The session, for one of a database. */
  sessionId?: string | undefined
  /** Differs whenever the transcript has changed. */
  stamp: string
  /** The folder of the archive, for one whose original is gone. */
  archive?: string | undefined
}

/** The facts of a file that detect a change. */
export type FileStats = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>

/** The absolute path of a transcript. */
export function pathOf({root, path}: Pick<Transcript, 'root' | 'path'>): string {
  return `${root}/${path}`
}

/** Identifies a transcript in the index. */
export function keyOf(transcript: Transcript): string {
  const {sessionId} = transcript
  return sessionId === undefined ? pathOf(transcript) : `${pathOf(transcript)}#${sessionId}`
}

/** A stamp that differs whenever a file has changed. */
export function stampOf({dev, ino, size, mtimeMs}: FileStats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`
}
