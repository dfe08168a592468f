/** @typedef {import('./run-case.js').Outcome} Outcome */

const NAME_WIDTH = 18
const VERDICT_WIDTH = 7

export function formatHeader() {
  return `${'case'.padEnd(NAME_WIDTH)}${''.padEnd(VERDICT_WIDTH)}tried; measured\n`
}

/** @param {Outcome} outcome */
export function formatRow({name, tried, measured, problems}) {
  const verdict = problems.length === 0 ? 'held' : 'BROKE'
  const indent = ' '.repeat(NAME_WIDTH + VERDICT_WIDTH)
  const lines = [tried, measured.join('; '), ...problems.map((problem) => `! ${problem}`)]
  return `${name.padEnd(NAME_WIDTH)}${verdict.padEnd(VERDICT_WIDTH)}${lines.join(`\n${indent}`)}\n`
}
