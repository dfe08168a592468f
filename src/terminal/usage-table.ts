import {formatNumber} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import {cutToWidth, type ScreenStyle} from './layout.ts'
import type {Symbols} from './symbols.ts'
import {textWidth} from './text-width.ts'
import {createTokenFormat, formatCost, formatTokenCount, type ShownCost} from './usage-figures.ts'

/** A line of a table of usage. */
export interface UsageLine extends ShownCost {
  label: string
  /** The agents, or other names in the second column. */
  names: readonly string[]
  tokens: {input: number; output: number; cacheRead: number; cacheWrite: number}
  sessions: number
  /** The usage of each agent and model in the line. */
  parts?: readonly UsageLine[] | undefined
}

/** A table of usage. */
export interface UsageTable {
  /** The head of the first column, such as `DAY`. */
  head: string
  /** @defaultValue `AGENTS` */
  namesHead?: string | undefined
  lines: readonly UsageLine[]
  /** The last line, whose names are summarized already. */
  total?: (Omit<UsageLine, 'names' | 'parts'> & {names: string}) | undefined
  /** The width of the first column on a narrow terminal, and on a terminal of 80 columns. */
  labelWidth: {min: number; normal: number}
}

const HEADS = {in: 'IN', out: 'OUT', cache: 'CACHE', sessions: 'SESSIONS', cost: 'COST'} as const
const WIDTHS: Readonly<Record<ColumnName, number>> = {
  in: 5,
  out: 5,
  cache: 6,
  sessions: 8,
  cost: 9,
}
const UNPRICED_WIDTH = 10
const GAP = 2
const NORMAL_WIDTH = 80
/** The width of the label and the names on a terminal of {@link NORMAL_WIDTH}. */
const LEFT_WIDTH = 36
const MAX_NAMES = 3
/** The columns that a narrow terminal drops, in this order. It has no names. */
const DROPPED: readonly ColumnName[] = ['sessions', 'cache', 'out', 'in']

type ColumnName = keyof typeof HEADS

/** The columns that fit, with their widths. */
interface TableLayout {
  label: number
  /** 0 if there are no names. */
  names: number
  columns: readonly (readonly [name: ColumnName, width: number])[]
  width: number
  more: string
}

/** Formats usage as a table that fits the width. Its total follows a rule. */
export function formatUsageTable(table: UsageTable, style: ScreenStyle): string[] {
  const {head, namesHead = 'AGENTS', lines, total} = table
  const {symbols, colors} = style
  const layout = layOutTable(table, style)
  const shown = lines.flatMap((line) => [line, ...(line.parts ?? [])])
  const formats: TokenFormats = {
    in: createTokenFormat(shown.map(({tokens}) => tokens.input)),
    out: createTokenFormat(shown.map(({tokens}) => tokens.output)),
    cache: createTokenFormat(shown.map(cacheOf)),
  }
  const rows = [joinCells(layout, head, namesHead, HEADS)]
  for (const line of lines) {
    const names = fitNames(line.names, layout.names)
    rows.push(joinCells(layout, line.label, names, formatCells(line, formats, symbols)))
    for (const part of line.parts ?? []) {
      // The name of a part takes the space of both columns.
      const label = layout.names === 0 ? layout.label : layout.label + 1 + layout.names
      const text = `  ${[...part.names, part.label].join(' ')}`
      const cells = formatCells(part, formats, symbols)
      rows.push(joinCells({...layout, label, names: 0}, text, '', cells))
    }
  }
  if (total !== undefined) {
    rows.push(colors.frame(symbols.rule.repeat(layout.width)))
    rows.push(joinCells(layout, total.label, total.names, formatCells(total, PLAIN, symbols)))
  }
  return rows
}

type TokenFormats = Readonly<Record<'in' | 'out' | 'cache', (count: number) => string>>

const PLAIN: TokenFormats = {in: formatTokenCount, out: formatTokenCount, cache: formatTokenCount}

function formatCells(
  line: Pick<UsageLine, 'tokens' | 'sessions' | 'costUsd' | 'isEstimate'>,
  formats: TokenFormats,
  symbols: Symbols,
): Record<ColumnName, string> {
  return {
    in: formats.in(line.tokens.input),
    out: formats.out(line.tokens.output),
    cache: formats.cache(cacheOf(line)),
    sessions: formatNumber(line.sessions),
    cost: formatCost(line, symbols),
  }
}

function cacheOf({tokens}: Pick<UsageLine, 'tokens'>): number {
  return tokens.cacheRead + tokens.cacheWrite
}

function layOutTable(
  {lines, total, labelWidth}: UsageTable,
  {width: screenWidth, symbols: {more}}: ScreenStyle,
): TableLayout {
  const priced = [
    ...lines.flatMap((line) => [line, ...(line.parts ?? [])]),
    ...(total === undefined ? [] : [total]),
  ]
  const cost = priced.some(({costUsd}) => costUsd === null) ? UNPRICED_WIDTH : WIDTHS.cost
  const names = Object.keys(HEADS) as ColumnName[]
  let columns = names.map((name) => [name, name === 'cost' ? cost : WIDTHS[name]] as const)
  if (screenWidth >= NORMAL_WIDTH) {
    const longest = Math.max(...lines.map(({label}) => textWidth(label)), labelWidth.normal)
    const width = Math.min(screenWidth, NORMAL_WIDTH + longest - labelWidth.normal)
    const label = labelWidth.normal + width - NORMAL_WIDTH
    return {label, names: LEFT_WIDTH - 1 - labelWidth.normal, columns, width, more}
  }
  const widthLeft = () => columns.reduce((left, [, width]) => left - GAP - width, screenWidth)
  for (const dropped of DROPPED) {
    if (widthLeft() >= labelWidth.min) break
    columns = columns.filter(([name]) => name !== dropped)
  }
  return {label: Math.max(1, widthLeft()), names: 0, columns, width: screenWidth, more}
}

/** Names as far as they fit, and the number of others: `claude codex gemini +3`. */
function fitNames(names: readonly string[], width: number): string {
  for (let count = Math.min(names.length, MAX_NAMES); count > 1; count--) {
    const text = joinNames(names, count)
    if (textWidth(text) <= width) return text
  }
  return joinNames(names, 1)
}

function joinNames(names: readonly string[], count: number): string {
  const rest = names.length - count
  return [...names.slice(0, count), ...(rest > 0 ? [`+${rest}`] : [])].join(' ')
}

function joinCells(
  {label, names, columns, more}: TableLayout,
  first: string,
  second: string,
  cells: Readonly<Record<ColumnName, string>>,
): string {
  const left = [padCell(first, label, more), ...(names > 0 ? [padCell(second, names, more)] : [])]
  const right = columns.map(([name, width]) => cells[name].padStart(width + GAP))
  return left.join(' ') + right.join('')
}

function padCell(text: string, width: number, more: string): string {
  const cut = cutToWidth(escapeControls(text), width, more)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}
