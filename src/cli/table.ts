import {cutText, makeHarmless} from '../core/index.ts'

/** A column of a table. */
export interface Column<Row> {
  head: string
  cell(row: Row): string
  /** Figures go to the right. */
  isRight?: boolean
  /** The most columns it takes on a terminal. */
  most?: number
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
    ...rows.map((row) => shown.map(({cell}) => makeHarmless(cell(row)))),
  ]
  if (width === undefined) return lines.map((cells) => `${cells.join('\t')}\n`).join('')
  const cut = lines.map((cells) =>
    cells.map((cell, index) => cutText(cell, shown[index]?.most ?? 1000)),
  )
  const widths = shown.map((_, index) => Math.max(...cut.map((cells) => cells[index]?.length ?? 0)))
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
