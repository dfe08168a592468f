import {existsSync, readdirSync, rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {attempt} from './attempt.ts'
import {type RunRecord} from './run-record.ts'
import {readRunRecord} from './run-record-file.ts'
import {defaultDataDir, RUN_NAME} from './recording.ts'

/** A run with its record and the directory of its recording. */
export interface RecordedRun {
  dir: string
  record: RunRecord
}

/** All runs in a data folder, the newest first. */
export function listRuns(dataDir: string = defaultDataDir()): RecordedRun[] {
  return [...readRuns(dataDir)].toSorted(
    (one, other) => other.record.startedAt - one.record.startedAt,
  )
}

/**
 * All runs in a data folder, one at a time and unordered: thousands of records at once need much memory.
 *
 * @param findKnown - Returns a run that need not be read again.
 */
export function* readRuns(
  dataDir: string = defaultDataDir(),
  findKnown: (name: string) => RecordedRun | undefined = () => undefined,
): Generator<RecordedRun> {
  const runs = join(resolve(dataDir), 'runs')
  for (const name of listFolders(runs)) {
    const known = findKnown(name)
    if (known !== undefined) {
      yield known
      continue
    }
    const dir = `${runs}/${name}`
    const record = readRunRecord(dir)
    if (record !== null) yield {dir, record}
  }
}

/** The run with this id, or the only one whose id starts with it; `null` when there is none. */
export function findRun(id: string, dataDir: string = defaultDataDir()): RecordedRun | null {
  if (!RUN_NAME.test(id)) return null
  const runs = join(resolve(dataDir), 'runs')
  const isExact = existsSync(join(runs, id))
  const matches = isExact ? [id] : listFolders(runs).filter((name) => name.startsWith(id))
  const [name] = matches
  if (name === undefined || matches.length > 1) return null
  const dir = join(runs, name)
  const record = readRunRecord(dir)
  return record === null ? null : {dir, record}
}

/** The recording directory of a run, or of the copy of a session. */
export function findRecordingDir(dataDir: string, runId: string): string {
  const dir = join(dataDir, 'runs', runId)
  const copy = join(dataDir, 'transcripts', runId)
  return !existsSync(dir) && existsSync(copy) ? copy : dir
}

/** Explains why {@link findRun} found nothing. */
export function describeMissingRun(id: string, dataDir: string = defaultDataDir()): string {
  const names = listFolders(join(resolve(dataDir), 'runs'))
  const matches = id === '' ? [] : names.filter((name) => name.startsWith(id)).toSorted()
  if (matches.length < 2) return `run ${id} does not exist. List runs with: vitrine runs`
  const shown = matches.slice(0, MAX_SHOWN_IDS).join(', ')
  const more = matches.length > MAX_SHOWN_IDS ? ', …' : ''
  return `run id ${id} is ambiguous: it matches ${shown}${more}. Give more characters of the id`
}

const MAX_SHOWN_IDS = 5

/** Finds a recording whose record is missing or unreadable; `null` when there is none. */
export function findUnreadableRun(
  id: string,
  dataDir: string = defaultDataDir(),
): {dir: string} | null {
  const runs = join(resolve(dataDir), 'runs')
  const dir = join(runs, id)
  return listFolders(runs).includes(id) && readRunRecord(dir) === null ? {dir} : null
}

/** Removes a recording. */
export function removeRun({dir}: {dir: string}): void {
  // Without run.json the run is gone, even if removing the rest fails.
  rmSync(join(dir, 'run.json'), {force: true})
  rmSync(dir, {recursive: true, force: true})
}

function listFolders(path: string): string[] {
  return (attempt(() => readdirSync(path)) ?? []).filter((name) => RUN_NAME.test(name))
}
