import {
  defaultRangeExtractor,
  measureElement,
  useVirtualizer,
  type Range,
} from '@tanstack/react-virtual'
import {useCallback, useLayoutEffect, useRef, useState} from 'react'
import type {Entry, EntryId} from '../model/entry.ts'
import {createRowEstimates} from './row-estimates.ts'
import {isAboveAnchor} from './scroll-anchor.ts'

/** Distance from the end, in pixels, up to which a feed counts as at its end. */
export const END_THRESHOLD = 80
/** Height of the feed bar, which covers the top of the page where the page scrolls. */
const BAR_HEIGHT = 44

/** Renders the rows of a feed that are in view. Rows in view keep their place when rows above them change. */
export function useVirtualRows({
  rows,
  isOpen,
  selected,
  isFollowing,
  getScrollElement,
  scrollMargin,
}: {
  rows: readonly Entry[]
  isOpen(entry: Entry): boolean
  selected: EntryId | undefined
  isFollowing: boolean
  getScrollElement(): HTMLElement | null
  /** Height of the content above the list inside the scroll element. */
  scrollMargin: number
}) {
  const [estimates] = useState(createRowEstimates)
  estimates.update(rows, isOpen)
  const known = useRef(rows)
  useLayoutEffect(() => {
    known.current = rows
  })
  // Anchoring at the end makes every measurement read the total height, so it is on only when it is needed.
  const isAnchored = isFollowing || known.current !== rows

  const lastStart = useRef(0)
  const rangeExtractor = useCallback((range: Range) => {
    const {startIndex, endIndex, overscan} = range
    const isFar = Math.abs(startIndex - lastStart.current) > endIndex - startIndex + 2 * overscan
    lastStart.current = startIndex
    // After a long jump every row is new: rendering only those in view keeps the frame short.
    return defaultRangeExtractor(isFar ? {...range, overscan: 0} : range)
  }, [])

  const [measured] = useState(() => new Set<EntryId>())
  const isFirstMeasure = useRef(false)
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler is not used
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement,
    getItemKey: estimates.getId,
    estimateSize: estimates.getHeight,
    measureElement(element, entry, instance) {
      const index = instance.indexFromElement(element)
      const height = measureElement(element, entry, instance)
      // Rows of a hidden feed have no height.
      if (height === 0) return instance.measurementsCache[index]?.size ?? estimates.getHeight(index)
      const id = estimates.getId(index)
      isFirstMeasure.current = !measured.has(id)
      measured.add(id)
      return height
    },
    rangeExtractor,
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: scrollMargin > 0 ? BAR_HEIGHT : 0,
    paddingStart: 8,
    paddingEnd: 24,
    anchorTo: isAnchored ? 'end' : 'start',
    scrollEndThreshold: isFollowing ? END_THRESHOLD : -1,
    directDomUpdates: true,
  })
  const items = virtualizer.getVirtualItems()
  const selectedIndex = items.find(({index}) => rows[index]?.id === selected)?.index ?? -1
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row, _, instance) => {
    const start = instance.scrollOffset ?? 0
    return isAboveAnchor(row, {
      view: {start, end: start + (instance.scrollRect?.height ?? 0)},
      selected: instance.measurementsCache[selectedIndex],
      isFirstMeasure: isFirstMeasure.current,
    })
  }
  return {virtualizer, items}
}
