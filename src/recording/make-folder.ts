import {existsSync, mkdirSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {PRIVATE_FOLDER_MODE} from './private-mode.ts'

/** Creates a folder and its parents. The recursive `mkdir` of Node never returns where folders cannot be created, as in /proc. */
export function makeFolder(path: string, mode: number = PRIVATE_FOLDER_MODE): void {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats?.isDirectory() === true) return
  if (stats !== undefined) {
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
      code: 'ENOTDIR',
      path,
    })
  }
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, {mode})
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(path)) throw error
  }
}
