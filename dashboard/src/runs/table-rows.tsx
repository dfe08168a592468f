import {lazy, Suspense} from 'react'
import type {RowsProps} from './table-items.ts'

/** Up to this many rows, all are rendered. */
const FEW = 100

// Loaded lazily: most lists are short and do not need it.
const WindowedRows = lazy(async () => {
  const {WindowedRows: component} = await import('./windowed-rows.tsx')
  return {default: component}
})

/** The rows of the table; of many only the visible ones are rendered. */
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
