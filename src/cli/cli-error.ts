/** An error that the user can fix, printed in one line. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** No recording has this name. */
export function notHere(runId: string): CliError {
  return new CliError(`run ${runId} is not here. Recordings: vitrine runs`)
}
