// The page with the results of the last full run.

import {readFileSync} from 'node:fs'
import {cpus, release, type} from 'node:os'

/** @import {Case} from './case.js' */
/** @import {Program} from './programs.js' */

/**
 * @typedef {object} Outcome
 * @property {Program} program
 * @property {Case} tried
 * @property {string[]} problems
 */

/** @typedef {{program: Program, recorded: number, bytes: number, isCut: boolean}} PipeOutcome */

const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/**
 * @param {object} all
 * @param {Outcome[]} all.outcomes
 * @param {PipeOutcome[]} all.pipes
 * @param {readonly Program[]} all.programs
 * @param {readonly Case[]} all.cases
 * @param {boolean} all.isAlone
 * @param {boolean} all.isTraced
 */
export function toPage({outcomes, pipes, programs, cases, isAlone, isTraced}) {
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${type()} ${release().split('-')[0]}, ${cpus().length} cores, Node ${process.versions.node}`
  const failed = outcomes.filter(({problems}) => problems.length > 0)
  return `# Compatibility

Written by \`npm run test:agents\` on ${date} with Vitrine ${version}: ${machine}. Do not edit: run it again.

The real programs, from npm at these versions, run through \`vitrine run\` and are observed through the hub. Only the model is scripted: a server on
loopback with the Messages API of Anthropic, the Responses and Chat Completions APIs of OpenAI, and the API of Gemini. Each run has an empty home and fake
keys${isAlone ? ', and no network but loopback' : ''}.

${outcomes.length} runs, ${failed.length} failed. ✓ passed, ✗ failed, – not supported by the agent in this configuration.

${toTable([
  ['', ...programs.map(({title}) => title)],
  ['', ...programs.map((program) => program.version)],
  ...cases.map((tried) => [
    tried.title,
    ...programs.map((program) => toMark(outcomes, program, tried)),
  ]),
])}

Checked in every run: the verdict and the exit code; no malformed line, no unknown event; the messages of the hub, numbered from 1 without a hole, from
\`run_started\` to \`run_ended\` with the same verdict; the bytes that the hub serves equal the recording. ${isTraced ? TRACED : ''}
In runs that succeed: the tokens equal those that the model reported, where the agent reports any, and so does the cost; for Claude 2.1 also the estimate
before the cost is reported. Claude 2.0 sends requests of its own to the model, which are in its figures and not in its stream.

Also checked, per row:

${toTable([['case', 'checks'], ...cases.map(({title, about}) => [title, about])])}
${pipes.length === 0 ? '' : toPipes(pipes)}${failed.length === 0 ? '' : toProblems(failed)}`
}

const TRACED =
  'The recording equals, byte for byte, what the program wrote according to `strace`, except in cases that terminate the agent or leave processes behind.'

/** @param {PipeOutcome[]} pipes */
function toPipes(pipes) {
  const rows = pipes.map(({program, recorded, bytes, isCut}) => [
    `${program.title} ${program.version}`,
    count(recorded),
    count(bytes),
    isCut ? 'truncated' : 'complete',
  ])
  return `
## Through a pipe

The run with the line of 1.6 MB, once through \`vitrine run\`, whose recording is a file that the agent writes to, and once through a pipe to a program
that takes two milliseconds per chunk. Truncated output ends in the middle of a line, without the result.

${toTable([['', 'bytes with `vitrine run`', 'bytes through a pipe', ''], ...rows])}
`
}

/** @param {Outcome[]} failed */
function toProblems(failed) {
  const lines = failed.flatMap(({program, tried, problems}) => [
    `- ${program.title} ${program.version}, ${tried.title}`,
    ...problems.map((problem) => `  - ${problem.replaceAll('\n', ' ').slice(0, 300)}`),
  ])
  return `\n## Failures\n\n${lines.join('\n')}\n`
}

/**
 * @param {Outcome[]} outcomes
 * @param {Program} program
 * @param {Case} tried
 */
function toMark(outcomes, program, tried) {
  const outcome = outcomes.find((one) => one.program === program && one.tried === tried)
  if (outcome === undefined) return '–'
  return outcome.problems.length === 0 ? '✓' : '✗'
}

/** @param {number} bytes */
function count(bytes) {
  return bytes.toLocaleString('en-US')
}

/** A table, its columns as wide as they need to be. @param {string[][]} rows */
function toTable(rows) {
  const [head = [], ...rest] = rows
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const toRow = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [toRow(head), rule, ...rest.map(toRow)].join('\n')
}
