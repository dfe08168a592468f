import {existsSync, renameSync, rmSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {CliError} from './cli-error.ts'

/** A file that is there when all of it is written, and not before. */
export interface OutputFile {
  write(text: string): Promise<void>
  /** Puts it in its place. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  discard(): void
}

/** Opens a file to write; one that is there already is refused unless it may be replaced. */
export async function openOutputFile(path: string, mayReplace: boolean): Promise<OutputFile> {
  const isThere = existsSync(path)
  if (isThere && statSync(path).isDirectory()) {
    throw new CliError(`${path}: is a folder. Name a file in it with --output`)
  }
  if (isThere && !mayReplace) {
    throw new CliError(`${path}: is there already. --force replaces it, --output names another`)
  }
  // A pipe or a device is written to as it is: it must not be replaced by a file.
  const isInPlace = isThere && !statSync(path).isFile()
  const target = isInPlace ? path : `${path}.${process.pid}.part`
  const file = await attempt(path, () => open(target, isInPlace ? 'w' : 'wx'))
  return {
    write: (text) => attempt(path, () => file.appendFile(text)),
    async finish() {
      await attempt(path, async () => {
        await file.close()
        if (!isInPlace) renameSync(target, path)
      })
    },
    discard() {
      file.close().catch(() => {})
      if (!isInPlace) rmSync(target, {force: true})
    },
  }
}

/** Does something with a file, and says in a line what is in the way. */
async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const {code = '', message} = error as NodeJS.ErrnoException
    throw new CliError(`${path}: ${WORDS[code] ?? message}`)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder. Make it first, or name another file with --output',
  ENOTDIR: 'a file is in the way. Name another with --output',
  EACCES: 'permission denied. Name another file with --output',
  EPERM: 'permission denied. Name another file with --output',
  EROFS: 'the file system is read-only. Name another file with --output',
  ENOSPC: 'no space left. Make room, or name another file with --output',
  ENAMETOOLONG: 'the name is too long. Name another with --output',
}
