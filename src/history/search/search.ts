import type {EntryKind} from '../../core/run/run-summary.ts'
import type {Entry} from '../entries.ts'
import {createEntryFilter} from '../usage/filter.ts'
import type {MomentRole} from './moments.ts'
import type {SearchStore} from './search-store.ts'
import {cutSnippet, type Snippet} from './snippet.ts'
import {suggestWord} from './suggest.ts'
import {formatTerm, parseTerms} from './terms.ts'

/** A search in all runs and sessions. */
export interface SearchQuery {
  /** Words that must all occur in a run or session, in any order; `"…"` is a phrase. */
  text: string
  agents?: readonly string[] | undefined
  /** The name of a folder, its path, or that of a folder above it. */
  project?: string | undefined
  kind?: EntryKind | undefined
  /** Only moments of this kind. */
  role?: MomentRole | undefined
  /** Only runs and sessions that started at this time or later. */
  from?: number | undefined
  /** Only runs and sessions that started before this time. */
  to?: number | undefined
  /** How many runs and sessions are returned, after how many others. */
  limit: number
  offset?: number | undefined
}

/** The runs and sessions that match, the newest first. */
export interface SearchResult {
  /** Number of matching moments. */
  total: number
  entryCount: number
  entries: FoundEntry[]
  /** Number of runs and sessions that were searched. */
  searched: number
  /** Number of runs and sessions that are not searchable yet. */
  indexing: number
  /** A similar word that occurs, if nothing matches. */
  suggestion?: string | undefined
}

/** A run or session that matches. */
export interface FoundEntry {
  entry: Entry
  /** Number of matching moments. */
  matches: number
  /** Some of the matching moments, in order of time. */
  moments: FoundMoment[]
}

/** A matching moment. */
export interface FoundMoment extends Snippet {
  role: MomentRole
  label: string
  at: number
  /** Since the start of the run or session. */
  offsetMs: number
}

const MAX_MOMENTS = 3

/** Searches runs and sessions: all terms must occur, each in any moment. */
export function searchHistory(
  store: SearchStore,
  entries: readonly Entry[],
  query: SearchQuery,
): SearchResult {
  const stored = new Map(store.list().map((row) => [row.id, row]))
  const isWanted = createFilter(query)
  const wanted = entries.filter(isWanted)
  const indexing = entries.filter(({id}) => (stored.get(id)?.stamp ?? '') === '').length
  const terms = parseTerms(query.text)
  const none = {total: 0, entryCount: 0, entries: [], searched: wanted.length, indexing}
  if (terms.length === 0) return none

  const toMatch = (text: string) =>
    query.role === undefined ? `text : (${text})` : `text : (${text}) AND role : ${query.role}`
  const ofTerms = terms.map((term) => {
    const match = toMatch(formatTerm(term))
    return {term, match, counts: store.count(match)}
  })
  const any = toMatch(terms.map(formatTerm).join(' OR '))
  const counts = terms.length === 1 ? ofTerms[0]?.counts : store.count(any)
  const found: {entry: Entry; no: number; matches: number}[] = []
  for (const entry of wanted) {
    const {no = -1} = stored.get(entry.id) ?? {}
    if (!ofTerms.every((term) => term.counts.has(no))) continue
    found.push({entry, no, matches: counts?.get(no) ?? 0})
  }
  if (found.length === 0) {
    const missing = ofTerms.filter((term) => term.counts.size === 0).map(({term}) => term)
    return {...none, suggestion: suggestWord(store, missing)}
  }

  /** The best moments have all terms, the next ones the rarest. */
  const rarestFirst = ofTerms.toSorted((one, other) => one.counts.size - other.counts.size)
  const matchesByRank = [
    {match: toMatch(terms.map(formatTerm).join(' AND ')), limit: MAX_MOMENTS},
    ...rarestFirst.map(({match}) => ({match, limit: 1})),
    {match: any, limit: MAX_MOMENTS},
  ]
  const {offset = 0, limit} = query
  return {
    ...none,
    total: found.reduce((sum, {matches}) => sum + matches, 0),
    entryCount: found.length,
    entries: found.slice(offset, offset + limit).map(({entry, no, matches}) => ({
      entry,
      matches,
      moments: findMoments(entry, no),
    })),
  }

  function findMoments({startedAt}: Entry, no: number): FoundMoment[] {
    const rows = new Set<number>()
    for (const rank of matchesByRank) {
      if (rows.size < MAX_MOMENTS) {
        for (const row of store.find(rank.match, no, rank.limit)) rows.add(row)
      }
    }
    return [...rows]
      .slice(0, MAX_MOMENTS)
      .toSorted((one, other) => one - other)
      .flatMap((row) => store.getMarked(any, row) ?? [])
      .map(({role, label, at, text: marked}) => {
        const {text, marks} = cutSnippet(marked)
        return {role, label, at, offsetMs: Math.max(0, at - startedAt), text, marks}
      })
  }
}

function createFilter({agents, project, kind, from = -Infinity, to = Infinity}: SearchQuery) {
  const isIncluded = createEntryFilter({agents, project})
  return (entry: Entry) =>
    isIncluded(entry) &&
    (kind === undefined || entry.kind === kind) &&
    entry.startedAt >= from &&
    entry.startedAt < to
}
