import {chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/** Creates the index file if missing, readable by the owner only; SQLite creates the files beside it alike. */
export function makeIndexFile(path: string): void {
  makeFolder(dirname(path))
  closeSync(openSync(path, 'a', PRIVATE_FILE))
  chmodSync(path, PRIVATE_FILE)
}

/** Removes an index that is not open. */
export function removeIndexFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, {force: true})
}

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns where folders cannot be created, as in
 * /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    // Reports the file in the way, if there is one.
    readdirSync(path)
    return
  }
  makeFolder(dirname(path))
  mkdirSync(path, {mode: PRIVATE_FOLDER})
}
