import {useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref} from 'react'
import {revisionOf, type EntryId} from '../model/entry.ts'
import {EntryRow} from './entry-row.tsx'
import {useRun} from './run-context.ts'
import type {FeedActions, Selection} from './use-selection.ts'
import {END_THRESHOLD, useVirtualRows} from './use-virtual-rows.ts'
import {watchScrolling} from './watch-scrolling.ts'
import styles from './feed.module.css'

/** Everything that happened in a run, in order. Only the rows in view are in the document. */
export function Feed({
  selection: {rows, selected, isRowOpen, isFollowing},
  scroller,
  ref,
}: {
  selection: Selection
  /** The element that scrolls, when it is not the feed itself. */
  scroller: HTMLElement | null
  ref?: Ref<FeedActions> | undefined
}) {
  const {follow} = useRun().actions
  const own = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const isInner = scroller === null
  const {virtualizer, items} = useVirtualRows({
    rows,
    isOpen: isRowOpen,
    selected,
    isFollowing,
    getScrollElement: () => scroller ?? own.current,
    scrollMargin: isInner ? 0 : margin,
  })
  const {measureElement: measure, containerRef} = virtualizer

  useLayoutEffect(() => {
    containerRef(list.current)
  }, [containerRef])

  useLayoutEffect(() => {
    if (scroller === null || list.current === null) return
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    setMargin(Math.round(top + scroller.scrollTop))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the content above the list changes with the rows
  }, [scroller, rows.length])

  const focusId = useRef<EntryId | undefined>(undefined)
  const findRow = (id: EntryId | undefined): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`) ?? null
  useImperativeHandle(ref, () => ({
    reveal(index, isFocused) {
      const id = rows[index]?.id
      const row = findRow(id)
      // A row that was just folded is not measured yet.
      if (row !== null) measure(row)
      virtualizer.scrollToIndex(index, {align: 'auto'})
      if (!isFocused) return
      row?.focus({preventScroll: true})
      focusId.current = row === null ? id : undefined
    },
  }))
  useEffect(() => {
    if (focusId.current === undefined) return
    const row = findRow(focusId.current)
    if (row === null) return
    row.focus({preventScroll: true})
    focusId.current = undefined
  })

  const viewHeight = virtualizer.scrollRect?.height
  useLayoutEffect(() => {
    if (isFollowing) virtualizer.scrollToEnd()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the end moves with each of them
  }, [isFollowing, rows, viewHeight, virtualizer])

  useEffect(() => {
    const element = scroller ?? own.current
    if (element === null) return undefined
    const scrolling = watchScrolling(element, () => {
      if ((virtualizer.scrollOffset ?? 0) > 0) follow(false)
    })
    let lastTop = virtualizer.scrollOffset ?? 0
    const onScroll = () => {
      const {scrollOffset, scrollRect} = virtualizer
      const top = scrollOffset ?? 0
      const isDown = top > lastTop
      const isAtEnd =
        margin + virtualizer.getTotalSize() - top - (scrollRect?.height ?? 0) <= END_THRESHOLD
      const isChange = isFollowing ? !isDown && !isAtEnd : isDown && isAtEnd && scrolling.isDown()
      // Rendering within this event may have scrolled again: the offset is stale, and another event follows.
      if (isChange && Math.abs(element.scrollTop - top) > 1) return
      lastTop = top
      if (isChange) follow(!isFollowing)
    }
    element.addEventListener('scroll', onScroll, {passive: true})
    return () => {
      element.removeEventListener('scroll', onScroll)
      scrolling.stop()
    }
  }, [scroller, isFollowing, follow, virtualizer, margin])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the feed scrolls by key
    <div className={styles.feed} ref={own} tabIndex={isInner ? 0 : undefined} aria-label="Feed">
      <div role="feed" aria-label="What happened" className={styles.list} ref={list}>
        {items.map(({index, key}) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <EntryRow
              key={key}
              index={index}
              revision={revisionOf(row)}
              count={rows.length}
              row={row}
              measure={measure}
              isSelected={row.id === selected}
              isOpen={isRowOpen(row)}
            />
          )
        })}
      </div>
    </div>
  )
}
