import type {ReactNode, Ref} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

/** A row of the table: a heading, or a run. */
export type TableItem =
  | {type: 'section'; key: string; section: Section; moved: number; fresh: number}
  | {type: 'run'; key: string; run: RunSummary}

/** Props of the rows of the table. */
export interface RowsProps {
  items: readonly TableItem[]
  /** The row to scroll into view when it changes. */
  wantedKey: string | undefined
  render: (item: TableItem, index: number, measure?: RowMeasure) => ReactNode
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
  return sections.flatMap((section, index): TableItem[] => [
    {
      type: 'section',
      key: `section ${section.key}`,
      section,
      moved: moved.get(section.key) ?? 0,
      fresh: index === 0 ? fresh : 0,
    },
    ...section.runIds.flatMap((runId): TableItem[] => {
      const run = runs.get(runId)
      return run === undefined ? [] : [{type: 'run', key: runId, run}]
    }),
  ])
}
