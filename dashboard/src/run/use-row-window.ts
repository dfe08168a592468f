import {
  defaultRangeExtractor,
  measureElement,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {useCallback, useMemo, useReducer, useRef} from 'react'
import {flushSync} from 'react-dom'
import type {Entry} from '../model/entry.ts'
import {estimateHeight} from './estimate-height.ts'

/** What a row is high until more is known of it. */
const LINE_HEIGHT = 26

/**
 * Which rows of a feed are on screen, and where. Heights are estimated until they are seen, and all places are
 * computed anew when one of them was wrong, so what that takes is kept for a feed of any length.
 */
export function useRowWindow({
  rows,
  isOpen,
  getScrollElement,
  scrollMargin,
  selected,
  isPreview,
}: {
  rows: readonly Entry[]
  isOpen(entry: Entry): boolean
  getScrollElement(): HTMLElement | null
  scrollMargin: number
  selected: number | undefined
  isPreview: boolean
}) {
  const ids = useMemo(() => listIds(rows), [rows])
  // By id. What is opened and closed since is on screen, and measured.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows of a preview have other ids
  const estimates = useMemo<number[]>(() => [], [isPreview])
  // Functions that are made anew would make it measure everything anew.
  const latest = useRef({rows, isOpen, ids, estimates, selected})
  latest.current = {rows, isOpen, ids, estimates, selected}
  const getItemKey = useCallback((index: number) => latest.current.ids[index] ?? index, [])
  const estimateSize = useCallback((index: number) => {
    const now = latest.current
    const known = now.estimates[now.ids[index] ?? -1]
    if (known !== undefined) return known
    const entry = now.rows[index]
    if (entry === undefined) return LINE_HEIGHT
    const height = estimateHeight(entry, now.isOpen(entry))
    // A call that runs is open, and is not when it has ended.
    if (entry.type !== 'tool' || entry.endAt !== undefined) now.estimates[entry.id] = height
    return height
  }, [])

  const from = useRef(0)
  const rangeExtractor = useCallback((range: Range) => {
    const {startIndex, endIndex} = range
    const isFar = Math.abs(startIndex - from.current) > endIndex - startIndex
    from.current = startIndex
    // Where everything is new, what is not on screen can wait.
    return defaultRangeExtractor(isFar ? {...range, overscan: 0} : range)
  }, [])

  /** How much rows above what is read turned out higher, until that is made up for. */
  const grown = useRef(0)
  const isAttaching = useRef(false)
  const drawAgain = useReducer((count: number) => count + 1, 0)[1]
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement,
    estimateSize,
    getItemKey,
    measureElement(element, entry, instance) {
      const size = measureElement(element, entry, instance)
      if (size > 0) return size
      // A feed that is hidden has rows without a height, and room for all of them.
      return instance.measurementsCache[instance.indexFromElement(element)]?.size ?? LINE_HEIGHT
    },
    onChange: keepPlace,
    rangeExtractor,
    overscan: 4,
    scrollMargin,
    paddingStart: 8,
    paddingEnd: 24,
  })
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({key, start, end}, delta, instance) => {
    const place = findPlace(instance, latest.current.selected)
    // A row that is partly above it grows below it, except when its height was but a guess.
    const isAbove = instance.itemSizeCache.has(key) ? end <= place : start < place
    if (isAbove) grown.current += delta
    // Were it to scroll for each row by itself, it would compute all places anew for each.
    return false
  }

  /** What is read stays where it is while rows above it turn out higher or lower. */
  function keepPlace(instance: Rows): void {
    const by = grown.current
    if (by === 0) return
    grown.current = 0
    const {scrollElement, scrollOffset} = instance
    const to = (scrollOffset ?? 0) + by
    instance.scrollOffset = to
    scrollElement?.scrollTo({top: to})
    // Before the page is painted, or it would be seen to jump.
    if (!isAttaching.current) flushSync(drawAgain)
  }

  const {measureElement: attach} = virtualizer
  const measure = useCallback(
    (element: HTMLElement | null) => {
      isAttaching.current = true
      attach(element)
      isAttaching.current = false
    },
    [attach],
  )
  return {virtualizer, measure}
}

type Rows = Virtualizer<HTMLElement, HTMLElement>

/** What must not move: the row that is selected, if it is on screen, else where the screen begins. */
function findPlace(instance: Rows, selected: number | undefined): number {
  const offset = instance.scrollOffset ?? 0
  const element = selected === undefined ? undefined : instance.elementsCache.get(selected)
  const row = element && instance.measurementsCache[instance.indexFromElement(element)]
  if (row === undefined) return offset
  const isOnScreen = row.end > offset && row.start < offset + (instance.scrollRect?.height ?? 0)
  return isOnScreen ? Math.max(offset, row.start) : offset
}

/** Side by side, so that to go through all of them takes little. */
function listIds(rows: readonly Entry[]): Int32Array {
  const ids = new Int32Array(rows.length)
  let index = 0
  for (const {id} of rows) ids[index++] = id
  return ids
}
