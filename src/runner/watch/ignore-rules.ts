import {constants, lstat, open} from 'node:fs/promises'
import {dirname, join, relative, resolve, sep} from 'node:path'
import ignore from 'ignore'

/** Knows what git ignores in a folder. */
export interface IgnoreRules {
  /** Whether a path is ignored, whose folder is not. It is relative to the root, and ends in `/` when it is a folder's. */
  ignores(path: string): boolean
  /** The rules in a folder that has a `.gitignore`. */
  within(folder: string, gitignore: string): IgnoreRules
}

/** What is said of a folder outside of it. */
export interface OuterRules {
  rules: IgnoreRules
  /** Where the files with these rules are, or would be. */
  folders: readonly string[]
}

const MOST_BYTES = 1024 * 1024
/** The matcher remembers each path that it was asked about; a new one does not. */
const MOST_REMEMBERED = 1000

/** Reads the rules above a folder, up to the top of its repository. Without a repository there are none. */
export async function readOuterRules(root: string): Promise<OuterRules> {
  const repository = await findRepository(root)
  if (repository === undefined) return {rules: createRules('', []), folders: []}
  const {top, info} = repository
  const folders = foldersAbove(root, top)
  const lines = rebase(await readRules(join(info, 'exclude')), '')
  for (const folder of folders) {
    lines.push(...rebase(await readRules(join(folder, '.gitignore')), pathBetween(top, folder)))
  }
  const rules = createRules(pathBetween(top, root), lines)
  // Whoever works in a folder that is ignored wants to know what happens there.
  const isIgnored = top !== root && rules.ignores('')
  return {rules: isIgnored ? createRules('', []) : rules, folders: [info, ...folders]}
}

/** Reads a file of rules; nothing when it cannot be read. */
export async function readRules(file: string | Buffer): Promise<string> {
  try {
    // Links are not followed, as in git, and a pipe must not hold us up.
    const handle = await open(file, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
    try {
      const size = Math.min((await handle.stat()).size, MOST_BYTES)
      const {buffer, bytesRead} = await handle.read(Buffer.alloc(size), 0, size, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

// Windows has none of these.
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

/** A worktree has a file that names a folder, which names the one that it shares with others. */
async function findGitFolder(top: string, file: string): Promise<string> {
  const folder = resolve(top, /^gitdir: (.*)/.exec(await readRules(file))?.[1] ?? '.git')
  return resolve(folder, (await readRules(join(folder, 'commondir'))).trim())
}

/** From the top down, without the folder itself: its own rules are within. */
function foldersAbove(root: string, top: string): string[] {
  const folders: string[] = []
  for (let folder = root; folder !== top;) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

function pathBetween(top: string, folder: string): string {
  return relative(top, folder).split(sep).join('/')
}

/**
 * Makes rules of patterns.
 *
 * @param root - Where the root is, seen from where the patterns are.
 */
function createRules(root: string, patterns: readonly string[]): IgnoreRules {
  const all = createMatcher().add(patterns)
  const prefix = root === '' ? '' : `${root}/`
  let matcher = all
  let remembered = 0

  return {
    ignores(path) {
      if (patterns.length === 0) return false
      if (++remembered > MOST_REMEMBERED) {
        matcher = createMatcher().add(all)
        remembered = 0
      }
      try {
        return matcher.ignores(prefix + path)
      } catch {
        // A pattern or a name that the matcher cannot do with.
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

/** Makes patterns of a folder patterns of the top, so that the last one that fits decides, as in git. */
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
