/** Why a run did not start. */
export type RunErrorCode =
  | 'no-command'
  | 'not-found'
  | 'not-executable'
  | 'cannot-record'
  | 'id-taken'
  | 'bad-id'
  | 'bad-json'
  | 'bad-options'
  | 'no-such-run'

/** A run that did not start: no agent was started and no recording is left. */
export class RunError extends Error {
  override name = 'RunError'
  readonly code: RunErrorCode

  constructor(code: RunErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
