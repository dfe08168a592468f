import {statSync} from 'node:fs'
import {resolve} from 'node:path'
import {findRun} from '../recording/list-runs.ts'
import {recordingAt} from '../recording/recording.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {CliError, createNoSuchRunError} from './cli-error.ts'

/** What an agent printed, and what is known of it besides. */
export interface FoundRecording {
  /** The file with what it printed. */
  stdout: string
  /** The folder of the recording; `undefined` for a file that is none. */
  dir?: string | undefined
  record: RunRecord | null
}

/** Finds a recording by the name of a file, of a folder, or of a run. */
export function findRecording(name: string, dataDir: string | undefined): FoundRecording {
  const stats = statSync(name, {throwIfNoEntry: false})
  if (stats === undefined) {
    const run = findRun(name, dataDir)
    if (run !== null) return {stdout: recordingAt(run.dir).stdout, ...run}
    if (/^[0-9a-f]{4,}$/.test(name)) throw createNoSuchRunError(name)
    throw new CliError(`${name}: no such file, folder or run. Recordings: vitrine runs`)
  }
  if (!stats.isDirectory()) return {stdout: name, record: null}
  const dir = resolve(name)
  const {stdout} = recordingAt(dir)
  if (statSync(stdout, {throwIfNoEntry: false})?.isFile() !== true) {
    throw new CliError(`${name}: is a folder, but not that of a recording: it has no file stdout`)
  }
  return {stdout, dir, record: readRunRecord(dir)}
}
