import {useWindowVirtualizer} from '@tanstack/react-virtual'
import {useEffect, useLayoutEffect, useRef, useState} from 'react'
import {needsAttention} from '../ui/state.ts'
import type {RowMeasure, RowsProps, TableItem} from './table-items.ts'

/** How many rows before a placeholder the next page is requested. */
const AHEAD = 60

/** The rows of a long table, of which only the visible ones are rendered. */
export function WindowedRows({items, wanted, render, onNeedMore, onRange}: RowsProps) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop((ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    // The content above the table changes its height with the window, and when a notice appears.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => estimateHeight(items[index]),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 40,
    scrollPaddingEnd: 48,
  })
  useEffect(() => {
    if (wanted === undefined) return
    const index = items.findIndex(({key}) => key === wanted.key)
    if (index !== -1) virtualizer.scrollToIndex(index, {align: wanted.isAtTop ? 'start' : 'auto'})
    // Rows that appear later do not move the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [virtualizer, wanted])
  const {startIndex = 0, endIndex = 0} = virtualizer.range ?? {}
  useEffect(() => onRange(startIndex, endIndex), [onRange, startIndex, endIndex])
  const isNearEnd = [startIndex, endIndex, endIndex + AHEAD].some(
    (index) => items[Math.min(index, items.length - 1)]?.type === 'placeholder',
  )
  useEffect(() => {
    if (isNearEnd) onNeedMore()
    // After each page there may be more to load.
  }, [isNearEnd, items, onNeedMore])
  const {measureElement} = virtualizer
  // The same object each time, so that a row that did not change is not rendered again.
  const [measures] = useState(() => new Map<number, RowMeasure>())
  const measureAt = (index: number): RowMeasure => {
    const known = measures.get(index) ?? {ref: measureElement, 'data-index': index}
    measures.set(index, known)
    return known
  }
  const lines = virtualizer.getVirtualItems()
  const before = (lines[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((lines.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={ref} style={{paddingTop: before, paddingBottom: Math.max(0, after)}}>
      {lines.map(({index}) => {
        const item = items[index]
        return item !== undefined && render(item, index, measureAt(index))
      })}
    </tbody>
  )
}

function estimateHeight(item: TableItem | undefined): number {
  if (item === undefined || item.type === 'section') return 30
  const isNarrow = window.innerWidth < 768
  const isAsking = item.type === 'run' && needsAttention(item.run)
  return (isNarrow ? 92 : 57) + (isAsking ? 30 : 0)
}
