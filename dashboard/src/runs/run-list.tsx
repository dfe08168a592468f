import {useCallback, useMemo, useState} from 'react'
import type {HistoryDays} from '../hub/history-api.ts'
import {useFilteredRunList, useHub} from '../hub/hub.tsx'
import type {RunListSnapshot} from '../hub/run-list.ts'
import {dayOf} from '../shell/day.ts'
import {makeSections} from '../shell/sections.ts'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {useStore} from '../ui/create-store.ts'
import {formatNumber} from '../ui/figures.ts'
import {needsAttention} from '../ui/state.ts'
import {findDateRow, findRunOfDay} from './find-date-row.ts'
import {GoToDate} from './go-to-date.tsx'
import {isEmptyFilter, toEntryQuery, toRunFilter, type ListFilter} from './list-filter.ts'
import {NoMatch} from './no-match.tsx'
import {countUrgent, RunsTable} from './runs-table.tsx'
import {toTableItems, type WantedRow} from './table-items.ts'
import {useHeldSections} from './use-held-sections.ts'
import {useHistoryDays} from './use-history-days.ts'
import {useTableKeys} from './use-table-keys.ts'

/** The list of the runs and sessions that a filter accepts, under headings. Further pages are loaded as one scrolls. */
export function RunList({
  filter,
  all,
  keys,
  onClear,
}: {
  filter: ListFilter
  /** Counts of everything. */
  all: HistoryDays | null | undefined
  keys: {onSearch: () => void; onKind: () => void}
  onClear: () => void
}) {
  const {runList} = useHub()
  const [openedAt] = useState(Date.now)
  const runFilter = useMemo(() => toRunFilter(filter, openedAt), [filter, openedAt])
  const list = useFilteredRunList(runFilter)
  const snapshot = useStore(list)
  const {runs, total, at, loadedFrom} = snapshot
  const isFiltered = list !== runList
  const query = useMemo(() => toEntryQuery(filter, openedAt), [filter, openedAt])
  const filtered = useHistoryDays(isFiltered ? query : undefined, total)
  const days = (isFiltered ? filtered : all)?.days
  const sections = useMemo(
    () => makeSections(runs.values(), at, {total, loadedFrom, days}),
    [runs, at, total, loadedFrom, days],
  )
  const urgent = useMemo(
    () => new Set([...runs.values()].filter(needsAttention).map(({runId}) => runId)),
    [runs],
  )
  const [isHovered, setIsHovered] = useState(false)
  const [selectedId, setSelectedId] = useState<string | undefined>(undefined)
  const isHeld = isHovered || selectedId !== undefined
  const {held, release} = useHeldSections(sections, {urgent, basis: list, isHeld})
  const [isAskingDate, setAskingDate] = useState(false)
  const [wantedDay, setWantedDay] = useState<WantedRow & {day: string}>()
  const select = useCallback((runId: string | undefined) => {
    setSelectedId(runId)
    setWantedDay(undefined)
  }, [])
  const items = useMemo(() => toTableItems(held, runs), [held, runs])
  const {focus, onFocused, onAskToStop} = useTableKeys({
    sections: held.sections,
    runs,
    selectedId,
    onSelect: select,
    findStart: () => (wantedDay === undefined ? undefined : findRunOfDay(items, wantedDay.day)),
    onDate: () => setAskingDate(true),
    ...keys,
  })
  const wanted = useMemo(
    () => (focus.wantedId === undefined ? wantedDay : {key: focus.wantedId, isAtTop: false}),
    [focus.wantedId, wantedDay],
  )
  const loadMore = useCallback(() => void list.loadMore(), [list])
  if (items.length === 0) {
    return isEmptyFilter(filter) ? null : (
      <NoMatch title="No run or session matches" filter={filter} onClear={onClear} />
    )
  }
  return (
    <>
      <RunsTable
        items={items}
        urgentCount={countUrgent(items, urgent)}
        focus={focus}
        wanted={wanted}
        foot={<Foot snapshot={snapshot} onDate={() => setAskingDate(true)} />}
        onHover={setIsHovered}
        onRelease={release}
        onNeedMore={loadMore}
        onFocused={onFocused}
        onAskToStop={onAskToStop}
      />
      {isAskingDate && (
        <GoToDate
          today={dayOf(at)}
          onGo={(day) => {
            const key = findDateRow(items, day, days)
            if (key !== undefined) setWantedDay({key, isAtTop: true, day})
          }}
          onClose={() => setAskingDate(false)}
        />
      )}
    </>
  )
}

/** The state of loading, below the list. */
function Foot({
  snapshot: {indexing, error, hasMore},
  onDate,
}: {
  snapshot: RunListSnapshot
  onDate: () => void
}) {
  return (
    <>
      {hasMore && 'Rows are loaded as you scroll.'}{' '}
      {indexing > 0 && `${formatNumber(indexing)} recordings are being read.`}{' '}
      {error !== undefined && (
        <span className={common.failed} role="alert">
          {error.message}
        </span>
      )}
      <Button kind="quiet" size="small" onClick={onDate}>
        Go to date <kbd aria-hidden="true">g d</kbd>
      </Button>
    </>
  )
}
