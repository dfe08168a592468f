import {join} from 'node:path'
import {pid as ownPid} from 'node:process'
import {tryLock} from '../recording/lock.ts'
import {toProcessId} from '../recording/process-id.ts'
import {readRunRecord, writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {supervisionOf} from '../recording/supervision.ts'

/**
 * Makes this process the supervisor of a run whose supervisor has died. If several processes try at the same time,
 * one succeeds: `run.json` is read again and written under a lock.
 *
 * @param record - Updated when this process becomes the supervisor.
 */
export function takeOverRun(dir: string, record: RunRecord): boolean {
  if (!isAbandoned(record)) return false
  const lock = tryLock(join(dir, 'takeover.lock'))
  if (lock === null) return false
  try {
    const current = readRunRecord(dir)
    if (current === null || !isAbandoned(current)) return false
    writeRunRecord(dir, Object.assign(record, current, {supervisor: toProcessId(ownPid)}))
    return true
  } finally {
    lock.release()
  }
}

/** Whether a run of this machine has no supervisor and no result. */
function isAbandoned(record: RunRecord): boolean {
  const supervision = supervisionOf(record)
  return supervision === 'orphaned' || supervision === 'unknown'
}
