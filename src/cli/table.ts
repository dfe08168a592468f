import {cutText, escapeControls} from '../core/text/text.ts'

/** A column of a table. */
export interface Column<Row> {
  head: string
  cell(row: Row): string
  /** Figures go to the right. */
  isRight?: boolean
  /** On a terminal that is too narrow it is cut, to no less than this. */
  least?: number
  /** Left out on a narrow terminal. */
  isExtra?: boolean
}

const NARROW = 80

/** Lays out rows for a terminal; without one, as a pipe wants them: separated by tabs, nothing cut. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | undefined,
): string {
  const shown = columns.filter(({isExtra}) => !(isExtra === true && (width ?? NARROW) < NARROW))
  const lines = [
    shown.map(({head}) => head),
    ...rows.map((row) => shown.map(({cell}) => escapeControls(cell(row)))),
  ]
  if (width === undefined) return lines.map((cells) => `${cells.join('\t')}\n`).join('')
  const widths = fitWidths(lines, shown, width)
  const cut = lines.map((cells) => cells.map((cell, index) => cutText(cell, widths[index] ?? 0)))
  return cut
    .map((cells) => {
      const padded = cells.map((cell, index) =>
        shown[index]?.isRight === true
          ? cell.padStart(widths[index] ?? 0)
          : cell.padEnd(widths[index] ?? 0),
      )
      return `${padded.join('  ').trimEnd()}\n`
    })
    .join('')
}

const GAP = 2

/** How wide each column is: as its widest cell, the flexible ones less where the terminal is too narrow. */
function fitWidths<Row>(
  lines: readonly string[][],
  columns: readonly Column<Row>[],
  width: number,
): number[] {
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => cells[index]?.length ?? 0)),
  )
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP, -GAP) - width
  for (const [index, {least}] of columns.entries()) {
    if (least === undefined || excess <= 0) continue
    const before = widths[index] ?? 0
    const after = Math.max(least, before - excess)
    widths[index] = Math.min(before, after)
    excess -= before - (widths[index] ?? 0)
  }
  return widths
}
