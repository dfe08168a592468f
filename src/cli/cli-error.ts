import {describeMissingRun} from '../recording/list-runs.ts'

/** A mistake that the user can fix, reported on one line. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Creates the error for a run id that does not name one run. */
export function createNoSuchRunError(runId: string, dataDir?: string): CliError {
  return new CliError(describeMissingRun(runId, dataDir))
}
