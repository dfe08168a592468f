import {escapeGlob, matchesPath, parseGlob, type PathSegment} from './glob.ts'
import {textAt} from '../core/wire/json.ts'

/** Where paths are looked at from. */
export interface PathOptions {
  /** The folder that the agent works in. Without it an allow rule with a relative path covers no absolute one. */
  cwd?: string | undefined
  /** The home of the user, for paths with `~`. */
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

/** Tells whether a tool is asked for one file, so that a rule can name it. */
export function isFileTool(name: string): boolean {
  return FILE_TOOLS.has(name)
}

/** The file or folder that a tool is asked for. */
export function pathOf(name: string, input: unknown): string | undefined {
  return textAt(input, FIELDS.get(name) ?? '')
}

/** Tells whether a path fits a pattern, both from where they begin. */
export function isAtPath(pattern: string, path: string, options: PathOptions): boolean {
  const segments = resolvePath(pattern, options, escapeGlob)
  const names = resolvePath(path, options)
  return (
    segments !== undefined && names !== undefined && matchesPath(segments.map(toSegment), names)
  )
}

/** Tells whether it may: what cannot be placed, and a pattern that is a name alone, can be anywhere. */
export function mayBeAtPath(pattern: string, path: string, options: PathOptions): boolean {
  const isPlaced =
    pattern.includes('/') &&
    resolvePath(pattern, options) !== undefined &&
    resolvePath(path, options) !== undefined
  if (isPlaced) return false
  const names = splitPath(pattern.replace(/^~(?=\/|$)/, ''))
  return matchesPath(['**', ...names.map(toSegment)], splitPath(path))
}

/** The names on the way from the root to a path; undefined when it is not known where it begins. */
export function resolvePath(
  path: string,
  {cwd, home}: PathOptions,
  escape = (base: string): string => base,
): string[] | undefined {
  if (path.startsWith('/') || DRIVE.test(path)) return splitPath(path)
  const isAtHome = path === '~' || path.startsWith('~/')
  const base = isAtHome ? home : cwd
  if (base === undefined) return undefined
  return splitPath(`${escape(withSlashes(base))}/${isAtHome ? path.slice(1) : path}`)
}

function splitPath(path: string): string[] {
  const names: string[] = []
  for (const name of withSlashes(path).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

function toSegment(name: string): PathSegment {
  return name === '**' ? name : parseGlob(name)
}

const DRIVE = /^[A-Za-z]:[\\/]/

/** Elsewhere a backslash is a character of a name like any other. */
function withSlashes(path: string): string {
  return DRIVE.test(path) ? path.replaceAll('\\', '/') : path
}
