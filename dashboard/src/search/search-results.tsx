import {useEffect, useRef, type ReactNode, type RefObject} from 'react'
import type {EntryQuery} from '../hub/api.ts'
import type {HistorySearch} from '../hub/history-api.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCount, formatNumber, formatTime} from '../ui/figures.ts'
import {EntryResult} from './entry-result.tsx'
import {useResultKeys} from './use-result-keys.ts'
import {useSearch} from './use-search.ts'
import styles from './search-results.module.css'

/** The runs and sessions that contain some words, with the moments of the first matches. */
export function SearchResults({
  words,
  query,
  keys,
  onWords,
  renderNone,
}: {
  words: string
  query: EntryQuery
  keys: {onSearch: () => void; onKind: () => void}
  /** Searches other words; nothing to search leads back to the list. */
  onWords: (words: string) => void
  /** In place of results when nothing matches. */
  renderNone: (title: string, suggestion: ReactNode) => ReactNode
}) {
  const {found, error, words: searched, isLoading, hasMore, loadMore} = useSearch(words, query)
  const entries = found?.entries ?? []
  const {selected, onPoint} = useResultKeys(entries, {...keys, onBack: () => onWords('')})
  const foot = useRef<HTMLDivElement>(null)
  useInView(foot, loadMore)
  if (error !== undefined && found === undefined) {
    return (
      <p className={classNames(styles.problem, common.failed)} role="alert">
        {error.message}
      </p>
    )
  }
  if (found === undefined) return <output className={styles.count}>Searching…</output>
  if (entries.length === 0 && !isLoading) {
    return (
      <>
        {renderNone(
          `No run or session matches “${searched}”`,
          <Suggestion found={found} onWords={onWords} />,
        )}
      </>
    )
  }
  return (
    <>
      <output className={classNames(styles.count, common.tabular)}>{describeCount(found)}</output>
      <section className={styles.results} aria-label="Search results">
        {entries.map((entry) => (
          <EntryResult
            key={entry.runId}
            entry={entry}
            selected={selected?.runId === entry.runId ? selected.index : undefined}
            onPoint={onPoint}
          />
        ))}
        <div className={styles.foot} ref={foot}>
          {error !== undefined ? (
            <span className={common.failed}>{error.message}</span>
          ) : hasMore ? (
            <Button kind="quiet" size="small" disabled={isLoading} onClick={loadMore}>
              {formatNumber(found.entryCount - entries.length)} more runs and sessions
            </Button>
          ) : (
            'All matches are shown.'
          )}
        </div>
      </section>
    </>
  )
}

function Suggestion({
  found: {suggestion, indexing},
  onWords,
}: {
  found: HistorySearch
  onWords: (words: string) => void
}) {
  return (
    <>
      {suggestion !== undefined && (
        <p>
          Did you mean{' '}
          <button type="button" className={styles.suggestion} onClick={() => onWords(suggestion)}>
            {suggestion}
          </button>
          ?
        </p>
      )}
      {indexing > 0 && <p>{describeIndexing(indexing)}</p>}
    </>
  )
}

/** Describes results: `27 matches in 9 runs and sessions · 38 ms`. */
function describeCount({total, entryCount, tookMs, indexing}: HistorySearch): string {
  const matches = `${formatNumber(total)} ${total === 1 ? 'match' : 'matches'}`
  const entries =
    entryCount === 1 ? '1 run or session' : `${formatNumber(entryCount)} runs and sessions`
  const rest = indexing > 0 ? ` · ${describeIndexing(indexing)}` : ''
  return `${matches} in ${entries} · ${formatTime(tookMs)}${rest}`
}

function describeIndexing(indexing: number): string {
  const verb = indexing === 1 ? 'is' : 'are'
  return `${formatCount(indexing, 'session')} ${verb} not searchable yet`
}

/** Calls when an element comes into view, and again after each change of the call. */
function useInView(ref: RefObject<Element | null>, call: () => void): void {
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && call(), {
      rootMargin: '400px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  })
}
