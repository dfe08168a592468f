import {describeErrno} from '../../recording/describe-errno.ts'

/** The archive cannot be used or written. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** An error of writing the archive. */
export function toArchiveError(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error
  return new ArchiveError(`cannot write the archive: ${describeErrno(error)}`, {cause: error})
}
