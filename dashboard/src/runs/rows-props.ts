import {type ReactNode, type Ref} from 'react'
import type {TableItem} from './table-items.ts'

/** Props of the rows. */
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
