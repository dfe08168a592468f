import {escapeControls} from '../core/text/text.ts'
import {cutToWidth} from '../terminal/layout.ts'
import {textWidth} from '../terminal/text-width.ts'

/** A column of a table. */
export interface Column<Row> {
  head: string
  cell(row: Row): string
  /** Whether cells are aligned right, as numbers are. */
  isRight?: boolean
  /** On a narrow terminal the column is cut to at least this width. */
  minWidth?: number
  /** Whether the column is left out on a narrow terminal. */
  isOptional?: boolean
}

const NARROW_WIDTH = 80

/** Formats rows for a terminal of this width; without a width, separated by tabs and not cut. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | undefined,
): string {
  const shown = columns.filter(
    ({isOptional: isExtra}) => !(isExtra === true && (width ?? NARROW_WIDTH) < NARROW_WIDTH),
  )
  const lines = [
    shown.map(({head}) => head),
    ...rows.map((row) => shown.map(({cell}) => escapeControls(cell(row)))),
  ]
  if (width === undefined) return lines.map((cells) => `${cells.join('\t')}\n`).join('')
  const widths = fitWidths(lines, shown, width)
  return lines
    .map((cells) => {
      const padded = cells.map((cell, index) => {
        const cut = cutToWidth(cell, widths[index] ?? 0, '…')
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - textWidth(cut)))
        return shown[index]?.isRight === true ? gap + cut : cut + gap
      })
      return `${padded.join('  ').trimEnd()}\n`
    })
    .join('')
}

const GAP = 2

/** Returns the width of each column; columns with a minimum shrink to fit the terminal. */
function fitWidths<Row>(
  lines: readonly string[][],
  columns: readonly Column<Row>[],
  width: number,
): number[] {
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => textWidth(cells[index] ?? ''))),
  )
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP, -GAP) - width
  for (const [index, {minWidth: least}] of columns.entries()) {
    if (least === undefined || excess <= 0) continue
    const before = widths[index] ?? 0
    const after = Math.max(least, before - excess)
    widths[index] = Math.min(before, after)
    excess -= before - (widths[index] ?? 0)
  }
  return widths
}
