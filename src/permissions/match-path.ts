import {escapeGlob, matchesPath, parseGlob, type PathSegment} from './glob.ts'
import {textAt} from '../core/wire/json.ts'

/** The base folders for resolving paths. */
export interface PathOptions {
  /** The agent's working directory. Without it, an allow rule with a relative path matches no absolute path. */
  cwd?: string | undefined
  /** The user's home directory, for paths with `~`. */
  home?: string | undefined
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['Edit', 'file_path'],
  ['Glob', 'path'],
  ['Grep', 'path'],
  ['LS', 'path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['NotebookRead', 'notebook_path'],
  ['Read', 'file_path'],
  ['Write', 'file_path'],
])

const FILE_TOOLS = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Read', 'Write'])

/** Whether a tool works on one file, so that a rule can name it. */
export function isFileTool(name: string): boolean {
  return FILE_TOOLS.has(name)
}

/** The file or folder in the input of a tool. */
export function pathOf(name: string, input: unknown): string | undefined {
  return textAt(input, FIELDS.get(name) ?? '')
}

/** Whether a path matches a pattern, after both are resolved. */
export function matchesPathRule(pattern: string, path: string, options: PathOptions): boolean {
  const segments = resolvePath(pattern, options, escapeGlob)
  const names = resolvePath(path, options)
  return (
    segments !== undefined && names !== undefined && matchesPath(segments.map(toSegment), names)
  )
}

/** Whether a path may match: an unresolvable path, or a pattern without a folder, can be anywhere. */
export function mayMatchPathRule(pattern: string, path: string, options: PathOptions): boolean {
  const isPlaced =
    pattern.includes('/') &&
    resolvePath(pattern, options) !== undefined &&
    resolvePath(path, options) !== undefined
  if (isPlaced) return false
  const names = splitPath(pattern.replace(/^~(?=\/|$)/, ''))
  return matchesPath(['**', ...names.map(toSegment)], splitPath(path))
}

/** The path segments from the root; undefined when the base folder is unknown. */
export function resolvePath(
  path: string,
  {cwd, home}: PathOptions,
  escape = (base: string): string => base,
): string[] | undefined {
  if (path.startsWith('/') || DRIVE.test(path)) return splitPath(path)
  const isAtHome = path === '~' || path.startsWith('~/')
  const base = isAtHome ? home : cwd
  if (base === undefined) return undefined
  return splitPath(`${escape(toSlashes(base))}/${isAtHome ? path.slice(1) : path}`)
}

function splitPath(path: string): string[] {
  const names: string[] = []
  for (const name of toSlashes(path).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

function toSegment(name: string): PathSegment {
  return name === '**' ? name : parseGlob(name)
}

const DRIVE = /^[A-Za-z]:[\\/]/

/** Only on Windows is a backslash a separator. */
function toSlashes(path: string): string {
  return DRIVE.test(path) ? path.replaceAll('\\', '/') : path
}
