import {homedir} from 'node:os'

/** A path with `~` for the home folder. */
export function shortenHome(path: string): string {
  const home = homedir()
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
