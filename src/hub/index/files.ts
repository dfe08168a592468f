import {chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/** Makes the file of an index where there is none, for nobody else to read; SQLite makes those beside it alike. */
export function makeIndexFile(path: string): void {
  makeFolder(dirname(path))
  closeSync(openSync(path, 'a', PRIVATE_FILE))
  chmodSync(path, PRIVATE_FILE)
}

/** Removes an index that nobody has open. */
export function removeIndexFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, {force: true})
}

/** Makes a folder and those above it. Node's own way never ends where the system has no room for folders, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    // Says what is in the way, if it is a file.
    readdirSync(path)
    return
  }
  makeFolder(dirname(path))
  mkdirSync(path, {mode: PRIVATE_FOLDER})
}
