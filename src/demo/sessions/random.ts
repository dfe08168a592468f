/** Values that are the same in every demo. */
export interface Random {
  /** A whole number from `min` to `max`. */
  integer(min: number, max: number): number
  /** Whether something happens that has this probability. */
  happens(probability: number): boolean
  /** An item of a list that is not empty. */
  pick<T>(items: readonly T[]): T
  /** Hexadecimal digits. */
  hex(length: number): string
  uuid(): string
  /** An id that begins with a time, as Codex and Pi use it. */
  timedUuid(at: number): string
}

/** Creates a generator of random values (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  return {
    integer,
    happens: (probability) => next() < probability,
    pick,
    hex,
    uuid: () => toUuid(`${hex(12)}4${hex(3)}a${hex(15)}`),
    timedUuid: (at) => toUuid(`${at.toString(16).padStart(12, '0')}7${hex(3)}b${hex(15)}`),
  }

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function integer(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1))
  }

  function pick<T>(items: readonly T[]): T {
    const item = items[integer(0, items.length - 1)]
    if (item === undefined) throw new Error('the list is empty')
    return item
  }

  function hex(length: number): string {
    let digits = ''
    while (digits.length < length) digits += integer(0, 0xffffff).toString(16).padStart(6, '0')
    return digits.slice(0, length)
  }
}

function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
