/** Why a hub does not start. */
export type HubErrorCode =
  | 'already-running'
  | 'bad-address'
  | 'bad-claim-file'
  | 'bad-token-file'
  | 'half-tls'
  | 'not-loopback'

/** The hub cannot start; the message explains what to do. */
export class HubError extends Error {
  override name = 'HubError'
  readonly code: HubErrorCode

  constructor(code: HubErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
