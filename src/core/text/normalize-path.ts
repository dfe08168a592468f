/** A path without `.`, `..` and double separators, as far as its text allows: `a/../b.ts` is `b.ts`, `../b.ts` stays. */
export function normalizePath(path: string): string {
  if (!REDUNDANT.test(path)) return path
  const isWindows = /^[A-Za-z]:[\\/]/.test(path)
  const separator = isWindows && path.includes('\\') ? '\\' : '/'
  const drive = isWindows ? path.slice(0, 2) : ''
  const rest = path.slice(drive.length)
  const isAbsolute = isWindows || rest.startsWith('/')
  const names: string[] = []
  for (const name of rest.split(isWindows ? /[\\/]/ : '/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name === '..' ? !isAbsolute : name !== '' && name !== '.') names.push(name)
  }
  const normalized = `${drive}${isAbsolute ? separator : ''}${names.join(separator)}`
  return normalized === '' ? '.' : normalized
}

/** Few paths need work. */
const REDUNDANT = /(?:^|[\\/])\.{1,2}(?:[\\/]|$)|[\\/]{2}/

/** A path as seen from a folder that it is in; other paths stay. */
export function relativePath(path: string, folder: string | undefined): string {
  if (folder === undefined) return path
  const root = /[\\/]$/.test(folder) ? folder : `${folder}${folder.includes('\\') ? '\\' : '/'}`
  return path.startsWith(root) ? path.slice(root.length) : path
}
