import type {FileAction} from '../core/events/events.ts'
import {isRecord, parseText, type JsonObject} from '../core/wire/json.ts'
import {readLines} from './timing.ts'

/** A change of a file that was observed on disk during a run. */
export interface RecordedChange {
  path: string
  action: FileAction
  sizeBytes?: number | undefined
  /** Whether another run may have made it: one was active in the same folder, and no tool of this run reported it. */
  isUncertain?: boolean | undefined
}

/** Parses a line of `files.ndjson`; `undefined` when it is malformed. */
export function parseFileChange(line: string): RecordedChange | undefined {
  const value = parseText(line)
  const {path, action, sizeBytes, isUncertain}: JsonObject = isRecord(value) ? value : {}
  if (typeof path !== 'string' || !isAction(action)) return undefined
  const change: RecordedChange = {path, action}
  if (typeof sizeBytes === 'number') change.sizeBytes = sizeBytes
  if (isUncertain === true) change.isUncertain = true
  return change
}

/** Reads all changes that were recorded so far. */
export function readFileChanges(file: string): RecordedChange[] {
  return readLines(file).flatMap((line) => parseFileChange(line) ?? [])
}

function isAction(word: unknown): word is FileAction {
  return word === 'created' || word === 'modified' || word === 'deleted'
}
