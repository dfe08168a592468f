import {DamageError} from './database.ts'

/** A number of 32 bits that is another for nearly every other text, and with every other seed. */
export function hash(seed: number, text: string): number {
  let sum = (0x811c9dc5 ^ seed) | 0
  for (let at = 0; at < text.length; at++) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  }
  return sum
}

/** Gives the text when it is the one that was written at this place. */
export function verified(place: number, text: unknown, sum: unknown): string {
  if (typeof text === 'string' && hash(place, text) === sum) return text
  throw new DamageError('the data is not what was written')
}
