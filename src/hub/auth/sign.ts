import {createHash, createHmac, timingSafeEqual} from 'node:crypto'

/** Signs a text; a signature for one purpose is invalid for another. */
export function sign(key: string, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`vitrine ${purpose}\0${text}`).digest('base64url')
}

/** The fingerprint of a secret, for lookups without storing the secret. */
export function fingerprint(secret: string): string {
  return digest(secret).toString('base64url')
}

/** Compares secrets in constant time, independent of their content and length. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
