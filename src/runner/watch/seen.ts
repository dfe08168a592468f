import type {Stats} from 'node:fs'
import type {Sign} from './settling.ts'

/** By what a file is known to be the same. */
export interface Seen {
  size: number
  mtimeMs: number
  inode: number
}

/** The clock of a file system may be this much behind ours, and stands still for a while between its steps. */
const CLOCK_STEP_MS = 20

/** Keeps what a file looks like. */
export function toSeen({size, mtimeMs, ino}: Stats): Seen {
  return {size, mtimeMs, inode: ino}
}

/**
 * Whether a file is another than it was. Rights and times of access do not count.
 *
 * @param seen - None when nobody has looked at the file before: then it is another if its name was given anew, or
 *   if something happened to it and it was written since its folder was listed.
 */
export function isOther(
  stats: Stats,
  seen: Seen | undefined,
  sign: Sign,
  listedAt: number,
): boolean {
  if (seen === undefined) {
    const isRecent = stats.mtimeMs > listedAt - CLOCK_STEP_MS
    return sign === 'renamed' || (sign === 'written' && isRecent)
  }
  return stats.size !== seen.size || stats.mtimeMs !== seen.mtimeMs || stats.ino !== seen.inode
}

/** Whether it is a file for us. A link is one of its own: where it leads is not followed. */
export function isFile<T extends Pick<Stats, 'isFile' | 'isSymbolicLink'>>(
  entry: T | undefined,
): entry is T {
  return entry !== undefined && (entry.isFile() || entry.isSymbolicLink())
}
