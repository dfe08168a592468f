import {
  chmodSync,
  copyFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  constants,
} from 'node:fs'
import {homedir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import {attempt} from '../recording/attempt.ts'
import {describeErrno, errnoOf} from '../recording/describe-errno.ts'
import {makeFolder} from '../recording/make-folder.ts'
import {writeAtomic} from '../recording/write-atomic.ts'

/** A settings file that cannot be read or changed without loss. */
class SettingsError extends Error {
  override name = 'SettingsError'
  /** Exit code for a usage error. */
  readonly exitCode = 2
}

export interface SettingsChoice {
  project?: true
  local?: true
  settings?: string
}

/** Resolves the path of the settings; of the user by default. */
export function settingsPath({project, local, settings}: SettingsChoice): string {
  if ([project, local, settings].filter((choice) => choice !== undefined).length > 1) {
    throw new SettingsError('--project, --local and --settings: choose one')
  }
  if (settings !== undefined) return resolve(settings)
  if (project === true) return resolve('.claude', 'settings.json')
  if (local === true) return resolve('.claude', 'settings.local.json')
  const {CLAUDE_CONFIG_DIR = ''} = process.env
  return join(CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'settings.json')
}

export interface SettingsText {
  /** The byte order mark, or an empty string. */
  mark: string
  text: string
}

const BYTE_ORDER_MARK = '\ufeff'
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Reads the settings; `null` when the file does not exist.
 *
 * @throws SettingsError when the file cannot be changed without loss.
 */
export function readSettings(path: string): SettingsText | null {
  try {
    const stats = statSync(path, {throwIfNoEntry: false})
    if (stats === undefined) return refuseDanglingLink(path)
    if (stats.isDirectory()) throw new SettingsError(`${path}: is a folder`)
    if (!stats.isFile()) throw new SettingsError(`${path}: is not a regular file`)
    if (stats.size > MAX_BYTES) throw new SettingsError(`${path}: is larger than 16 MiB`)
    return decode(path, readFileSync(path))
  } catch (error) {
    throw error instanceof SettingsError ? error : new SettingsError(describeErrno(error, path))
  }
}

/** Writing to the path would replace the link. */
function refuseDanglingLink(path: string): null {
  if (lstatSync(path, {throwIfNoEntry: false}) === undefined) return null
  const target = readlinkSync(path)
  throw new SettingsError(
    `${path}: is a link to ${target}, which does not exist. Create that file first`,
  )
}

function decode(path: string, bytes: Uint8Array): SettingsText {
  try {
    const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
    return text.startsWith(BYTE_ORDER_MARK)
      ? {mark: BYTE_ORDER_MARK, text: text.slice(1)}
      : {mark: '', text}
  } catch {
    throw new SettingsError(`${path}: not UTF-8. Nothing was changed`)
  }
}

/** Refuses a read-only file, which an atomic replace would overwrite. */
export function refuseReadOnly(path: string): void {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats === undefined || (stats.mode & 0o222) !== 0) return
  throw new SettingsError(`${path}: is read-only. Nothing was changed. Try chmod u+w first`)
}

/** Writes the settings atomically and keeps the file mode. */
export function writeSettings(path: string, {mark, text}: SettingsText): void {
  try {
    makeFolder(dirname(path), 0o777)
    const before = statSync(path, {throwIfNoEntry: false})
    if (before === undefined) return writeAtomic(path, mark + text, {mode: 0o666})
    // If the path is a link, its target is replaced.
    const target = realpathSync(path)
    const mode = before.mode & 0o7777
    writeAtomic(target, mark + text, {mode})
    // The umask may have cleared some bits.
    chmodSync(target, mode)
  } catch (error) {
    throw createUnchangedError(error, path)
  }
}

export function removeSettings(path: string): void {
  try {
    rmSync(path)
  } catch (error) {
    throw createUnchangedError(error, path)
  }
}

function createUnchangedError(error: unknown, path: string): SettingsError {
  return new SettingsError(`${describeErrno(error, path)}. Nothing was changed`)
}

const BACKUP_SUFFIX = '.before-vitrine'

/** Copies the settings to a backup beside them, unless an equal one exists; returns its path. */
export function backUp(path: string, {mark, text}: SettingsText): string {
  const same = listBackups(path).find(({content}) => content.mark + content.text === mark + text)
  if (same !== undefined) return same.path
  for (let number = 1; ; number++) {
    const backup = `${path}${BACKUP_SUFFIX}${number === 1 ? '' : `-${number}`}`
    try {
      copyFileSync(path, backup, constants.COPYFILE_EXCL)
      return backup
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw createUnchangedError(error, backup)
    }
  }
}

/** Lists the readable backups of the settings. */
export function listBackups(path: string): {path: string; content: SettingsText}[] {
  const start = `${basename(path)}${BACKUP_SUFFIX}`
  const names = attempt(() => readdirSync(dirname(path))) ?? []
  return names
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const backup = join(dirname(path), name)
      const content = attempt(() => readSettings(backup))
      return content ? [{path: backup, content}] : []
    })
}
