// The results of a soak test as text.

import {quantile} from './hub-process.js'
import {judgeGrowth, medianMemory, medianByPart, peakMemory, fitSlope} from './soak-samples.js'
import {formatMachine} from './table.js'

/** @import {DoneRun} from './soak-checks.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {Sample, SampledProcess} from './soak-samples.js' */
/** @import {Machine} from './table.js' */

/** Ages of a process in seconds: its memory is reported for each range. */
const AGES = [0, 15, 30, 60, 120, 240, Infinity]
/** Seconds after which a process has reached its normal size. */
const WARM_UP_SECONDS = 30
const MAX_PROBLEMS = 30

/**
 * @typedef {object} Soak
 * @property {Machine} machine
 * @property {string} command
 * @property {number} spentMs
 * @property {readonly DoneRun[]} runs
 * @property {readonly ClientReport[]} clients
 * @property {number} messages
 * @property {SampledProcess} hub
 * @property {readonly SampledProcess[]} runners
 * @property {{before: number, after: number}} files
 * @property {readonly string[]} problems
 */

/**
 * @param {Soak} soak
 * @returns {{text: string, isFlat: boolean}}
 */
export function formatSoak({machine, command, spentMs, hub, runners, files, problems, ...counts}) {
  const {runs, clients, messages} = counts
  const long = runners.find(({name}) => name === 'long')
  const others = runners.filter((runner) => runner !== long)
  const samples = others.flatMap((runner) => runner.samples)
  const hubGrowth = judgeGrowth(hub.samples)
  const longGrowth = judgeGrowth(long?.samples ?? [])
  const isFlat = hubGrowth.isFlat && longGrowth.isFlat
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)
  const count = (/** @type {number} */ value) => value.toLocaleString('en')
  const seconds = spentMs / 1000
  const lines = [
    formatMachine(machine).trimEnd(),
    command,
    '',
    row(
      'runs, one for the whole time',
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
    row('  state messages', clients.map((client) => count(client.states)).join(', ')),
    row('errors: bytes, messages, verdicts, processes', count(problems.length)),
    '',
    row('hub: memory, each tenth of the time', mib(medianByPart(hub.samples, 10))),
    row('  peak', mib([peakMemory(hub.samples)])),
    row('  last third against the middle third', formatGrowth(hubGrowth)),
    row(
      '  open files: before, max, after',
      [files.before, Math.max(0, ...hub.samples.map((sample) => sample.files)), files.after].join(
        ', ',
      ),
    ),
    row('  CPU time', formatCpu([hub])),
    '',
    row('runners: memory by age', formatAges(samples)),
    row('  peak', mib([peakMemory(samples)])),
    row(`  growth after ${WARM_UP_SECONDS} s`, formatSlope(samples)),
    row('  open files: median, max', formatFiles(samples)),
    row('  CPU time, median of all', formatCpu(others)),
    '',
    row('runner of the long run: memory, each tenth', mib(medianByPart(long?.samples ?? [], 10))),
    row('  last third against the middle third', formatGrowth(longGrowth)),
    row(`  growth after ${WARM_UP_SECONDS} s`, formatSlope(long?.samples ?? [])),
    row('  open files: median, max', formatFiles(long?.samples ?? [])),
    row('  CPU time', formatCpu(long === undefined ? [] : [long])),
    '',
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `ERROR: ${problem}`),
    `${problems.length === 0 ? 'nothing lost' : 'LOST'}, memory ${isFlat ? 'flat' : 'NOT FLAT'}`,
  ]
  return {text: `${lines.join('\n')}\n`, isFlat}
}

/** @param {string} name @param {string} value */
function row(name, value) {
  return `${name.padEnd(46)}${value}`
}

/** Counts equal words, the most common first. @param {readonly string[]} words */
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

/** @param {ReturnType<typeof judgeGrowth>} growth */
function formatGrowth({middle, last, change, isFlat}) {
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
  return `${fitSlope(samples.filter(({at}) => at >= WARM_UP_SECONDS)).toFixed(2)} MiB per minute`
}

/** @param {readonly Sample[]} samples */
function formatFiles(samples) {
  const counts = samples.map(({files}) => files)
  return `${quantile(counts, 0.5)}, ${Math.max(0, ...counts)}`
}

/** @param {readonly SampledProcess[]} processes */
function formatCpu(processes) {
  const parts = processes.flatMap(({samples, cpuSeconds}) => {
    const at = samples.at(-1)?.at
    return at === undefined ? [] : [cpuSeconds / at]
  })
  return `${(100 * quantile(parts, 0.5)).toFixed(1)} % of a core`
}
