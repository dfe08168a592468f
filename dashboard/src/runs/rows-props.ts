import {type ReactNode, type Ref} from 'react'
import type {TableItem} from './table-items.ts'

/** What rows are made of. */
export interface RowsProps {
  items: readonly TableItem[]
  /** The line to bring into view when it is another than before. */
  wantedKey: string | undefined
  render: (item: TableItem, index: number, measure?: RowMeasure) => ReactNode
}

/** What a row carries so that its height is known. */
export interface RowMeasure {
  ref: Ref<HTMLTableRowElement>
  'data-index': number
}
