// `vitrine view` of a large recording: how soon its first line comes, how long all of it takes, and how much memory. Beside
// it the least that a program in Node can do with the file: read it and print its first line.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {captureCorpus} from './corpus.js'
import {runNode} from './node-process.js'
import {median} from './turns.js'

/** @import {Row} from './table.js' */
/** @typedef {Awaited<ReturnType<typeof runNode>>} Run */

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const FLOOR = `process.stdout.write('first\\n'); for await (const _ of require('fs').createReadStream(process.argv[1])) ; process.stdout.write('last\\n')`

/** @type {{figure: keyof Run, title: string, unit: string}[]} */
const FIGURES = [
  {figure: 'first', title: 'until the first line', unit: 'ms'},
  {figure: 'whole', title: 'until the end', unit: 'ms'},
  {figure: 'peak', title: 'memory, most', unit: 'MiB'},
]

/**
 * @param {{rounds: number, megabytes: number, progress: (what: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchView({rounds, megabytes, progress}) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const file = join(folder, 'run.jsonl')
    writeFileSync(file, captureCorpus(megabytes * 1e6))
    /** @type {Run[][]} */
    const runs = []
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds}`)
      runs.push([
        await runNode(['-e', `(async () => {${FLOOR}})()`, file]),
        await runNode([bin, 'view', file]),
        await runNode([bin, 'view', '--format', 'json', file]),
      ])
    }
    const group = `vitrine view of ${megabytes} MB; floor: node prints a line and reads the file`
    return ['view', 'view --format json'].flatMap((name, at) =>
      FIGURES.map(({figure, title, unit}) => {
        const floors = runs.map((run) => run[0]?.[figure] ?? 0)
        const owns = runs.map((run) => run[at + 1]?.[figure] ?? 0)
        const ratios = owns.map((own, round) => own / (floors[round] ?? 0))
        return {
          group,
          kind: /** @type {const} */ ('vitrine'),
          name: `${name}: ${title}`,
          own: median(owns),
          floor: median(floors),
          unit,
          ratio: median(ratios),
          ratios,
        }
      }),
    )
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
