import {lazy, Suspense, useEffect, useMemo, useRef, useState} from 'react'
import {useConnectionState, useRunList} from '../hub/hub.tsx'
import {useCommands} from '../shell/commands.ts'
import page from '../shell/page.module.css'
import {Page} from '../shell/page.tsx'
import {updateQuery, useQuery, useSearchText} from '../shell/router.ts'
import {ArchiveNotice} from './archive-notice.tsx'
import {useArchive, type Archive} from './use-archive.ts'
import {EmptyRuns, FailedRuns, LoadingRuns} from './empty-runs.tsx'
import {FilterBar} from './filter-bar.tsx'
import {nextKind, KindBar, type BarCounts} from './kind-bar.tsx'
import {
  acceptsRun,
  FILTER_FIELDS,
  isEmptyFilter,
  parseListFilter,
  toEntryQuery,
  type ListFilter,
} from './list-filter.ts'
import {NoMatch} from './no-match.tsx'
import {RunList} from './run-list.tsx'
import {RunsHead} from './runs-head.tsx'
import {useHistoryDays} from './use-history-days.ts'
import type {HistoryDays} from '../hub/history-api.ts'

// Loaded with the first search.
const SearchResults = lazy(async () => {
  const {SearchResults: component} = await import('../search/search-results.tsx')
  return {default: component}
})

/** All runs and sessions, or the results of a search in them. */
export function RunsPage() {
  const {status, runs, total} = useRunList()
  const {kind} = useConnectionState()
  // Requested before the list is loaded, so that nothing moves when they arrive.
  const archive = useArchive()
  const all = useHistoryDays(NO_QUERY, total)
  const isSearch = useQuery('q') !== ''
  const isFailed = status === 'failed' || (status === 'loading' && kind === 'lost')
  return (
    <Page title={isSearch ? 'Search' : 'Runs'} className={page.content}>
      {isFailed ? (
        <FailedRuns />
      ) : status === 'loading' ? (
        <LoadingRuns />
      ) : runs.size === 0 ? (
        <EmptyRuns />
      ) : (
        <Runs all={all} archive={archive} />
      )}
    </Page>
  )
}

function Runs({all, archive}: {all: HistoryDays | null | undefined; archive: Archive}) {
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useWords()
  const [openedAt] = useState(Date.now)
  const searched = useQuery('q')
  const filter = useListFilter()
  const {counts, choices} = useCounts(filter, all, searched !== '')
  const clear = () => {
    setWords('')
    updateQuery(NO_FILTER)
  }
  const search = () => {
    field.current?.focus()
    field.current?.select()
  }
  const keys = {onSearch: search, onKind: () => updateQuery({kind: nextKind(filter.kind)})}
  useCommands('This page', [
    {
      id: 'search',
      title: 'Search runs and sessions',
      icon: 'search',
      keys: '/',
      run: () => field.current?.focus(),
    },
    {
      id: 'failed',
      title: 'Show runs that failed',
      icon: 'fail',
      run: () => updateQuery({...NO_FILTER, state: 'failed'}),
    },
    {id: 'clear', title: 'Show all runs and sessions', icon: 'list', run: clear},
  ])
  return (
    <>
      <RunsHead title={searched === '' ? 'Runs' : 'Search'} history={all} />
      {searched === '' && <ArchiveNotice archive={archive} />}
      <FilterBar filter={filter} counts={choices} words={words} field={field} onWords={setWords} />
      <KindBar filter={filter} counts={counts} />
      {searched === '' ? (
        <RunList filter={filter} all={all} keys={keys} onClear={clear} />
      ) : (
        <Suspense fallback={<LoadingRuns />}>
          <SearchResults
            words={searched}
            query={toEntryQuery({...filter, state: ''}, openedAt)}
            keys={keys}
            onWords={setWords}
            renderNone={(title, suggestion) => (
              <NoMatch title={title} filter={filter} onClear={clear}>
                {suggestion}
              </NoMatch>
            )}
          />
        </Suspense>
      )}
    </>
  )
}

const NO_QUERY = {}
const NO_FILTER = Object.fromEntries(['q', ...FILTER_FIELDS].map((name) => [name, undefined]))

/** The filter in the URL. */
function useListFilter(): ListFilter {
  const text = useSearchText()
  return useMemo(() => parseListFilter(new URLSearchParams(text)), [text])
}

/** The searched words are kept in the URL, for links and reloads. */
function useWords(): [string, (text: string) => void] {
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
      const words = text.trim()
      if (words === written.current) return
      // The first words are a step in the history, so that the list is one step back.
      const isStep = written.current === ''
      written.current = words
      updateQuery({q: words}, {isStep})
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}

/** A search starts when nothing was typed for this long. */
const TYPING_MS = 250

/** The numbers beside the filters, and what can be chosen in them. */
function useCounts(filter: ListFilter, all: HistoryDays | null | undefined, isSearch: boolean) {
  const {runs, total, at} = useRunList()
  // Each number follows the other filters.
  const others = {...filter, kind: '', state: ''} as const
  const isFiltered = !isEmptyFilter(others)
  const query = isFiltered && !isSearch ? toEntryQuery(others, at) : undefined
  const filtered = useHistoryDays(query, total)
  const facts = isFiltered ? filtered : all
  const count = (state: ListFilter['state']) =>
    [...runs.values()].filter(
      (run) => run.state !== 'over' && acceptsRun({...filter, state}, run, at),
    ).length
  const hasVerdicts = filter.kind === '' || filter.kind === 'run'
  const counts: BarCounts = {
    states: {
      'needs-you': count('needs-you'),
      live: count('live'),
      ...(facts && {failed: hasVerdicts ? facts.failed : 0}),
    },
  }
  if (facts && !isSearch) {
    const {run, session, imported} = facts.kinds
    counts.kinds = {run, session, imported, all: run + session + imported}
  }
  const choices = useMemo(() => all ?? listChoices(runs.values()), [all, runs])
  return {counts, choices}
}

/** Without counts of the hub, the agents and folders of the known runs can be chosen. */
function listChoices(
  runs: Iterable<{agent: string | null; cwd: string}>,
): Pick<HistoryDays, 'agents' | 'projects'> {
  const agents = new Set<string>()
  const projects = new Set<string>()
  for (const {agent, cwd} of runs) {
    if (agent !== null) agents.add(agent)
    projects.add(cwd)
  }
  return {
    agents: [...agents].map((agent) => ({agent, count: 0})),
    projects: [...projects].map((project) => ({project, count: 0})),
  }
}
