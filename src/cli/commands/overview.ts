import {basename} from 'node:path'
import {Command} from 'commander'
import {formatCount, formatDuration, formatMoney} from '../../core/text/figures.ts'
import {readConfig} from '../../recording/config.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {textWidth} from '../../terminal/text-width.ts'
import type {Symbols} from '../../terminal/symbols.ts'
import {describeCost, describeState} from '../describe-row.ts'
import {describeWork, groupOf, listEntries, sortRows, type List, type Row} from '../list-rows.ts'
import {print} from '../output.ts'
import {measureIds} from '../short-ids.ts'
import {getStdoutStyle} from '../style.ts'
import {sumCostSince} from '../sum-cost.ts'
import {formatTable, type Column} from '../table.ts'

const MAX_ROWS = 12
const DEFAULT_WIDTH = 80

/** `vitrine` without arguments: what is running, and what it cost today. */
export const overview: Command = new Command('overview').action(async () => {
  const dataDir = defaultDataDir()
  const list = await listEntries(dataDir)
  if (list.rows.length === 0) return print(FIRST_USE)
  const {width = DEFAULT_WIDTH, symbols} = getStdoutStyle()
  const shown = sortRows(list.rows).slice(0, MAX_ROWS)
  const [first] = shown
  const parts = [
    `${describeToday(list, dataDir, symbols, width)}\n`,
    formatTable(shown, columnsFor(symbols, measureIds(list.rows)), width),
    `${describeCommands(first, measureIds(list.rows), width)}\n`,
    await describeNotices(list, dataDir, symbols),
  ]
  await print(parts.filter((part) => part !== '').join('\n'))
})

const FIRST_USE = `No runs or sessions yet.

  vitrine run claude -p "Fix the failing test"   start an agent
  vitrine doctor                                 check the session folders
`

/** The first line: today on the left, the month on the right. */
function describeToday(
  {rows, history, prices}: List,
  dataDir: string,
  symbols: Symbols,
  width: number,
): string {
  const now = new Date()
  const money = (since: number) => {
    const {costUsd, isEstimate} = sumCostSince(history.entries, since, prices)
    return `${isEstimate ? symbols.about : ''}${formatMoney(costUsd)}`
  }
  const count = (...groups: string[]) => rows.filter((row) => groups.includes(groupOf(row))).length
  const live = count('needs-you', 'orphaned', 'working', 'waiting')
  const need = count('needs-you')
  const today = [
    `Today ${money(new Date().setHours(0, 0, 0, 0))}`,
    `${live} live`,
    ...(need === 0 ? [] : [need === 1 ? '1 needs you' : `${need} need you`]),
  ].join(` ${symbols.dot} `)
  const {monthUsd} = readConfig(dataDir).config.budget
  const month = now.toLocaleString('en', {month: 'long'})
  const spent = money(new Date(now.getFullYear(), now.getMonth(), 1).getTime())
  const ofMonth = `${month} ${spent}${monthUsd === undefined ? '' : ` of ${formatMoney(monthUsd)}`}`
  const gap = width - textWidth(today) - textWidth(ofMonth)
  return gap < 2 ? today : `${today}${' '.repeat(gap)}${ofMonth}`
}

function columnsFor(symbols: Symbols, idWidth: number): Column<Row>[] {
  return [
    {head: 'ID', cell: ({runId}) => runId.slice(0, idWidth)},
    {head: 'STATE', cell: (row) => describeState(row, symbols)},
    {head: 'AGENT', cell: ({agent}) => agent ?? '-', isOptional: true},
    {head: 'TITLE', cell: describeWork, minWidth: 16},
    {head: 'PROJECT', cell: ({cwd}) => basename(cwd), minWidth: 10, isOptional: true},
    {head: 'COST', cell: (row) => describeCost(row, symbols), isRight: true},
    {head: 'TIME', cell: ({durationMs}) => formatDuration(durationMs), isRight: true},
  ]
}

function describeCommands(first: Row | undefined, idWidth: number, width: number): string {
  const view = `vitrine view ${first?.runId.slice(0, idWidth) ?? ''}`
  const commands = [view, 'vitrine usage', 'vitrine serve', 'vitrine --help']
  const lines = commands.map((_, at) => commands.slice(0, commands.length - at).join('     '))
  return lines.find((line) => textWidth(line) <= width) ?? view
}

/** Notices that need attention, at most two lines. */
async function describeNotices(
  {history, prices}: List,
  dataDir: string,
  {stuck}: Symbols,
): Promise<string> {
  const {describeRisk} = await import('../archive-notice.ts')
  const risk = describeRisk(history, dataDir)
  const models = new Set<string>()
  for (const {requests} of history.entries) {
    for (const request of requests) {
      const isPriced = request.costUsd !== undefined || prices.costOf(request) !== null
      if (!isPriced && request.model !== undefined) models.add(request.model)
    }
  }
  const lines = [
    ...(risk === undefined ? [] : [`${stuck} ${risk}\n`]),
    ...(models.size === 0
      ? []
      : [
          `${stuck} ${formatCount(models.size, 'model')} ${models.size === 1 ? 'has' : 'have'} no price: ${listNames([...models])}\n`,
        ]),
  ]
  return lines.join('')
}

const MAX_NAMES = 3

function listNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
