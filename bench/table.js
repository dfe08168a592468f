// The one table of `npm run bench`.

import {readFileSync} from 'node:fs'
import {availableParallelism, cpus, loadavg, release, type} from 'node:os'

/**
 * A line of the table. Ratios are of times or of memory, so that less is better.
 *
 * @typedef {object} Row
 * @property {string} group
 * @property {'vitrine' | 'peer' | 'floor'} kind
 * @property {string} name
 * @property {number} own
 * @property {number} [floor] What took turns with it.
 * @property {string} unit
 * @property {number} [ratio] The median over the rounds.
 * @property {number} [ofPeer] What Vitrine takes as a multiple of what this peer takes.
 * @property {number[]} [ratios] Of each round.
 * @property {number} [goal] The highest ratio that is good enough.
 */

/**
 * What was measured, and on what.
 *
 * @typedef {{date: string, node: string, system: string, processor: string, cores: number, load: number[]}} Place
 */

const NAME_WIDTH = 60
const WIDTHS = [NAME_WIDTH, 14, 14, 8, 16, 14]

const LABELS = {vitrine: 'vitrine ', peer: '', floor: 'floor: '}

/** @returns {Place} */
export function describePlace() {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    node: process.version,
    system: `${readSystemName()} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    load: loadavg().map((load) => Number(load.toFixed(1))),
  }
}

function readSystemName() {
  try {
    const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    if (name !== undefined) return name
  } catch {
    // Only Linux has it.
  }
  return `${type()} ${release()}`
}

/** @param {Place} place */
export function formatPlace({date, node, system, processor, cores, load}) {
  const isBusy = (load[0] ?? 0) > cores
  const warning = isBusy ? 'The machine is busy with other things: try, but do not quote.\n' : ''
  return `${date} UTC, Node ${node.slice(1)}, ${system}, ${cores} cores (${processor}), load ${load.join(' ')}\n${warning}`
}

/** The heads of the columns. */
export function formatHead() {
  return `${cells(['', 'measured', 'floor', 'ratio', 'vitrine / peer', 'goal'])}\n`
}

/** @param {readonly Row[]} rows of one group */
export function formatGroup(rows) {
  const lines = rows.map(({kind, name, own, floor, unit, ratio, ofPeer, goal}) =>
    cells([
      `  ${LABELS[kind]}${name}`,
      figure(own, unit),
      floor === undefined ? '' : figure(floor, unit),
      ratio?.toFixed(2) ?? '',
      ofPeer?.toFixed(2) ?? '',
      goal === undefined ? '' : `${(ratio ?? 0) > goal ? 'MISSED ' : ''}< ${goal}`,
    ]),
  )
  return `${[rows[0]?.group ?? '', ...lines].join('\n')}\n`
}

/**
 * Says of each peer how Vitrine compares: by their ratios to the floor, since they were not measured beside each other.
 *
 * @param {Row[]} rows
 * @param {string} name of Vitrine's row
 */
export function compareWithPeers(rows, name) {
  const ours = rows.find((row) => row.kind === 'vitrine' && row.name === name)?.ratio
  return rows.map((row) =>
    row.kind === 'peer' && ours !== undefined && row.ratio !== undefined
      ? Object.assign(row, {ofPeer: ours / row.ratio})
      : row,
  )
}

/** @param {string[]} texts */
function cells(texts) {
  const [name = '', ...rest] = texts
  const row = rest.map((text, at) => text.padStart(WIDTHS[at + 1] ?? 0)).join('')
  return (name.padEnd(NAME_WIDTH) + row).trimEnd()
}

/** @param {number} value @param {string} unit */
function figure(value, unit) {
  const digits = value < 1 ? 2 : value < 10 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}
