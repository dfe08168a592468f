import type {RunRecord} from './run-record.ts'
import {sizeOf} from './completeness.ts'

/**
 * Whether there may be news of an interactive session that no hook reports: rows of its transcript, or the process of a
 * command that it had asked about.
 */
export function needsRefresh({session, result, host}: RunRecord): boolean {
  if (session === undefined || result !== undefined || host !== undefined) return false
  const {transcript, offset, requests} = session
  if (requests.some(({command}) => command !== undefined)) return true
  return transcript !== undefined && sizeOf(transcript) > offset
}
