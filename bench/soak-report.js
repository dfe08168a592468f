// What a soak found, as a block of text that can be pasted.

import {quantile} from './hub-process.js'
import {judgeFlat, medianMemory, medianOfParts, mostMemory, slopeOf} from './soak-samples.js'
import {formatPlace} from './table.js'

/** @import {DoneRun} from './soak-checks.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {Sample, Watched} from './soak-samples.js' */
/** @import {Place} from './table.js' */

/** Seconds. A process that has just started still grows to its size. */
const AGES = [0, 15, 30, 60, 120, 240, Infinity]
const GROWN = 30
const MOST_PROBLEMS = 30

/**
 * @typedef {object} Soak
 * @property {Place} place
 * @property {string} command
 * @property {number} spentMs
 * @property {readonly DoneRun[]} runs
 * @property {readonly ClientReport[]} clients
 * @property {number} messages
 * @property {Watched} hub
 * @property {readonly Watched[]} runners
 * @property {{before: number, after: number}} files
 * @property {readonly string[]} problems
 */

/**
 * @param {Soak} soak
 * @returns {{text: string, isFlat: boolean}}
 */
export function formatSoak({place, command, spentMs, hub, runners, files, problems, ...what}) {
  const {runs, clients, messages} = what
  const long = runners.find(({name}) => name === 'long')
  const others = runners.filter((runner) => runner !== long)
  const samples = others.flatMap((runner) => runner.samples)
  const hubFlat = judgeFlat(hub.samples)
  const longFlat = judgeFlat(long?.samples ?? [])
  const isFlat = hubFlat.isFlat && longFlat.isFlat
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)
  const count = (/** @type {number} */ value) => value.toLocaleString('en')
  const seconds = spentMs / 1000
  const lines = [
    formatPlace(place).trimEnd(),
    command,
    '',
    row(
      'runs, one of them the whole time',
      `${count(runs.length)} in ${(seconds / 60).toFixed(1)} min`,
    ),
    row('  by agent', tally(runs.map(({story}) => story.agent))),
    row('  by verdict', tally(runs.map(({story}) => story.verdict))),
    row(
      'lines, bytes printed',
      [sum(runs.map(({story}) => story.lines)), sum(runs.map(({story}) => story.stdout.length))]
        .map(count)
        .join(', '),
    ),
    row('messages stored', count(messages)),
    row('  received by each client', clients.map((client) => count(client.messages)).join(', ')),
    row('  and messages on what holds', clients.map((client) => count(client.states)).join(', ')),
    row('wrong: bytes, messages, verdicts, processes', count(problems.length)),
    '',
    row('hub: memory, each tenth of the time', mib(medianOfParts(hub.samples, 10))),
    row('  most', mib([mostMemory(hub.samples)])),
    row('  last third against the middle third', formatFlat(hubFlat)),
    row(
      '  open files, before, most, after',
      [files.before, Math.max(0, ...hub.samples.map((sample) => sample.files)), files.after].join(
        ', ',
      ),
    ),
    row('  processor', formatWork([hub])),
    '',
    row('runners: memory by age', formatAges(samples)),
    row('  most', mib([mostMemory(samples)])),
    row(`  slope past ${GROWN} s of age`, formatSlope(samples)),
    row('  open files: median, most', formatFiles(samples)),
    row('  processor, median of all', formatWork(others)),
    '',
    row('runner of the long run: memory, each tenth', mib(medianOfParts(long?.samples ?? [], 10))),
    row('  last third against the middle third', formatFlat(longFlat)),
    row(`  slope past ${GROWN} s of age`, formatSlope(long?.samples ?? [])),
    row('  open files: median, most', formatFiles(long?.samples ?? [])),
    row('  processor', formatWork(long === undefined ? [] : [long])),
    '',
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `WRONG: ${problem}`),
    `${problems.length === 0 ? 'nothing lost' : 'LOST'}, memory ${isFlat ? 'flat' : 'NOT FLAT'}`,
  ]
  return {text: `${lines.join('\n')}\n`, isFlat}
}

/** @param {string} name @param {string} value */
function row(name, value) {
  return `${name.padEnd(46)}${value}`
}

/** @param {readonly string[]} words */
function tally(words) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return sorted.map(([word, times]) => `${word} ${times}`).join(', ')
}

/** @param {readonly number[]} values */
function mib(values) {
  return `${values.map((value) => value.toFixed(0)).join(' ')} MiB`
}

/** @param {ReturnType<typeof judgeFlat>} flat */
function formatFlat({middle, last, change, isFlat}) {
  const percent = `${change < 0 ? '' : '+'}${(change * 100).toFixed(1)} %`
  return `${percent} (${middle.toFixed(1)}, ${last.toFixed(1)} MiB): ${isFlat ? 'flat' : 'NOT FLAT'}, goal within 10 %`
}

/** @param {readonly Sample[]} samples */
function formatAges(samples) {
  return AGES.slice(0, -1)
    .map((from, at) => ({from, to: AGES[at + 1] ?? Infinity}))
    .flatMap(({from, to}) => {
      const some = samples.filter((sample) => sample.at >= from && sample.at < to)
      return some.length === 0 ? [] : [`${medianMemory(some).toFixed(0)} from ${from} s`]
    })
    .join(', ')
}

/** @param {readonly Sample[]} samples */
function formatSlope(samples) {
  return `${slopeOf(samples.filter(({at}) => at >= GROWN)).toFixed(2)} MiB a minute`
}

/** @param {readonly Sample[]} samples */
function formatFiles(samples) {
  const counts = samples.map(({files}) => files)
  return `${quantile(counts, 0.5)}, ${Math.max(0, ...counts)}`
}

/** The part of a core. @param {readonly Watched[]} processes */
function formatWork(processes) {
  const parts = processes.flatMap(({samples, work}) => {
    const at = samples.at(-1)?.at
    return at === undefined ? [] : [work / at]
  })
  return `${(100 * quantile(parts, 0.5)).toFixed(1)} % of a core`
}
