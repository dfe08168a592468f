import {existsSync, statSync} from 'node:fs'
import {describeErrno} from '../recording/describe-errno.ts'
import {openAtomic, type AtomicFile} from '../recording/write-atomic.ts'
import {CliError} from './cli-error.ts'

/** Opens the file that a command writes; an existing file is refused unless it may be replaced. */
export async function openOutputFile(path: string, mayReplace: boolean): Promise<AtomicFile> {
  const isTaken = existsSync(path)
  if (isTaken && statSync(path).isDirectory()) {
    throw new CliError(`${path}: is a directory. Name a file in it with --output`)
  }
  if (isTaken && !mayReplace) {
    throw new CliError(
      `${path}: already exists. Use --force to replace it, or --output to choose another file`,
    )
  }
  const file = await attempt(path, () => openAtomic(path, {mode: 0o666}))
  return {
    write: (text) => attempt(path, () => file.write(text)),
    commit: () => attempt(path, file.commit),
    discard: file.discard,
  }
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new CliError(`${describeErrno(error, path)}. Choose another file with --output`)
  }
}
