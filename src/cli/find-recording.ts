import {statSync} from 'node:fs'
import {resolve} from 'node:path'
import {detectAgent} from '../agents/detect-agent.ts'
import {findAgent} from '../agents/find-agent.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {describeMissingRun, findRun, type RecordedRun} from '../recording/list-runs.ts'
import {readBytes} from '../recording/read/byte-source.ts'
import {recordingAt} from '../recording/recording.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {CliError} from './cli-error.ts'
import {requireAgent} from './agent-names.ts'

/** Finds a run by its id or the start of it, and fails without one. */
export function requireRun(id: string, dataDir: string | undefined): RecordedRun {
  const run = findRun(id, dataDir)
  if (run !== null) return run
  throw new CliError(describeMissingRun(id, dataDir))
}

/** Whether a name that is not a file looks like the id of a run. */
export function isRunId(name: string): boolean {
  return /^[0-9a-f]{4,}$/.test(name)
}

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
    const run = isRunId(name) ? requireRun(name, dataDir) : findRun(name, dataDir)
    if (run !== null) return {stdout: recordingAt(run.dir).stdout, ...run}
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

/** The agent is detected from this much of the output. */
const HEAD_BYTES = 1024 * 1024

/** Finds the agent of a recording by `--agent`, its record or its output; `null` when it is unknown. */
export function findRecordingAgent(
  {stdout, record}: FoundRecording,
  agentName: string | undefined,
): Adapter | null {
  if (agentName !== undefined) return requireAgent(agentName)
  const head = () => readBytes(stdout, 0, HEAD_BYTES).toString('utf8')
  return findAgent(record?.agent ?? '') ?? findAgent(detectAgent(head()) ?? '')
}
