import {findProcessesOfRunCached, isAlive, toProcessId, type ProcessId} from './process-id.ts'
import type {RunRecord} from './run-record.ts'

/**
 * - `ended`: the recording has a result, or is a copy of a session, which nothing supervises.
 * - `supervised`: a live process supervises the run.
 * - `orphaned`: the agent runs, its supervisor does not.
 * - `unknown`: neither runs and there is no result, so how the run ended was not observed.
 * - `remote`: the run is on another machine, whose processes cannot be checked from here.
 */
export type Supervision = 'ended' | 'supervised' | 'orphaned' | 'unknown' | 'remote'

/** Whether a run is supervised now. */
export function supervisionOf(record: RunRecord): Supervision {
  if (record.result !== undefined || record.isTranscript === true) return 'ended'
  if (record.host !== undefined) return 'remote'
  if (isAlive(record.supervisor)) return 'supervised'
  const process = findAgentProcess(record)
  return process !== undefined && isAlive(process) ? 'orphaned' : 'unknown'
}

/** The agent's process: as recorded or, when the supervisor was killed before it recorded one, by its marker. */
export function findAgentProcess({process, marker}: RunRecord): ProcessId | undefined {
  if (process !== undefined) return process
  const [pid] = findProcessesOfRunCached(marker)
  return pid === undefined ? undefined : toProcessId(pid)
}
