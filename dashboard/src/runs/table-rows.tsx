import {lazy, Suspense} from 'react'
import {type RowsProps} from './rows-props.ts'

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
