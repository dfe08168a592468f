import {useCallback, useEffect, useMemo, useRef, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useConnectionState, useHub, useRunList} from '../hub/hub.tsx'
import {useCommands} from '../shell/commands.ts'
import {Page} from '../shell/page.tsx'
import {updateQuery, useQuery} from '../shell/router.ts'
import {Button} from '../ui/button.tsx'
import {formatNumber} from '../ui/figures.ts'
import {EmptyRuns, FailedRuns, LoadingRuns} from './empty-runs.tsx'
import {matchesFilter, parseFilter} from './filter.ts'
import {RunsBar, type RunsView} from './runs-bar.tsx'
import {RunsHead} from './runs-head.tsx'
import styles from './runs-page.module.css'
import {RunsTable} from './runs-table.tsx'
import {isShown, makeSections, type Show, type Sort} from '../shell/sections.ts'
import {toTableItems} from './table-items.ts'
import {useHeldSections} from './use-held-sections.ts'
import {useTableKeys} from './use-table-keys.ts'

export function RunsPage() {
  const {status, runs} = useRunList()
  const {kind} = useConnectionState()
  const isFailed = status === 'failed' || (status === 'loading' && kind === 'lost')
  return (
    <Page title="Runs" className={styles.page}>
      {isFailed ? (
        <FailedRuns />
      ) : status === 'loading' ? (
        <LoadingRuns />
      ) : runs.size === 0 ? (
        <EmptyRuns />
      ) : (
        <Runs />
      )}
    </Page>
  )
}

function Runs() {
  const {runs, at} = useRunList()
  const field = useRef<HTMLInputElement>(null)
  const [filter, setFilter] = useFilter()
  const view = useView()
  const {show, sort, isByWorkOrder} = view
  const matching = useMemo(() => {
    const terms = parseFilter(filter)
    return [...runs.values()].filter((run) => matchesFilter(run, terms))
  }, [runs, filter])
  const sections = useMemo(() => {
    const shown = matching.filter((run) => isShown(run, show))
    return makeSections(shown, {sort, isByWorkOrder, now: at})
  }, [matching, show, sort, isByWorkOrder, at])
  const basis = `${show} ${sort} ${isByWorkOrder} ${filter}`
  const [isHovered, setIsHovered] = useState(false)
  const [selectedId, setSelectedId] = useState<string | undefined>(undefined)
  const isHeld = isHovered || selectedId !== undefined
  const {held, release} = useHeldSections(sections, basis, isHeld)
  const {focus, onFocused, onAskToStop} = useTableKeys({
    sections: held.sections,
    runs,
    selectedId,
    onSelect: setSelectedId,
    onFilter: () => field.current?.focus(),
  })
  const items = useMemo(() => toTableItems(held, runs), [held, runs])
  const clear = useCallback(() => {
    setFilter('')
    updateQuery({show: undefined, q: undefined})
  }, [setFilter])
  useCommands('This page', [
    {
      id: 'filter',
      title: 'Filter runs',
      icon: 'search',
      keys: '/',
      run: () => field.current?.focus(),
    },
    {
      id: 'failed',
      title: 'Show runs that failed',
      icon: 'fail',
      run: () => updateQuery({show: 'failed'}),
    },
    {id: 'clear', title: 'Show all runs', icon: 'list', run: clear},
  ])
  return (
    <>
      <RunsHead runs={runs} />
      <RunsBar
        view={view}
        counts={useCounts(matching, filter)}
        hasWorkOrders={useMemo(() => haveCommonOrder(runs.values()), [runs])}
        filter={filter}
        field={field}
        onFilter={setFilter}
      />
      {items.length === 0 ? (
        <p className={styles.noMatch}>
          No run matches.{' '}
          <Button size="small" onClick={clear}>
            Clear filter
          </Button>
        </p>
      ) : (
        <RunsTable
          items={items}
          focus={focus}
          onHover={setIsHovered}
          onRelease={release}
          onFocused={onFocused}
          onAskToStop={onAskToStop}
        />
      )}
      <MoreRuns />
    </>
  )
}

/** How many runs are loaded, and a button for more. */
function MoreRuns() {
  const {runList} = useHub()
  const {runs, total, hasMore, isLoadingMore, indexing, error} = useRunList()
  return (
    <p className={styles.more}>
      {hasMore && (
        <>
          Showing {formatNumber(runs.size)} of {formatNumber(total)}.{' '}
          <Button size="small" disabled={isLoadingMore} onClick={() => void runList.loadMore()}>
            Show more
          </Button>
        </>
      )}{' '}
      {indexing > 0 && `${formatNumber(indexing)} recordings are being read.`}{' '}
      {error !== undefined && <span className={styles.error}>{error.message}</span>}
    </p>
  )
}

/** The filter is kept in the URL, for links and reloads. */
function useFilter(): [string, (text: string) => void] {
  const fromAddress = useQuery('q')
  const [text, setText] = useState(fromAddress)
  const written = useRef(fromAddress)
  useEffect(() => {
    if (fromAddress === written.current) return
    written.current = fromAddress
    setText(fromAddress)
  }, [fromAddress])
  useEffect(() => {
    const timer = setTimeout(() => {
      written.current = text
      updateQuery({q: text})
    }, 300)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}

function useView(): RunsView {
  const show = useQuery('show')
  const sort = useQuery('sort')
  return {
    show: SHOWS.find((word) => word === show) ?? 'all',
    sort: SORTS.find((word) => word === sort) ?? 'newest',
    isByWorkOrder: useQuery('by') === 'order',
  }
}

const SHOWS: readonly Show[] = ['all', 'needs-you', 'working', 'waiting', 'failed']
const SORTS: readonly Sort[] = ['newest', 'cost', 'time']

function useCounts(matching: readonly RunSummary[], filter: string): Record<Show, number> {
  const {total} = useRunList()
  return useMemo(() => {
    const count = (show: Show) => matching.filter((run) => isShown(run, show)).length
    return {
      all: filter === '' ? total : matching.length,
      'needs-you': count('needs-you'),
      working: count('working'),
      waiting: count('waiting'),
      failed: count('failed'),
    }
  }, [matching, filter, total])
}

function haveCommonOrder(runs: Iterable<RunSummary>): boolean {
  const orders = new Set<string>()
  for (const {workOrderId} of runs) {
    if (orders.has(workOrderId)) return true
    orders.add(workOrderId)
  }
  return false
}
