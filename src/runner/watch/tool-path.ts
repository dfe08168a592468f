import {realpathSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'

/** The root as given, and without symbolic links. */
export interface Roots {
  given: string
  real: string
}

/**
 * Resolves a path that a tool reports to the one on disk, relative to the root with `/`. A path outside of the
 * root becomes absolute.
 */
export function resolveToolPath(path: string, isDeleted: boolean, roots: Roots): string {
  const absolute = resolve(roots.given, path)
  // The last name is not resolved: a deleted link is itself the deleted file.
  const real = isDeleted
    ? join(resolveExistingLinks(dirname(absolute)), basename(absolute))
    : resolveExistingLinks(absolute)
  return (
    toPathWithin(roots.real, real) ??
    toPathWithin(roots.given, absolute) ??
    (isAbsolute(path) ? path : absolute)
  )
}

/** Resolves links in the part of a path that exists. */
function resolveExistingLinks(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(resolveExistingLinks(folder), basename(path))
  }
}

function toPathWithin(root: string, path: string): string | undefined {
  const relativePath = relative(root, path)
  const isOutside =
    relativePath === '' ||
    relativePath === '..' ||
    relativePath.startsWith(`..${sep}`) ||
    isAbsolute(relativePath)
  return isOutside ? undefined : relativePath.split(sep).join('/')
}
