// The table of `npm run bench`.

import {readFileSync} from 'node:fs'
import {availableParallelism, cpus, loadavg, release, type} from 'node:os'

/**
 * A row of the table. Ratios are of times or of memory, so that less is better.
 *
 * @typedef {object} Row
 * @property {string} group
 * @property {'vitrine' | 'peer' | 'floor'} kind
 * @property {string} name
 * @property {number} own
 * @property {number} [floor] The baseline, measured in alternation with it.
 * @property {string} unit
 * @property {number} [ratio] The median over the rounds.
 * @property {number} [ofPeer] The ratio of Vitrine divided by the ratio of this peer.
 * @property {number[]} [ratios] One per round.
 * @property {number} [goal] The maximum ratio.
 */

/** @typedef {{date: string, node: string, system: string, processor: string, cores: number, load: number[]}} Machine */

const NAME_WIDTH = 60
const WIDTHS = [NAME_WIDTH, 14, 14, 8, 16, 14]

const LABELS = {vitrine: 'vitrine ', peer: '', floor: 'floor: '}

/** @returns {Machine} */
export function describeMachine() {
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
    // Other systems than Linux do not have this file.
  }
  return `${type()} ${release()}`
}

/** @param {Machine} machine */
export function formatMachine({date, node, system, processor, cores, load}) {
  const isBusy = (load[0] ?? 0) > cores
  const warning = isBusy ? 'Other programs use this machine: do not quote these figures.\n' : ''
  return `${date} UTC, Node ${node.slice(1)}, ${system}, ${cores} cores (${processor}), load ${load.join(' ')}\n${warning}`
}

export function formatHeader() {
  return `${formatCells(['', 'measured', 'floor', 'ratio', 'vitrine / peer', 'goal'])}\n`
}

/** @param {readonly Row[]} rows The rows of one group. */
export function formatGroup(rows) {
  const lines = rows.map(({kind, name, own, floor, unit, ratio, ofPeer, goal}) =>
    formatCells([
      `  ${LABELS[kind]}${name}`,
      formatFigure(own, unit),
      floor === undefined ? '' : formatFigure(floor, unit),
      ratio?.toFixed(2) ?? '',
      ofPeer?.toFixed(2) ?? '',
      goal === undefined ? '' : `${(ratio ?? 0) > goal ? 'MISSED ' : ''}< ${goal}`,
    ]),
  )
  return `${[rows[0]?.group ?? '', ...lines].join('\n')}\n`
}

/**
 * Compares Vitrine with each peer by their ratios to the floor, because they were measured in different processes.
 *
 * @param {Row[]} rows
 * @param {string} name The row of Vitrine.
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
function formatCells(texts) {
  const [name = '', ...rest] = texts
  const row = rest.map((text, at) => text.padStart(WIDTHS[at + 1] ?? 0)).join('')
  return (name.padEnd(NAME_WIDTH) + row).trimEnd()
}

/** @param {number} value @param {string} unit */
function formatFigure(value, unit) {
  const digits = value < 1 ? 2 : value < 10 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}
