import {constants, lstat, open} from 'node:fs/promises'
import {dirname, join, relative, resolve, sep} from 'node:path'
import ignore from 'ignore'

/** The paths that git ignores in a folder. */
export interface IgnoreRules {
  /** Whether a path is ignored; its folder must not be. Relative to the root; ends in `/` for a folder. */
  ignores(path: string): boolean
  /** The rules of a folder that has a `.gitignore`. */
  within(folder: string, gitignore: string): IgnoreRules
}

/** Rules from outside of a folder that apply to it. */
export interface OuterRules {
  rules: IgnoreRules
  /** Folders of the files with these rules; the files need not exist. */
  folders: readonly string[]
}

const MAX_RULES_BYTES = 1024 * 1024
/** The matcher caches every path without a limit; a new one starts with an empty cache. */
const MAX_CACHED_PATHS = 1000

/** Reads the rules above a folder, up to the top of its repository; none outside of a repository. */
export async function readOuterRules(root: string): Promise<OuterRules> {
  const repository = await findRepository(root)
  if (repository === undefined) return {rules: createRules('', []), folders: []}
  const {top, info} = repository
  const folders = listFoldersAbove(root, top)
  const lines = rebase(await readRules(join(info, 'exclude')), '')
  for (const folder of folders) {
    lines.push(...rebase(await readRules(join(folder, '.gitignore')), toRelativePath(top, folder)))
  }
  const rules = createRules(toRelativePath(top, root), lines)
  // An ignored folder that was chosen as the root is watched.
  const isIgnored = top !== root && rules.ignores('')
  return {rules: isIgnored ? createRules('', []) : rules, folders: [info, ...folders]}
}

/** Reads a file of rules; empty when it cannot be read. */
export async function readRules(file: string | Buffer): Promise<string> {
  try {
    // Like git, do not follow links; and do not block on a pipe.
    const handle = await open(file, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
    try {
      const size = Math.min((await handle.stat()).size, MAX_RULES_BYTES)
      const {buffer, bytesRead} = await handle.read(Buffer.alloc(size), 0, size, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

// Not defined on Windows.
const {O_NOFOLLOW: NO_FOLLOW = 0, O_NONBLOCK: NO_WAIT = 0} = constants as Partial<typeof constants>

async function findRepository(root: string): Promise<{top: string; info: string} | undefined> {
  for (let top = root; ; top = dirname(top)) {
    const git = join(top, '.git')
    const stats = await lstat(git).catch(() => undefined)
    if (stats?.isDirectory()) return {top, info: join(git, 'info')}
    if (stats?.isFile()) return {top, info: join(await findGitFolder(top, git), 'info')}
    if (dirname(top) === top) return undefined
  }
}

/** In a worktree, `.git` is a file with the path of a folder, whose `commondir` is shared with other worktrees. */
async function findGitFolder(top: string, file: string): Promise<string> {
  const folder = resolve(top, /^gitdir: (.*)/.exec(await readRules(file))?.[1] ?? '.git')
  return resolve(folder, (await readRules(join(folder, 'commondir'))).trim())
}

/** From the top down, without the folder itself, whose rules `within` adds. */
function listFoldersAbove(root: string, top: string): string[] {
  const folders: string[] = []
  for (let folder = root; folder !== top;) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

function toRelativePath(top: string, folder: string): string {
  return relative(top, folder).split(sep).join('/')
}

/**
 * Creates rules from patterns.
 *
 * @param root - Path of the root, relative to the folder of the patterns.
 */
function createRules(root: string, patterns: readonly string[]): IgnoreRules {
  const all = createMatcher().add(patterns)
  const prefix = root === '' ? '' : `${root}/`
  let matcher = all
  let cachedCount = 0

  return {
    ignores(path) {
      if (patterns.length === 0) return false
      if (++cachedCount > MAX_CACHED_PATHS) {
        matcher = createMatcher().add(all)
        cachedCount = 0
      }
      try {
        return matcher.ignores(prefix + path)
      } catch {
        // The matcher rejects some patterns and names.
        return false
      }
    },
    within: (folder, gitignore) =>
      createRules(root, [
        ...patterns,
        ...rebase(gitignore, `${prefix}${folder}`.replace(/\/$/, '')),
      ]),
  }
}

function createMatcher(): ignore.Ignore {
  return ignore({ignorecase: process.platform === 'win32' || process.platform === 'darwin'})
}

/** Rewrites the patterns of a folder relative to the top, so that the last match decides, as in git. */
function rebase(text: string, folder: string): string[] {
  const base = folder.replace(/[\\*?[]/g, '\\$&')
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, not = '', pattern = ''] = /^(!?)(.*?)(?<!\\) *$/.exec(line) ?? []
      if (pattern === '' || pattern === '/' || line.startsWith('#')) return []
      if (base === '') return [not + pattern]
      const isAnchored = pattern.slice(0, -1).includes('/')
      const between = pattern.startsWith('/') ? '' : isAnchored ? '/' : '/**/'
      return [`${not}/${base}${between}${pattern}`]
    })
}
