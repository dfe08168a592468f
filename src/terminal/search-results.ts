import {formatNumber, formatOffset} from '../core/text/figures.ts'
import {escapeControls, toCleanLine} from '../core/text/text.ts'
import {cutToWidth, joinSegments, type ScreenStyle, type Segment} from './layout.ts'
import {textWidth} from './text-width.ts'

/** A run or session that matches a search. */
export interface ShownResult {
  id: string
  agent: string
  title: string
  /** The name of the folder. */
  project: string
  /** When it started. */
  when: string
  moments: ShownMoment[]
  /** Number of matches that are not in `moments`. */
  more: number
}

/** A match. */
interface ShownMoment {
  offsetMs: number
  /** A word for its kind, such as `reply`. */
  word: string
  text: string
  /** Start and end of each match in `text`. */
  marks: readonly (readonly [start: number, end: number])[]
}

const GAP = '  '
const OFFSET_WIDTH = 8
const WORD_WIDTH = 6
const TEXT_COLUMN = OFFSET_WIDTH + WORD_WIDTH + 2 * GAP.length

/** Formats the results of a search for a screen: each with its matches, which are bold and underlined. */
export function formatSearchResults(results: readonly ShownResult[], style: ScreenStyle): string[] {
  const columns = measureColumns(results, style.width)
  return results.flatMap((result) => [
    formatHead(result, columns, style),
    ...result.moments.map((moment) => formatMoment(moment, style)),
    ...(result.more > 0 ? [formatMore(result.more)] : []),
  ])
}

interface ColumnWidths {
  id: number
  agent: number
  when: number
  /** The title and the project share the rest of a line. */
  rest: number
}

function measureColumns(results: readonly ShownResult[], width: number): ColumnWidths {
  const widest = (name: 'id' | 'agent' | 'when') =>
    Math.max(0, ...results.map((result) => textWidth(toCleanLine(result[name]))))
  const [id, agent, when] = [widest('id'), widest('agent'), widest('when')]
  return {id, agent, when, rest: Math.max(0, width - id - agent - when - 4 * GAP.length)}
}

function formatHead(result: ShownResult, widths: ColumnWidths, style: ScreenStyle): string {
  const {colors, symbols, width} = style
  const cell = (name: 'id' | 'agent' | 'title' | 'project', columns: number) =>
    cutToWidth(toCleanLine(result[name]), columns, symbols.more)
  const project = cell('project', Math.floor(widths.rest / 3))
  const titleWidth = widths.rest - textWidth(project)
  const segments: Segment[] = [
    {text: padTo(widths.id, cell('id', widths.id))},
    {text: GAP + padTo(widths.agent, cell('agent', widths.agent)), color: colors.fact},
    {text: GAP + padTo(titleWidth, cell('title', titleWidth))},
    {text: GAP + project + GAP + result.when.padStart(widths.when), color: colors.fact},
  ]
  return joinSegments(segments, width, symbols.more)
}

function padTo(width: number, text: string): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

function formatMoment(moment: ShownMoment, style: ScreenStyle): string {
  const {colors, symbols, width} = style
  const {offsetMs, word} = moment
  const offset = formatOffset(offsetMs).padStart(OFFSET_WIDTH)
  const name = cutToWidth(toCleanLine(word), WORD_WIDTH, symbols.more).padEnd(WORD_WIDTH)
  const segments = [
    {text: `${offset}${GAP}${name}${GAP}`, color: colors.fact},
    ...splitMarks(showFirstMark(moment, width - TEXT_COLUMN)).map(({text, isMarked}) => ({
      text: escapeControls(text),
      color: isMarked ? colors.match : undefined,
    })),
  ]
  return joinSegments(segments, width, symbols.more)
}

/** Leaves out the start of a text when the first match would be cut off. */
function showFirstMark(
  {text, marks}: ShownMoment,
  width: number,
): Pick<ShownMoment, 'text' | 'marks'> {
  const [start = 0, end = 0] = marks[0] ?? []
  if (textWidth(escapeControls(text.slice(0, end))) < width) return {text, marks}
  return {text: text.slice(start), marks: marks.map(([from, to]) => [from - start, to - start])}
}

function splitMarks({text, marks}: Pick<ShownMoment, 'text' | 'marks'>) {
  const parts: {text: string; isMarked: boolean}[] = []
  let at = 0
  for (const [start, end] of marks) {
    parts.push({text: text.slice(at, start), isMarked: false})
    parts.push({text: text.slice(start, end), isMarked: true})
    at = end
  }
  return [...parts, {text: text.slice(at), isMarked: false}]
}

function formatMore(count: number): string {
  return `${' '.repeat(OFFSET_WIDTH + GAP.length)}${formatNumber(count)} more`
}
