import {createHash, createHmac, timingSafeEqual} from 'node:crypto'

/** Signs a text; a signature made for one purpose is none for another. */
export function sign(key: string, purpose: string, text: string): string {
  return createHmac('sha256', key).update(`vitrine ${purpose}\0${text}`).digest('base64url')
}

/** The fingerprint of a secret, by which it can be looked up without being kept. */
export function fingerprint(secret: string): string {
  return digest(secret).toString('base64url')
}

/** Compares secrets in a time that tells nothing of where they differ, nor of their length. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
