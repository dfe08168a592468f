import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pid as ownPid} from 'node:process'
import {isRecord} from '../core/wire/json.ts'
import {toProcessId, isAlive, type ProcessId} from '../recording/process-id.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'

/** Whoever claims a run may die before that is written down; so may whoever comes next. */
const MOST_HEIRS = 100

/**
 * Makes a run ours whose supervisor is gone. Of several who try at the same time one succeeds: it is the one that makes
 * the file that names the successor of the one who is gone.
 *
 * @param record - Is changed when the run is ours.
 */
export function takeOverRun(dir: string, record: RunRecord): boolean {
  let last = record.supervisor
  for (let heirs = 0; heirs < MOST_HEIRS; heirs++) {
    const path = join(dir, `after-${last.pid}-${last.startTime ?? 0}`)
    const self = toProcessId(ownPid)
    if (tryCreate(path, JSON.stringify(self))) {
      record.supervisor = self
      writeRunRecord(dir, record)
      return true
    }
    const heir = readHeir(path)
    if (heir === null || isAlive(heir)) return false
    last = heir
  }
  return false
}

function tryCreate(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, {flag: 'wx', mode: 0o600})
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Who has claimed it; `null` while that is being written. */
function readHeir(path: string): ProcessId | null {
  try {
    const heir: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(heir) && typeof heir['pid'] === 'number' ? (heir as unknown as ProcessId) : null
  } catch {
    return null
  }
}
