/** Why a hub cannot start. */
export type HubErrorCode =
  | 'already-running'
  | 'bad-address'
  | 'bad-claim-file'
  | 'bad-token-file'
  | 'half-tls'
  | 'not-loopback'

/** A hub that cannot start; the message names the remedy. */
export class HubError extends Error {
  override name = 'HubError'
  readonly code: HubErrorCode

  constructor(code: HubErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
