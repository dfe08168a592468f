import {useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref} from 'react'
import {revisionOf, type Entry, type EntryId} from '../model/entry.ts'
import {EntryRow} from './entry-row.tsx'
import {useRowWindow} from './use-row-window.ts'
import {watchScrolling} from './watch-scrolling.ts'
import styles from './feed.module.css'

/** What the keys of the page can ask of a feed. */
export interface FeedActions {
  /** Shows a row; gives it the focus too for whoever walks by key. */
  reveal(index: number, isFocused: boolean): void
}

/** Everything that happened in a run, in order; only what is on screen is in the page. */
export function Feed({
  rows,
  selected,
  isOpen,
  isFollowing,
  startedAt,
  until,
  onSelect,
  onToggle,
  onFollow,
  scroller,
  isPreview,
  ref,
}: {
  rows: readonly Entry[]
  selected: EntryId | undefined
  isOpen(entry: Entry): boolean
  isFollowing: boolean
  startedAt: number
  until: number | undefined
  onSelect(id: EntryId): void
  onToggle(id: EntryId, isOpen: boolean): void
  onFollow(isFollowing: boolean): void
  /** What scrolls, when it is not the feed itself. */
  scroller: HTMLElement | null
  /** Whether these are only the last rows, and the others will come before them. */
  isPreview: boolean
  ref?: Ref<FeedActions> | undefined
}) {
  const own = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const isInner = scroller === null
  const {virtualizer, measure, readMove} = useRowWindow({
    rows,
    isOpen,
    getScrollElement: () => scroller ?? own.current,
    scrollMargin: isInner ? 0 : margin,
    selected,
  })

  useLayoutEffect(() => {
    if (scroller === null || list.current === null) return
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    setMargin(Math.round(top + scroller.scrollTop))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is above it comes and goes with rows
  }, [scroller, rows.length])

  /** What is to be seen until it is, and whether it gets the focus then. */
  const wanted = useRef<{id: EntryId; isFocused: boolean} | undefined>(undefined)
  /** Gives it the focus if it is seen; false when it is not. */
  const focusSeen = (index: number) => {
    const {measurementsCache, scrollOffset, scrollRect} = virtualizer
    const place = measurementsCache[index]
    const row = list.current?.querySelector(`[data-entry="${wanted.current?.id}"]`)
    const top = scrollOffset ?? 0
    const isInView =
      place !== undefined && place.end > top && place.start < top + (scrollRect?.height ?? 0)
    if (!isInView || !(row instanceof HTMLElement)) return false
    if (wanted.current?.isFocused === true) row.focus({preventScroll: true})
    return true
  }
  useImperativeHandle(ref, () => ({
    reveal(index, isFocused) {
      const entry = rows[index]
      if (entry === undefined) return
      wanted.current = {id: entry.id, isFocused}
      virtualizer.scrollToIndex(index, {align: 'auto'})
      if (focusSeen(index)) wanted.current = undefined
    },
  }))
  useEffect(() => {
    if (wanted.current === undefined) return
    const {id} = wanted.current
    const index = rows.findIndex((row) => row.id === id)
    // It may be filtered out by now, and what grew above it may have pushed it out again.
    if (index === -1 || focusSeen(index)) wanted.current = undefined
    else virtualizer.scrollToIndex(index, {align: 'auto'})
  })

  // Where the others come before what is read, what is read stays where it is.
  const reading = useRef<EntryId | undefined>(undefined)
  const wasPreview = useRef(isPreview)
  useLayoutEffect(() => {
    const isNowWhole = wasPreview.current && !isPreview
    wasPreview.current = isPreview
    if (!isNowWhole || isFollowing || reading.current === undefined) return
    const index = rows.findIndex(({id}) => id === reading.current)
    if (index >= 0) virtualizer.scrollToIndex(index, {align: 'start'})
  })

  // Follows only while at the end: whoever scrolls up reads, and nothing moves under them.
  const last = rows.length - 1
  const lastRow = rows[last]
  const lastRevision = lastRow === undefined ? '' : revisionOf(lastRow)
  const total = virtualizer.getTotalSize()
  useLayoutEffect(() => {
    if (isFollowing && last >= 0) virtualizer.scrollToIndex(last, {align: 'end'})
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the end is further down with each of them
  }, [isFollowing, last, lastRevision, total, virtualizer])

  useEffect(() => {
    const element = scroller ?? own.current
    if (element === null) return undefined
    const scrolling = watchScrolling(element, () => {
      if ((virtualizer.scrollOffset ?? 0) > 0) onFollow(false)
    })
    const onScroll = () => {
      const {scrollOffset, scrollRect} = virtualizer
      // Rendering within this event may have scrolled on already: the offset is outdated, and another event follows.
      if (Math.abs(element.scrollTop - (scrollOffset ?? 0)) > 1) return
      const away =
        margin + virtualizer.getTotalSize() - (scrollOffset ?? 0) - (scrollRect?.height ?? 0)
      // What it scrolls by itself says nothing of whether to follow.
      const by = readMove()
      if (by < -1 && away > NEAR) onFollow(false)
      else if (by > 1 && away <= NEAR && scrolling.isDown()) onFollow(true)
    }
    element.addEventListener('scroll', onScroll, {passive: true})
    return () => {
      element.removeEventListener('scroll', onScroll)
      scrolling.stop()
    }
  }, [scroller, onFollow, virtualizer, margin, readMove])

  const items = virtualizer.getVirtualItems()
  const offset = virtualizer.scrollOffset ?? 0
  const first = items.find(({end}) => end > offset)
  const readId = rows[first?.index ?? -1]?.id
  useLayoutEffect(() => {
    if (isPreview) reading.current = readId
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it by key
    <div className={styles.feed} ref={own} tabIndex={isInner ? 0 : undefined} aria-label="Feed">
      <div
        role="feed"
        aria-label="What happened"
        className={styles.list}
        ref={list}
        style={{height: virtualizer.getTotalSize()}}
      >
        {items.map(({index, start, key}) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <EntryRow
              key={key}
              index={index}
              revision={revisionOf(row)}
              count={rows.length}
              row={row}
              top={start - (isInner ? 0 : margin)}
              measure={measure}
              isSelected={row.id === selected}
              isOpen={isOpen(row)}
              startedAt={startedAt}
              until={until}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Nearer to the end than this is at the end. */
const NEAR = 80
