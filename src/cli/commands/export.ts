import {Command} from 'commander'
import {formatBytes, formatCount, formatNumber} from '../../core/text/figures.ts'
import {exportRun} from '../../export/export-run.ts'
import type {ExportedRun} from '../../export/exported-run.ts'
import {findRun, type RecordedRun} from '../../recording/list-runs.ts'
import type {AtomicFile} from '../../recording/write-atomic.ts'
import {notHere} from '../cli-error.ts'
import {openOutputFile} from '../output-file.ts'
import {print, remark} from '../output.ts'
import {createProgressLine} from '../progress-line.ts'
import {version} from '../version.ts'

interface ExportFlags {
  html?: true
  output?: string
  full?: true
  force?: true
  dataDir?: string
}

/** `vitrine export`: a run as one file, for those who have no Vitrine. */
export const exportCommand: Command = new Command('export')
  .description('write a run as one HTML file that anybody can open, without Vitrine and offline')
  .argument('<run>', 'its id, or the beginning of it')
  .option('--html', 'as an HTML file: the default, and so far the only format')
  .option('-o, --output <file>', 'where to write it; - for stdout (<run>.html)')
  .option('--force', 'replace the file if it is there')
  .option('--full', 'all records in full; without it only those of the first 20 MB or so')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
The page is the dashboard's view of the run: timeline, feed, files, plan, figures, raw records, replay. It loads nothing
from anywhere, and nothing in it can. A run that goes on is exported as far as it is.

Secrets that are known for what they are (keys, tokens, passwords) are masked. Paths, prompts, code and what tools
printed are not: look at it before you give it to others.

Examples:
  vitrine export 7f3a                      writes 7f3a.html
  vitrine export 7f3a -o report.html
  vitrine export 7f3a -o - | gzip > run.html.gz`,
  )
  .action(async (id: string, flags: ExportFlags) => {
    const run = findRun(id, flags.dataDir)
    if (run === null) throw notHere(id)
    if (flags.output === '-') {
      const {exported, size} = await write(run, flags, print)
      process.stderr.write(describe('stdout', exported, size))
      return
    }
    const path = flags.output ?? `${run.record.runId}.html`
    const file = await openOutputFile(path, flags.force === true)
    const {exported, size} = await writeFile(run, flags, file)
    await print(describe(path, exported, size))
  })

/** Writes the whole file, or leaves nothing. */
async function writeFile(run: RecordedRun, flags: ExportFlags, file: AtomicFile) {
  const interrupt = () => {
    file.discard()
    process.exit(130)
  }
  process.once('SIGINT', interrupt)
  try {
    const written = await write(run, flags, file.write)
    await file.commit()
    return written
  } catch (error) {
    file.discard()
    throw error
  } finally {
    process.off('SIGINT', interrupt)
  }
}

async function write(
  run: RecordedRun,
  {full}: ExportFlags,
  put: (text: string) => Promise<void>,
): Promise<{exported: ExportedRun; size: number}> {
  const progress = createProgressLine()
  let size = 0
  try {
    const exported = await exportRun(run, {
      version,
      isFull: full === true,
      write(text) {
        size += Buffer.byteLength(text)
        return put(text)
      },
      onProgress: (share, lines) =>
        progress.show(`${Math.floor(share * 100)}%, ${formatCount(lines, 'record')}`),
    })
    progress.clear()
    const {runId, state} = exported
    if (state === 'running') remark(`run ${runId} goes on; exported as far as it is`)
    if (state === 'lost') {
      remark(
        `run ${runId} was not seen to end; exported as it was recorded. vitrine attach ${runId}`,
      )
    }
    return {exported, size}
  } finally {
    progress.clear()
  }
}

function describe(name: string, {records}: ExportedRun, size: number): string {
  const {count, full} = records
  const rest = full < count ? ` (${formatNumber(full)} in full; --full for all)` : ''
  return `${name}  ${formatBytes(size)}, ${formatCount(count, 'record')}${rest}, secrets masked\n`
}
