// Start-up: `vitrine --version` until it ends, and `vitrine view` until its first line, compared with Node without a
// program and with one that only parses its arguments with commander.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createCaptureCorpus} from './corpus.js'
import {runNode} from './node-process.js'
import {compareWithPeers} from './table.js'
import {takeTurns} from './turns.js'

/** @import {Row} from './table.js' */

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const COMMANDER = [
  '--input-type=module',
  '-e',
  `import {Command} from 'commander'; new Command().version('1').parse(['node', 'program', '--version'])`,
]

/**
 * @param {{rounds: number, onProgress: (step: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchStartup({rounds, onProgress}) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const file = join(folder, 'run.jsonl')
    writeFileSync(file, createCaptureCorpus(100_000))
    const ends = await compareAll('start-up: until the program ends', 'totalMs', ['-e', '0'], {
      'node -e 0': {kind: 'floor', args: ['-e', '0']},
      '--version': {kind: 'vitrine', args: [bin, '--version'], goal: 1.3},
      'commander --version': {kind: 'peer', args: COMMANDER},
    })
    const hello = ['-e', 'console.log(1)']
    const prints = await compareAll('start-up: until the first line', 'firstLineMs', hello, {
      'node -e console.log(1)': {kind: 'floor', args: hello},
      'view of 100 kB': {kind: 'vitrine', args: [bin, 'view', file], goal: 2},
      'commander --version': {kind: 'peer', args: COMMANDER},
    })
    return [...compareWithPeers(ends, '--version'), ...compareWithPeers(prints, 'view of 100 kB')]
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }

  /**
   * @param {string} group
   * @param {'firstLineMs' | 'totalMs'} figure
   * @param {string[]} floor
   * @param {Record<string, {kind: Row['kind'], args: string[], goal?: number}>} contenders
   */
  async function compareAll(group, figure, floor, contenders) {
    /** @type {Row[]} */
    const rows = []
    for (const [name, {kind, args, goal}] of Object.entries(contenders)) {
      onProgress(name)
      const turns = await takeTurns(
        rounds,
        async () => (await runNode(floor))[figure],
        async () => (await runNode(args))[figure],
      )
      rows.push({group, kind, name, unit: 'ms', ...turns, ...(goal !== undefined && {goal})})
    }
    return rows
  }
}
