import type {ReactNode, Ref} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

/** A row of the table: a heading, a run, or the place of a run that is not loaded. */
export type TableItem =
  | {type: 'section'; key: string; section: Section; moved: number; fresh: number}
  | {type: 'run'; key: string; run: RunSummary}
  | {type: 'placeholder'; key: string}

/** A row to scroll to. */
export interface WantedRow {
  key: string
  /** Whether it should be at the top; otherwise it is only scrolled into view. */
  isAtTop: boolean
}

/** Props of the rows of the table. */
export interface RowsProps {
  items: readonly TableItem[]
  /** The row to scroll to when it changes. */
  wanted: WantedRow | undefined
  render: (item: TableItem, index: number, measure?: RowMeasure) => ReactNode
  /** Called when a placeholder is or will soon be in view. */
  onNeedMore: () => void
  /** Called with the indices of the first and last visible items. */
  onRange: (first: number, last: number) => void
}

/** Props of a row for measuring its height. */
export interface RowMeasure {
  ref: Ref<HTMLTableRowElement>
  'data-index': number
}

export function toTableItems(
  {sections, moved, fresh}: HeldSections,
  runs: ReadonlyMap<string, RunSummary>,
): TableItem[] {
  const items: TableItem[] = []
  for (const [index, section] of sections.entries()) {
    const {key, runIds, missing} = section
    items.push({
      type: 'section',
      key: `section ${key}`,
      section,
      moved: moved.get(key) ?? 0,
      fresh: index === 0 ? fresh : 0,
    })
    for (const runId of runIds) {
      const run = runs.get(runId)
      if (run !== undefined) items.push({type: 'run', key: runId, run})
    }
    for (let at = 0; at < missing; at++) {
      items.push({type: 'placeholder', key: `missing ${key} ${runIds.length + at}`})
    }
  }
  return items
}
