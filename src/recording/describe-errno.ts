import {textAt} from '../core/wire/json.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'already exists',
  EISDIR: 'is a folder, expected a file',
  EMFILE: 'too many files are open. Close some, or raise the limit with ulimit -n',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'part of the path is a file, expected a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** The code of a system error, such as `ENOENT`; empty for any other value. */
export function errnoOf(error: unknown): string {
  return textAt(error, 'code') ?? ''
}

/** Whether an error is one of a file or folder that cannot be used. */
export function isFileError(error: unknown): boolean {
  return Object.hasOwn(REASONS, errnoOf(error))
}

/** The reason of a system error after the path that it is about: `/data/run.json: permission denied`. */
export function describeErrno(
  error: unknown,
  path: string | undefined = textAt(error, 'path'),
): string {
  const reason = reasonOf(error)
  return path === undefined ? reason : `${path}: ${reason}`
}

/** The reason of a system error, such as `permission denied`. */
export function reasonOf(error: unknown): string {
  return REASONS[errnoOf(error)] ?? textAt(error, 'message') ?? String(error)
}
