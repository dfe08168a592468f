import {Command} from 'commander'
import type {Drift} from '../../core/events/drift.ts'
import {createEventDecoder} from '../../core/events/event-parser.ts'
import {formatCount, formatNumber} from '../../core/text/figures.ts'
import {CliError} from '../cli-error.ts'
import {createAgentOption} from '../common-options.ts'
import {labelOf, openInput} from '../input.ts'
import {print, logToStderr} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {formatTable, type Column} from '../table.ts'

interface DriftOptions {
  agent?: string
  json?: true
  fail?: true
}

/** An unknown type or field, and the file where it was seen first. */
interface Row extends Drift {
  file: string
}

/** `vitrine drift`: lists parts of agent output that this version does not know. */
export const drift: Command = new Command('drift')
  .summary('list unknown record types and fields')
  .description(
    'List record types, blocks and fields in recordings that this version does not know.',
  )
  .argument('<files...>', "files with agents' output, or - for stdin")
  .addOption(createAgentOption())
  .option('--json', 'print the report as JSON')
  .option('--fail', 'exit with 1 if anything is unknown')
  .addHelpText(
    'after',
    `
Unknown parts are kept and shown as they are; nothing is lost. The report has
names and counts by agent version, without content, so it can be shared.

Examples:
  vitrine drift runs/*.jsonl
  vitrine drift --json --fail run.jsonl        for a nightly job`,
  )
  .action(async (files: string[], options: DriftOptions) => {
    const report = await readFiles(files, options)
    await print(
      options.json === true ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report),
    )
    if (options.fail === true && report.unknown.length > 0) process.exitCode ??= 1
  })

interface Report {
  /** How many files were read. */
  files: number
  records: number
  /** How many records contain unknown parts. */
  driftRecords: number
  unknown: Row[]
}

/** Reads all files; one that cannot be read is reported, and the others are still read. */
async function readFiles(files: string[], options: DriftOptions): Promise<Report> {
  const found = new Map<string, Row>()
  const report: Report = {files: 0, records: 0, driftRecords: 0, unknown: []}
  for (const file of files) {
    try {
      const {agent, chunks} = await openInput(file, options)
      if (agent === null)
        throw new CliError(`${labelOf(file)}: unknown agent. Name one with --agent`)
      const decoder = createEventDecoder(agent)
      for await (const {bytes} of chunks) decoder.push(bytes)
      decoder.end()
      report.files++
      report.records += decoder.lineCount
      report.driftRecords += decoder.driftCount
      for (const entry of decoder.drift()) addRow(found, {...entry, file})
    } catch (error) {
      if (!(error instanceof CliError) || files.length === 1) throw error
      logToStderr(error.message)
      process.exitCode = 2
    }
  }
  return {...report, unknown: [...found.values()]}
}

function addRow(found: Map<string, Row>, row: Row): void {
  const key = [row.agent, row.version, row.kind, row.name].join('\n')
  const before = found.get(key)
  if (before === undefined) found.set(key, row)
  else before.count += row.count
}

function formatReport({unknown: rows, files, records, driftRecords}: Report): string {
  const {width} = getStdoutStyle()
  const inFiles = formatCount(files, 'file')
  if (rows.length === 0)
    return `Nothing unknown in ${inFiles}, ${formatCount(records, 'record')}.\n`
  const where = (row: Row) => (files === 1 ? `line ${row.line}` : `${row.file}:${row.line}`)
  const columns: Column<Row>[] = [
    {head: 'AGENT', cell: ({agent}) => agent},
    {head: 'VERSION', cell: ({version}) => version ?? '—'},
    {head: 'KIND', cell: ({kind}) => kind},
    {head: 'UNKNOWN', cell: ({name}) => name, minWidth: 20},
    {head: 'COUNT', cell: ({count}) => String(count), isRight: true},
    {head: 'FIRST SEEN', cell: where, minWidth: 12, isOptional: true},
  ]
  const shapes = formatCount(rows.length, 'unknown shape')
  const table = formatTable(rows, columns, width)
  const found = `${formatCount(driftRecords, 'record')} of ${formatNumber(records)}`
  return (width ?? 80) < 80
    ? `${table}\n${shapes}, ${found}. Nothing lost.\n`
    : `${table}\n${shapes} in ${inFiles}, ${found}. Nothing was lost.\n--json for a report to share.\n`
}
