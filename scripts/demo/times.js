// Times in the output of agents.

/** The start time of every story, which the demo replaces on replay. No other number in the output has these digits. */
export const ORIGIN = 1_000_000_000_000

/** Times as agents write them, but not as part of a name. */
export const TIME = /(?<![\w.-])(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|1[78]\d{11})(?![\w.])/g

/** @param {string} time */
export function parseTime(time) {
  return time.includes('T') ? Date.parse(time) : Number(time)
}
