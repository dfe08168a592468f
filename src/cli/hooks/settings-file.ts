import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  constants,
} from 'node:fs'
import {homedir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import {CliError} from '../cli-error.ts'

/** Which settings of Claude Code are meant. */
export interface SettingsChoice {
  project?: true
  local?: true
  settings?: string
}

/** Where the settings are: of the user, unless told otherwise. */
export function settingsPath({project, local, settings}: SettingsChoice): string {
  if ([project, local, settings].filter((choice) => choice !== undefined).length > 1) {
    throw new CliError('--project, --local and --settings: choose one')
  }
  if (settings !== undefined) return resolve(settings)
  if (project === true) return resolve('.claude', 'settings.json')
  if (local === true) return resolve('.claude', 'settings.local.json')
  const {CLAUDE_CONFIG_DIR = ''} = process.env
  return join(CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'settings.json')
}

/** What is in the settings; `null` when there are none. */
export function readSettings(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new CliError(`${path}: ${WORDS[code ?? ''] ?? message}`)
  }
}

/** Writes the settings, whole at any moment, with the mode that they have. */
export function writeSettings(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), {recursive: true})
    const before = statSync(path, {throwIfNoEntry: false})
    // People keep their settings elsewhere, with a link to them.
    const target = before === undefined ? path : realpathSync(path)
    const fresh = `${target}.${process.pid}.new`
    try {
      writeFileSync(fresh, content, {flag: 'wx'})
      if (before !== undefined) chmodSync(fresh, before.mode & 0o7777)
      renameSync(fresh, target)
    } catch (error) {
      rmSync(fresh, {force: true})
      throw error
    }
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    throw new CliError(`${path}: ${WORDS[code ?? ''] ?? message}. Nothing was changed`)
  }
}

/** Removes settings in which nothing is left. */
export function removeSettings(path: string): void {
  try {
    rmSync(path)
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException
    throw new CliError(`${path}: ${WORDS[code ?? ''] ?? message}. Nothing was changed`)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'is a folder',
  ENOTDIR: 'a file is in the way',
  ENOSPC: 'no space left',
}

const SUFFIX = '.before-vitrine'

/** Keeps the settings as they are in a file beside them, unless one has the same already; gives its path. */
export function backUp(path: string, content: string): string {
  const same = listBackups(path).find((backup) => backup.content === content)
  if (same !== undefined) return same.path
  for (let number = 1; ; number++) {
    const backup = `${path}${SUFFIX}${number === 1 ? '' : `-${number}`}`
    try {
      copyFileSync(path, backup, constants.COPYFILE_EXCL)
      return backup
    } catch (error) {
      const {code, message} = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CliError(`${backup}: ${WORDS[code ?? ''] ?? message}. Nothing was changed`)
    }
  }
}

/** The backups of settings, with what is in them. */
export function listBackups(path: string): {path: string; content: string}[] {
  const start = `${basename(path)}${SUFFIX}`
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(start))
      .map((name) => join(dirname(path), name))
      .map((backup) => ({path: backup, content: readFileSync(backup, 'utf8')}))
  } catch {
    return []
  }
}
