import {useWindowVirtualizer} from '@tanstack/react-virtual'
import {useEffect, useLayoutEffect, useRef, useState} from 'react'
import {needsAttention} from '../ui/state.ts'
import type {RowsProps, TableItem} from './table-items.ts'

/** The rows of a long table, of which only the visible ones are rendered. */
export function WindowedRows({items, wantedKey, render}: RowsProps) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- the React compiler is not used
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => estimateHeight(items[index]),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 40,
    scrollPaddingEnd: 48,
  })
  const wanted = wantedKey === undefined ? -1 : items.findIndex(({key}) => key === wantedKey)
  useEffect(() => {
    if (wanted !== -1) virtualizer.scrollToIndex(wanted, {align: 'auto'})
  }, [virtualizer, wanted])
  const lines = virtualizer.getVirtualItems()
  const before = (lines[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((lines.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={ref} style={{paddingTop: before, paddingBottom: Math.max(0, after)}}>
      {lines.map(({index}) => {
        const item = items[index]
        const measure = {ref: virtualizer.measureElement, 'data-index': index}
        return item !== undefined && render(item, index, measure)
      })}
    </tbody>
  )
}

function estimateHeight(item: TableItem | undefined): number {
  if (item?.type !== 'run') return 30
  const isNarrow = window.innerWidth < 768
  return (isNarrow ? 92 : 57) + (needsAttention(item.run) ? 30 : 0)
}
