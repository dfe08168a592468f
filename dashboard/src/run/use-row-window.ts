import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {useCallback, useLayoutEffect, useReducer, useRef, useState} from 'react'
import {flushSync} from 'react-dom'
import type {Entry, EntryId} from '../model/entry.ts'
import {estimateHeight} from './estimate-height.ts'

/** What a row is high until more is known of it. */
const LINE_HEIGHT = 26
/** Where the page scrolls, so much of it is under the bar of the feed. */
const BAR_HEIGHT = 44

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
}: {
  rows: readonly Entry[]
  isOpen(entry: Entry): boolean
  getScrollElement(): HTMLElement | null
  scrollMargin: number
  selected: EntryId | undefined
}) {
  // What is opened and closed since is on screen, and measured.
  const [{estimates, measured}] = useState(() => ({
    estimates: new Map<EntryId, number>(),
    measured: new Set<Key>(),
  }))
  // Functions that are made anew would make it measure everything anew.
  const latest = useRef({rows, isOpen, selected})
  latest.current = {rows, isOpen, selected}
  const getItemKey = useCallback((index: number) => latest.current.rows[index]?.id ?? index, [])
  const estimateSize = useCallback(
    (index: number) => {
      const now = latest.current
      const entry = now.rows[index]
      if (entry === undefined) return LINE_HEIGHT
      const known = estimates.get(entry.id)
      if (known !== undefined) return known
      const height = estimateHeight(entry, now.isOpen(entry))
      // A call that runs is open, and is not when it has ended.
      if (entry.type !== 'tool' || entry.endAt !== undefined) estimates.set(entry.id, height)
      return height
    },
    [estimates],
  )

  const from = useRef(0)
  const rangeExtractor = useCallback((range: Range) => {
    const {startIndex, endIndex, overscan} = range
    const isFar = Math.abs(startIndex - from.current) > endIndex - startIndex + 2 * overscan
    from.current = startIndex
    // Where everything is new, what is not on screen can wait.
    return defaultRangeExtractor(isFar ? {...range, overscan: 0} : range)
  }, [])

  /** How much rows above what is read turned out higher, until that is made up for. */
  const grown = useRef(0)
  /** Rows that were measured since the last drawing. */
  const fresh = useRef<Key[]>([])
  /** The first row on screen whose height was known before. */
  const firstSeen = useRef<Key | undefined>(undefined)
  /** Which way somebody last scrolled. */
  const direction = useRef<'forward' | 'backward'>('forward')
  /** Where to scroll for that. */
  const wantedTop = useRef<number | undefined>(undefined)
  /** Where it was when that was last read, or where it has scrolled to by itself since. */
  const knownTop = useRef(0)
  const isAttaching = useRef(false)
  const drawAgain = useReducer((count: number) => count + 1, 0)[1]
  const covered = scrollMargin > 0 ? BAR_HEIGHT : 0
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler is not used
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement,
    estimateSize,
    getItemKey,
    measureElement(element, entry, instance) {
      const size = measureElement(element, entry, instance)
      fresh.current.push(getItemKey(instance.indexFromElement(element)))
      if (size > 0) return size
      // A feed that is hidden has rows without a height, and room for all of them.
      return instance.measurementsCache[instance.indexFromElement(element)]?.size ?? LINE_HEIGHT
    },
    onChange: keepPlace,
    scrollToFn(offset, how, instance) {
      elementScroll(offset, how, instance)
      knownTop.current = instance.scrollElement?.scrollTop ?? 0
    },
    rangeExtractor,
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: covered,
    paddingStart: 8,
    paddingEnd: 24,
  })
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({key, start, end}, delta, instance) => {
    const {scrollRect, scrollDirection} = instance
    const top = instance.scrollOffset ?? 0
    direction.current = scrollDirection ?? direction.current
    const place = findPlace(instance, [latest.current.selected, firstSeen.current])
    const bottom = top + (scrollRect?.height ?? 0)
    // Of a row that begins above it and ends below, what it comes to was but a guess at first. Later it grows at its end, which moves
    // what is below it: nothing of that is seen by whoever reads it, and all of it by whoever has come up from there.
    const isGuess = !measured.has(key) || (direction.current === 'backward' && end < bottom)
    if (isGuess ? start < place : end <= place) grown.current += delta
    // Who is far down in a row that folds would see what comes after it.
    else if (start < top && end + delta <= top + covered) grown.current += start - covered - top
    // Were it to scroll for each row by itself, it would compute all places anew for each.
    return false
  }

  /** What is read stays where it is while rows above it turn out higher or lower. */
  function keepPlace(instance: Rows): void {
    const by = grown.current
    if (by === 0) return
    grown.current = 0
    instance.scrollOffset = (instance.scrollOffset ?? 0) + by
    wantedTop.current = instance.scrollOffset
    // Before the page is painted, or it would be seen to jump.
    if (!isAttaching.current) flushSync(drawAgain)
  }
  useLayoutEffect(() => {
    const {scrollElement, scrollOffset} = virtualizer
    const top = scrollOffset ?? 0
    const items = virtualizer.getVirtualItems()
    for (const key of fresh.current) measured.add(key)
    fresh.current = []
    firstSeen.current = items.find(({key, end}) => end > top && measured.has(key))?.key
    if (wantedTop.current === undefined) return
    // Not before the rows have their new places: the page was shorter, and could not go as far.
    scrollElement?.scrollTo({top: wantedTop.current})
    knownTop.current = scrollElement?.scrollTop ?? 0
    wantedTop.current = undefined
  })

  const {measureElement: attach} = virtualizer
  const measure = useCallback(
    (element: HTMLElement | null) => {
      isAttaching.current = true
      attach(element)
      isAttaching.current = false
    },
    [attach],
  )
  /** How far anybody but itself has scrolled since this was last asked. */
  const readMove = useCallback(() => {
    const top = virtualizer.scrollOffset ?? 0
    const by = top - knownTop.current
    knownTop.current = top
    return by
  }, [virtualizer])
  return {virtualizer, measure, readMove}
}

type Rows = Virtualizer<HTMLElement, HTMLElement>

type Key = VirtualItem['key']

/** What must not move: the first of these rows that is on screen, else where the screen begins. */
function findPlace(instance: Rows, keys: readonly (Key | undefined)[]): number {
  const {elementsCache, measurementsCache, scrollRect} = instance
  const top = instance.scrollOffset ?? 0
  const bottom = top + (scrollRect?.height ?? 0)
  for (const key of keys) {
    const element = key === undefined ? undefined : elementsCache.get(key)
    const row = element && measurementsCache[instance.indexFromElement(element)]
    if (row !== undefined && row.end > top && row.start < bottom) return Math.max(top, row.start)
  }
  return top
}
