import {openSync} from 'node:fs'

/** Opens a file for reading; `undefined` when there is none. What is there and cannot be read must not be taken for nothing. */
export function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
