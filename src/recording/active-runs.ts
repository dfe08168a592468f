import {readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {basename, dirname, join, sep} from 'node:path'
import {isRecord} from '../core/wire/json.ts'
import {attempt} from './attempt.ts'
import {isAlive, type ProcessId} from './process-id.ts'
import {isProcessId} from './normalize-run-record.ts'
import {makeFolder} from './make-folder.ts'
import {PRIVATE_FILE_MODE} from './private-mode.ts'

/** A run that may change files at the moment. */
interface ActiveRun {
  /** Its working folder, with symbolic links resolved. */
  cwd: string
  /** The agent and its supervisor: the run is active while one of them is alive. */
  processes: ProcessId[]
}

/**
 * Marks a run as active, for other runs in the same folder: reading all recordings would take too long. No run depends
 * on these marks.
 */
export function markActive(dir: string, {cwd, processes}: ActiveRun): void {
  attempt(() => {
    const path = activeFileOf(dir)
    makeFolder(dirname(path))
    writeFileSync(path, JSON.stringify({cwd: resolveLinks(cwd), processes}), {
      mode: PRIVATE_FILE_MODE,
    })
  })
}

/** Removes the mark of a run that has ended. */
export function clearActive(dir: string): void {
  attempt(() => rmSync(activeFileOf(dir), {force: true}))
}

/** A burst of changes is checked once. */
const MAX_AGE_MS = 250

/**
 * Creates a check whether another run is active in the working directory of a run, in a parent or in a subdirectory of
 * it. If so, the other run may have made a change on disk.
 *
 * @param now - A monotonic clock, in milliseconds.
 */
export function createOverlapCheck(
  dir: string,
  cwd: string,
  now: () => number = () => performance.now(),
): () => boolean {
  const own = resolveLinks(cwd)
  let checkedAt = Number.NEGATIVE_INFINITY
  let hasOverlap = false
  return () => {
    if (now() - checkedAt >= MAX_AGE_MS) {
      hasOverlap = listOtherFolders(dir).some(
        (other) => isWithin(own, other) || isWithin(other, own),
      )
      checkedAt = now()
    }
    return hasOverlap
  }
}

/** The folders of all other active runs. */
function listOtherFolders(dir: string): string[] {
  const folder = dirname(activeFileOf(dir))
  const names = attempt(() => readdirSync(folder)) ?? []
  return names.flatMap((name) => {
    if (name === basename(dir)) return []
    const path = join(folder, name)
    const run = readActiveRun(path)
    if (run === undefined) return []
    if (run.processes.some((process) => isAlive(process))) return [run.cwd]
    // The run was killed.
    attempt(() => rmSync(path, {force: true}))
    return []
  })
}

function readActiveRun(path: string): ActiveRun | undefined {
  const value = attempt((): unknown => JSON.parse(readFileSync(path, 'utf8')))
  if (!isRecord(value)) return undefined
  const {cwd, processes} = value
  if (typeof cwd !== 'string' || !Array.isArray(processes)) return undefined
  return {cwd, processes: processes.filter(isProcessId)}
}

function activeFileOf(dir: string): string {
  return join(dir, '..', '..', 'active', basename(dir))
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Resolves symbolic links; returns the path itself when it cannot be resolved. */
export function resolveLinks(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? path
}
