import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Command} from 'commander'
import {formatBytes, formatCount, formatNumber} from '../../core/text/figures.ts'
import {exportRun} from '../../export/export-run.ts'
import type {ExportedRun} from '../../export/exported-run.ts'
import {openSessionRecording} from '../../history/session-recording.ts'
import type {Session} from '../../history/sessions.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import {findRun, type RecordedRun} from '../../recording/list-runs.ts'
import type {AtomicFile} from '../../recording/write-atomic.ts'
import {createDataDirOption} from '../common-options.ts'
import {requireRun} from '../find-recording.ts'
import {findSession} from '../find-session.ts'
import {openOutputFile} from '../output-file.ts'
import {print, logToStderr} from '../output.ts'
import {createProgressLine} from '../progress-line.ts'
import {version} from '../version.ts'

interface ExportFlags {
  html?: true
  output?: string
  full?: true
  force?: true
  dataDir?: string
}

/** `vitrine export`: writes a run as one HTML file. */
export const exportCommand: Command = new Command('export')
  .summary('write a run or session as one HTML file')
  .description('Write a run or session as one HTML file that opens offline, without Vitrine.')
  .argument('<run>', 'id of the run or session, or its first characters')
  .option('--html', 'write HTML: the default and only format')
  .option('-o, --output <file>', 'file to write, - for stdout (default: <run>.html)')
  .option('--force', 'replace an existing file')
  .option('--full', 'include every record in full (default: up to about 20 MB)')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
The page shows the run as the dashboard does, with replay, and loads nothing
from the network. A run that is still running is exported up to now.

Known kinds of secrets (keys, tokens, passwords) are masked. Paths, prompts,
code and tool output are not: check the page before you share it.

Examples:
  vitrine export 7f3a                          writes 7f3a.html
  vitrine export 7f3a -o report.html
  vitrine export 7f3a -o - | gzip > run.html.gz`,
  )
  .action(async (id: string, flags: ExportFlags) => {
    const session =
      findRun(id, flags.dataDir) === null ? await findSession(id, flags.dataDir) : undefined
    if (session !== undefined) return exportSession(session, flags)
    return exportRecording(requireRun(id, flags.dataDir), flags)
  })

/** Exports a copy of a session in the form of a recording. */
async function exportSession(session: Session, flags: ExportFlags): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-export-'))
  try {
    const copy = openSessionRecording(join(folder, session.id), session)
    copy.finish()
    copy.close()
    await exportRecording({...copy, record: readRunRecord(copy.dir) ?? copy.record}, flags)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

async function exportRecording(run: RecordedRun, flags: ExportFlags): Promise<void> {
  if (flags.output === '-') {
    const {exported, size} = await write(run, flags, print)
    process.stderr.write(formatResult('stdout', exported, size))
    return
  }
  const path = flags.output ?? `${run.record.runId}.html`
  const file = await openOutputFile(path, flags.force === true)
  const {exported, size} = await writeFile(run, flags, file)
  await print(formatResult(path, exported, size))
}

/** Writes the complete file, or none. */
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
    if (state === 'running') logToStderr(`run ${runId} is still running; exported up to now`)
    if (state === 'lost') {
      logToStderr(
        `run ${runId} has no recorded end. Supervise it again with: vitrine attach ${runId}`,
      )
    }
    return {exported, size}
  } finally {
    progress.clear()
  }
}

function formatResult(name: string, {records}: ExportedRun, size: number): string {
  const {count, full} = records
  const rest = full < count ? ` (${formatNumber(full)} in full; --full for all)` : ''
  return `${name}  ${formatBytes(size)}, ${formatCount(count, 'record')}${rest}, secrets masked\n`
}
