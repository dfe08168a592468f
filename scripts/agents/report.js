// The page about what works with which agent, as it was last tried.

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

The real programs, from npm at these versions, ran through \`vitrine run\` and were watched through the hub. Only the model was scripted: a
server on loopback that speaks the Messages API of Anthropic, Responses and Chat Completions of OpenAI, and the API of Gemini. Each run had an empty
home, keys that open nothing${isAlone ? ', and no network but loopback' : ''}.

${outcomes.length} runs, ${failed.length} not as they should be. ✓ as it should be, ✗ not, – the agent has no such thing, as it is set up here.

${toTable([
  ['', ...programs.map(({title}) => title)],
  ['', ...programs.map((program) => program.version)],
  ...cases.map((tried) => [
    tried.title,
    ...programs.map((program) => toMark(outcomes, program, tried)),
  ]),
])}

Checked in every run: the verdict and the exit code; no line malformed, no event unknown to this version; the messages of the hub, numbered from 1 without a hole, from \`run_started\`
to \`run_ended\` with the same verdict; the bytes that the hub gives out, which are those of the recording. ${isTraced ? TRACED : ''}
In those that succeed: the tokens, which are those that the model told, and the cost where the agent tells one; that of Claude 2.1 also as it was estimated before it was
told. Claude 2.0 asks the model for things of its own, which are in its figures and not in its stream.

Besides, in each row:

${toTable([['case', 'what is seen'], ...cases.map(({title, about}) => [title, about])])}
${pipes.length === 0 ? '' : toPipes(pipes)}${failed.length === 0 ? '' : toProblems(failed)}`
}

const TRACED =
  'The recording is, byte for byte, what the program wrote by the account of the kernel (`strace`), but for the cases in which something is ended or left behind.'

/** @param {PipeOutcome[]} pipes */
function toPipes(pipes) {
  const rows = pipes.map(({program, recorded, bytes, isCut}) => [
    `${program.title} ${program.version}`,
    count(recorded),
    count(bytes),
    isCut ? 'cut' : 'whole',
  ])
  return `
## Through a pipe

The same run with the line of 1.6 MB, once through \`vitrine run\`, whose recording is a file that the agent writes to, and once through a pipe to a program that
takes two milliseconds for each piece. What is cut ends in the middle of a line, and the result is not in it.

${toTable([['', 'bytes with `vitrine run`', 'bytes through a pipe', ''], ...rows])}
`
}

/** @param {Outcome[]} failed */
function toProblems(failed) {
  const lines = failed.flatMap(({program, tried, problems}) => [
    `- ${program.title} ${program.version}, ${tried.title}`,
    ...problems.map((problem) => `  - ${problem.replaceAll('\n', ' ').slice(0, 300)}`),
  ])
  return `\n## Not as it should be\n\n${lines.join('\n')}\n`
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
