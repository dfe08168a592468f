import {DamageError} from './database.ts'

/** A number by which a text that is read is known to be the one that was written at this place. */
export function checksum(place: number, text: string): number {
  let sum = (0x811c9dc5 ^ place) | 0
  for (let at = 0; at < text.length; at++) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  }
  return sum
}

/** Gives the text when it is the one that was written. */
export function verified(place: number, text: unknown, sum: unknown): string {
  if (typeof text === 'string' && checksum(place, text) === sum) return text
  throw new DamageError('the data is not what was written')
}
