import {lazy, Suspense, useEffect} from 'react'
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
  const {items, render, wanted, onNeedMore, onRange} = props
  const isShort = items.length <= FEW
  const hasPlaceholder = isShort && items.some(({type}) => type === 'placeholder')
  useEffect(() => {
    if (hasPlaceholder) onNeedMore()
  }, [hasPlaceholder, onNeedMore])
  useEffect(() => {
    if (isShort) onRange(0, items.length - 1)
  }, [isShort, items, onRange])
  useEffect(() => {
    if (!isShort || wanted?.isAtTop !== true) return
    const index = items.findIndex(({key}) => key === wanted.key)
    const row = document.querySelector(`tr[aria-rowindex="${index + 2}"]`)
    row?.scrollIntoView({block: 'start'})
    // Rows that appear later do not move the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted])
  const first = <tbody>{items.slice(0, FEW).map((item, index) => render(item, index))}</tbody>
  if (isShort) return first
  return (
    <Suspense fallback={first}>
      <WindowedRows {...props} />
    </Suspense>
  )
}
