// Times in what agents print, and where they are put.

/** The time at which every story begins; whoever tells it puts another in its place. It has digits that nothing else has. */
export const ORIGIN = 1_000_000_000_000

/** Times as agents write them; not those that are a part of a name. */
export const TIME = /(?<![\w.-])(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|1[78]\d{11})(?![\w.])/g

/**
 * Reads a time as agents write it.
 *
 * @param {string} time
 */
export function toMs(time) {
  return time.includes('T') ? Date.parse(time) : Number(time)
}
