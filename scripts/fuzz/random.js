/**
 * Pseudo-random numbers, the same for the same seed.
 *
 * @typedef {object} Random
 * @property {() => number} next From 0 inclusive to 1 exclusive.
 * @property {(count: number) => number} below An integer from 0 to `count - 1`.
 * @property {(share: number) => boolean} chance
 * @property {<T>(list: ArrayLike<T>) => T} pick
 */

/**
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed | 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (/** @type {number} */ count) => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick(list) {
      if (list.length === 0) throw new RangeError('pick needs a list that is not empty')
      return /** @type {any} */ (list[below(list.length)])
    },
  }
}
