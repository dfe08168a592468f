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
export function placeOf(path: string, isDeleted: boolean, roots: Roots): string {
  const whole = resolve(roots.given, path)
  // The last name is not resolved: a deleted link is itself the deleted file.
  const real = isDeleted ? join(realPathOf(dirname(whole)), basename(whole)) : realPathOf(whole)
  return (
    pathWithin(roots.real, real) ??
    pathWithin(roots.given, whole) ??
    (isAbsolute(path) ? path : whole)
  )
}

/** Resolves links in the part of a path that exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPathOf(folder), basename(path))
  }
}

function pathWithin(root: string, path: string): string | undefined {
  const way = relative(root, path)
  const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  return isOutside ? undefined : way.split(sep).join('/')
}
