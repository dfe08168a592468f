import type {Stats} from 'node:fs'
import {stampOf} from '../../recording/completeness.ts'
import type {Sign} from './path-debouncer.ts'

/** File times may lag behind our clock by one step of the file system's clock. */
const CLOCK_STEP_MS = 20

/**
 * Whether a file was modified. Permissions and access times do not count.
 *
 * @param stamp - Without one, the file was modified if its name is new, or if an event reports a write and its
 * time is after the listing of its folder.
 */
export function isModified(
  stats: Stats,
  stamp: string | undefined,
  sign: Sign,
  listedAt: number,
): boolean {
  if (stamp === undefined) {
    const isRecent = stats.mtimeMs > listedAt - CLOCK_STEP_MS
    return sign === 'renamed' || (sign === 'written' && isRecent)
  }
  return stamp !== stampOf(stats)
}

/** Whether an entry counts as a file. A symbolic link does; it is not followed. */
export function isFile<T extends Pick<Stats, 'isFile' | 'isSymbolicLink'>>(
  entry: T | undefined,
): entry is T {
  return entry !== undefined && (entry.isFile() || entry.isSymbolicLink())
}
