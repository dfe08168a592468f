import {randomBytes} from 'node:crypto'
import {fingerprint} from './sign.ts'
import type {Role} from './tokens.ts'

export interface LoginCodeOptions {
  /** How many can be open; the oldest is dropped first. @defaultValue 8 */
  maxOpen?: number | undefined
  now?: (() => number) | undefined
}

const LIFE_MS = 10 * 60_000

/** Creates codes for one login each; they are kept in memory, so none survives the hub. */
export function createLoginCodes({maxOpen = 8, now = Date.now}: LoginCodeOptions = {}) {
  // Looked up by fingerprint, so that the timing of a lookup reveals nothing about a code.
  const open = new Map<string, {role: Role; until: number}>()
  return {
    issue(role: Role): string {
      const code = randomBytes(24).toString('base64url')
      open.set(fingerprint(code), {role, until: now() + LIFE_MS})
      const [oldest] = open.keys()
      if (open.size > maxOpen && oldest !== undefined) open.delete(oldest)
      return code
    },
    /** Uses a code: returns its role, or `null` when the code is invalid or expired. */
    redeem(code: string): Role | null {
      const key = fingerprint(code.trim())
      const found = open.get(key)
      open.delete(key)
      return found !== undefined && now() < found.until ? found.role : null
    },
  }
}
