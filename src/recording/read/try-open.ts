import {openSync} from 'node:fs'

/** Opens a file for reading; `undefined` when it does not exist. A file that cannot be read is an error, not missing. */
export function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
