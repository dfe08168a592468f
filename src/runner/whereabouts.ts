import {isAlive} from './process.ts'
import type {RunRecord} from './recording.ts'

/**
 * Whether a run is over, goes on with somebody looking after it, goes on without (`orphaned`), or ended with nobody there
 * to see (`unseen`).
 */
export type Whereabouts = 'over' | 'supervised' | 'orphaned' | 'unseen'

/** Where a run is, as of now. */
export function whereabouts({result, supervisor, process}: RunRecord): Whereabouts {
  if (result !== undefined) return 'over'
  if (isAlive(supervisor)) return 'supervised'
  return process !== undefined && isAlive(process) ? 'orphaned' : 'unseen'
}
