import {Command, Option} from 'commander'
import {ENTRY_KINDS, type EntryKind} from '../../core/run/run-summary.ts'
import {formatDuration, formatMoney} from '../../core/text/figures.ts'
import {firstLine} from '../../core/text/text.ts'
import {ascii, type Symbols} from '../../terminal/symbols.ts'
import {createDataDirOption} from '../common-options.ts'
import {describeCost, describeState} from '../describe-row.ts'
import {describeWork, groupOf, listEntries, sortRows, type List, type Row} from '../list-rows.ts'
import {parseCount} from '../option-values.ts'
import {formatJsonLine, print} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {formatTable, type Column} from '../table.ts'
import {measureIds} from '../short-ids.ts'
import {sumCostSince} from '../sum-cost.ts'

interface RunsOptions {
  json?: true
  kind?: EntryKind
  agent?: string
  limit?: number
  dataDir?: string
}

const FIRST_USE = 'No runs or sessions yet. Start one with: vitrine run claude -p "Fix the tests"\n'
const NO_MATCH = 'No runs or sessions match.\n'
/** More rows do not help anyone on a terminal. */
const TERMINAL_ROWS = 30

/** `vitrine runs`: lists recorded runs, and the sessions in the files of agents. */
export const runs: Command = new Command('runs')
  .summary('list runs and sessions')
  .description(
    'List recorded runs, and the sessions that agents keep on this machine; those that need attention first.',
  )
  .addOption(new Option('--kind <kind>', 'list only one kind').choices(ENTRY_KINDS))
  .option('--agent <name>', 'list only runs and sessions of an agent')
  .option('--limit <count>', 'how many to list (default: 30 on a terminal, else all)', parseCount)
  .option('--json', 'print one JSON object per line')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Examples:
  vitrine runs
  vitrine runs --kind session --limit 100
  vitrine runs --json | jq -r 'select(.verdict == "failed") | .runId'`,
  )
  .action(async (options: RunsOptions) => {
    const {json, kind, agent, dataDir} = options
    const list = await listEntries(dataDir)
    const matching = list.rows.filter(
      (row) => (kind ?? row.kind) === row.kind && (agent ?? row.agent) === row.agent,
    )
    if (json === true) return printJson(matching.slice(0, options.limit))
    const {width, symbols} = getStdoutStyle()
    if (matching.length === 0 && width !== undefined) {
      return print(list.rows.length === 0 ? FIRST_USE : NO_MATCH)
    }
    const sorted = sortRows(matching)
    const shown = sorted.slice(
      0,
      options.limit ?? (width === undefined ? undefined : TERMINAL_ROWS),
    )
    const table = formatTable(
      shown,
      columnsFor(width === undefined ? undefined : symbols, measureIds(list.rows)),
      width,
    )
    if (width === undefined) return print(table)
    const more =
      shown.length < sorted.length
        ? `${shown.length} of ${sorted.length.toLocaleString('en')} shown. More: vitrine runs --limit 100\n`
        : ''
    return print(`${table}\n${more}${summarize(list, matching, symbols)}\n`)
  })

const LINES_PER_WRITE = 1000

async function printJson(rows: readonly Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += LINES_PER_WRITE) {
    await print(
      rows
        .slice(start, start + LINES_PER_WRITE)
        .map(formatJsonLine)
        .join(''),
    )
  }
}

function columnsFor(symbols: Symbols | undefined, idWidth: number): Column<Row>[] {
  return [
    {head: 'RUN', cell: ({runId}) => (symbols === undefined ? runId : runId.slice(0, idWidth))},
    {
      head: 'STATE',
      cell(row) {
        const text = describeState(row, symbols ?? ascii)
        return symbols === undefined ? text.slice(text.indexOf(' ') + 1) : text
      },
    },
    {head: 'AGENT', cell: ({agent}) => agent ?? '-', isOptional: true},
    {head: 'WHAT', cell: describeWork, minWidth: 16},
    {head: 'NOW, OR HOW IT ENDED', cell: ({now}) => firstLine(now), minWidth: 20, isOptional: true},
    {head: 'COST', cell: (row) => describeCost(row, symbols), isRight: true},
    {head: 'TIME', cell: ({durationMs}) => formatDuration(durationMs), isRight: true},
  ]
}

/** Summarizes all runs and sessions on one line. */
function summarize({history, prices}: List, rows: readonly Row[], {dot, about}: Symbols): string {
  const count = (...groups: string[]) => rows.filter((row) => groups.includes(groupOf(row))).length
  const need = count('needs-you')
  const today = sumCostSince(history.entries, new Date().setHours(0, 0, 0, 0), prices)
  return [
    ...(need === 0 ? [] : [need === 1 ? '1 needs you' : `${need} need you`]),
    `${count('orphaned', 'working')} working`,
    `${count('waiting')} waiting`,
    `${today.isEstimate ? about : ''}${formatMoney(today.costUsd)} today`,
  ].join(` ${dot} `)
}
