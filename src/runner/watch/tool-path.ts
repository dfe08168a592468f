import {realpathSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'

/** The root as it was given, and as it is without links. */
export interface Roots {
  given: string
  real: string
}

/**
 * Finds the path by which the disk knows what a tool speaks of: relative to the root, with `/`; a path outside of it
 * stays as the tool gave it, but whole.
 */
export function placeOf(path: string, isDeleted: boolean, roots: Roots): string {
  const whole = resolve(roots.given, path)
  // A link that is gone was itself what was deleted.
  const real = isDeleted ? join(realPathOf(dirname(whole)), basename(whole)) : realPathOf(whole)
  return (
    pathWithin(roots.real, real) ??
    pathWithin(roots.given, whole) ??
    (isAbsolute(path) ? path : whole)
  )
}

/** Without links, as far as it exists. */
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
