import type {SearchEntry, SearchMoment} from '../hub/history-api.ts'
import {pathOfRun} from '../shell/router.ts'

/** The path of a run that opens it at a match. */
export function pathOfMoment({runId}: SearchEntry, {at, role}: SearchMoment): string {
  return pathOfRun(runId, {near: String(at), role})
}
