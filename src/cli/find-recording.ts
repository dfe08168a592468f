import {statSync} from 'node:fs'
import {resolve} from 'node:path'
import {findRun} from '../recording/list-runs.ts'
import {recordingAt} from '../recording/recording.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {CliError, createNoSuchRunError} from './cli-error.ts'

/** The output of an agent and its run record, if there is one. */
export interface FoundRecording {
  /** The file with the output. */
  stdout: string
  /** The directory of the recording; `undefined` for a single file. */
  dir?: string | undefined
  record: RunRecord | null
}

/** Finds a recording by file, directory or run id. */
export function findRecording(name: string, dataDir: string | undefined): FoundRecording {
  const stats = statSync(name, {throwIfNoEntry: false})
  if (stats === undefined) {
    const run = findRun(name, dataDir)
    if (run !== null) return {stdout: recordingAt(run.dir).stdout, ...run}
    if (/^[0-9a-f]{4,}$/.test(name)) throw createNoSuchRunError(name, dataDir)
    throw new CliError(`${name}: no such file, directory or run. List runs with: vitrine runs`)
  }
  if (!stats.isDirectory()) return {stdout: name, record: null}
  const dir = resolve(name)
  const {stdout} = recordingAt(dir)
  if (statSync(stdout, {throwIfNoEntry: false})?.isFile() !== true) {
    throw new CliError(`${name}: this directory is not a recording: it has no file stdout`)
  }
  return {stdout, dir, record: readRunRecord(dir)}
}
