import {randomBytes} from 'node:crypto'
import {fingerprint} from './sign.ts'
import type {Role} from './tokens.ts'

/** How login codes are given out. */
export interface LoginCodeOptions {
  /** @defaultValue 10 minutes */
  lifeMs?: number | undefined
  /** How many can be open; the oldest goes first. @defaultValue 8 */
  most?: number | undefined
  now?: (() => number) | undefined
}

/** Codes that are good for one login each. */
export interface LoginCodes {
  /** A new code, for a login with this role. */
  issue: (role: Role) => string
  /** Uses a code up: the role it was for, or `null` when there is no such code, or no longer. */
  redeem: (code: string) => Role | null
}

/** Gives out login codes; they live in memory, so none outlives the hub. */
export function createLoginCodes(options: LoginCodeOptions = {}): LoginCodes {
  const {lifeMs = 10 * 60_000, most = 8, now = Date.now} = options
  // Looked up by fingerprint, so that the time of a look-up tells nothing of a code.
  const open = new Map<string, {role: Role; until: number}>()
  return {
    issue(role) {
      const code = randomBytes(24).toString('base64url')
      open.set(fingerprint(code), {role, until: now() + lifeMs})
      const [oldest] = open.keys()
      if (open.size > most && oldest !== undefined) open.delete(oldest)
      return code
    },
    redeem(code) {
      const key = fingerprint(code.trim())
      const found = open.get(key)
      open.delete(key)
      return found !== undefined && now() < found.until ? found.role : null
    },
  }
}
