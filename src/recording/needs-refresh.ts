import type {RunRecord} from './run-record.ts'
import {sizeOf} from './completeness.ts'

/**
 * Whether an interactive session may have changed without a hook: its transcript has new rows, or the process of a
 * command may have started that was waiting for permission.
 */
export function needsRefresh({session, result, host}: RunRecord): boolean {
  if (session === undefined || result !== undefined || host !== undefined) return false
  const {transcript, offset, requests} = session
  if (requests.some(({command}) => command !== undefined)) return true
  return transcript !== undefined && sizeOf(transcript) > offset
}
