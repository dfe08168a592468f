import {DamageError} from './database.ts'

/** A 32-bit checksum of a text and a seed. */
export function hash(seed: number, text: string): number {
  let sum = (0x811c9dc5 ^ seed) | 0
  for (let at = 0; at < text.length; at++) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  }
  return sum
}

/** Returns the text if its checksum matches. */
export function verified(place: number, text: unknown, sum: unknown): string {
  if (typeof text === 'string' && hash(place, text) === sum) return text
  throw new DamageError('the data is not what was written')
}
