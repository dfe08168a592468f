import {lazy, Suspense, type ReactNode, type Ref} from 'react'
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

/** As many lines are drawn without a thought. */
const FEW = 100

// Most lists are short, and need none of it.
const WindowedRows = lazy(async () => {
  const {WindowedRows: component} = await import('./windowed-rows.tsx')
  return {default: component}
})

/** The lines of the table; of many only those in view are drawn. */
export function TableRows(props: RowsProps) {
  const {items, render} = props
  const first = <tbody>{items.slice(0, FEW).map((item, index) => render(item, index))}</tbody>
  if (items.length <= FEW) return first
  return (
    <Suspense fallback={first}>
      <WindowedRows {...props} />
    </Suspense>
  )
}
