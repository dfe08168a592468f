import {chmodSync, closeSync, openSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {makeFolder} from '../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'

/** Creates the file of an index if there is none. SQLite gives the files beside it the same mode. */
export function makeIndexFile(path: string): void {
  makeFolder(dirname(path))
  closeSync(openSync(path, 'a', PRIVATE_FILE_MODE))
  chmodSync(path, PRIVATE_FILE_MODE)
}

/** Removes the files of an index that is not open. */
export function removeIndexFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, {force: true})
}
