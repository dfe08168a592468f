import {findMarkedRecently, identify, isAlive, type ProcessId} from './process-id.ts'
import type {RunRecord} from './run-record.ts'

/**
 * Whether a run is over, goes on with somebody looking after it, goes on without (`orphaned`), or ended with nobody there
 * to see (`unseen`). What runs on another machine is `elsewhere`: nobody here can tell.
 */
export type Whereabouts = 'over' | 'supervised' | 'orphaned' | 'unseen' | 'elsewhere'

/** Where a run is, as of now. */
export function whereabouts(record: RunRecord): Whereabouts {
  if (record.result !== undefined) return 'over'
  if (record.host !== undefined) return 'elsewhere'
  if (isAlive(record.supervisor)) return 'supervised'
  const process = findProcess(record)
  return process !== undefined && isAlive(process) ? 'orphaned' : 'unseen'
}

/** The agent's process: as it was written down or, if there was no time for that, by its marker. */
export function findProcess({process, marker}: RunRecord): ProcessId | undefined {
  if (process !== undefined) return process
  const [pid] = findMarkedRecently(marker)
  return pid === undefined ? undefined : identify(pid)
}
