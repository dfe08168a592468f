// `vitrine view` of a large recording: time to the first line, total time and memory, compared with a Node program that
// only reads the file and prints a line.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createCaptureCorpus} from './corpus.js'
import {runNode} from './node-process.js'
import {median} from './turns.js'

/** @import {Row} from './table.js' */
/** @typedef {Awaited<ReturnType<typeof runNode>>} Run */

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const FLOOR = `process.stdout.write('first\\n'); for await (const _ of require('fs').createReadStream(process.argv[1])) ; process.stdout.write('last\\n')`

/** @type {{figure: keyof Run, title: string, unit: string}[]} */
const FIGURES = [
  {figure: 'firstLineMs', title: 'until the first line', unit: 'ms'},
  {figure: 'totalMs', title: 'until the end', unit: 'ms'},
  {figure: 'peakMemory', title: 'peak memory', unit: 'MiB'},
]

/**
 * @param {{rounds: number, megabytes: number, onProgress: (step: string) => void}} options
 * @returns {Promise<Row[]>}
 */
export async function benchView({rounds, megabytes, onProgress}) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  try {
    const file = join(folder, 'run.jsonl')
    writeFileSync(file, createCaptureCorpus(megabytes * 1e6))
    /** @type {Run[][]} */
    const runs = []
    for (let round = 0; round < rounds; round++) {
      onProgress(`round ${round + 1} of ${rounds}`)
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
