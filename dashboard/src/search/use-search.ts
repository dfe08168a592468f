import {useCallback, useEffect, useRef, useState} from 'react'
import type {EntryQuery, HubError} from '../hub/api.ts'
import {fetchHistorySearch, type HistorySearch} from '../hub/history-api.ts'

/** Results so far. */
interface SearchState {
  /** The search that they answer: those of the last one stay until the next is answered. */
  key: string
  words: string
  /** With the entries of all pages. */
  found?: HistorySearch | undefined
  error?: HubError | undefined
}

const PAGE = 10
const REFRESH_MS = 2000

/** Searches runs and sessions, page by page. */
export function useSearch(words: string, query: EntryQuery) {
  const [state, setState] = useState<SearchState>({key: '', words})
  const [isLoadingMore, setLoadingMore] = useState(false)
  const key = JSON.stringify([words, query])
  /** The current search; a late answer to another one is dropped. */
  const current = useRef(key)
  useEffect(() => {
    current.current = key
    void load()

    async function load(): Promise<void> {
      const next = await search(key, undefined)
      if (current.current === key) setState(next)
    }
  }, [key])

  const {found, error} = state
  // Results of transcripts that become searchable appear while only the first page is shown.
  const isIncomplete = found !== undefined && found.indexing > 0 && found.entries.length <= PAGE
  useEffect(() => {
    if (!isIncomplete) return undefined
    let isGone = false
    const timer = setTimeout(() => void refresh(), REFRESH_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }

    async function refresh(): Promise<void> {
      const next = await search(key, undefined)
      if (!isGone && next.error === undefined) setState(next)
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- again after each answer
  }, [isIncomplete, key, found])

  const isLoading = state.key !== key || isLoadingMore
  const hasMore =
    error === undefined && found !== undefined && found.entries.length < found.entryCount
  const loadMore = useCallback(() => {
    if (hasMore && !isLoading) void load()

    async function load(): Promise<void> {
      setLoadingMore(true)
      const next = await search(key, found)
      setLoadingMore(false)
      if (current.current === key) setState(next)
    }
  }, [hasMore, isLoading, key, found])
  return {...state, isLoading, hasMore, loadMore}
}

/** Loads the first page of a search, or the page after others. */
async function search(key: string, before: HistorySearch | undefined): Promise<SearchState> {
  const [words, query] = JSON.parse(key) as [string, EntryQuery]
  const known = before?.entries ?? []
  const answer = await fetchHistorySearch(words, {...query, limit: PAGE, offset: known.length})
  if (!answer.ok) return {key, words, found: before, error: answer.error}
  const ids = new Set(known.map(({runId}) => runId))
  const added = answer.value.entries.filter(({runId}) => !ids.has(runId))
  return {key, words, found: {...answer.value, entries: [...known, ...added]}}
}
